// The tasks that people expect of ./gradlew. Each runs the xtask of the same name, which does the
// work with cargo and Maven; see docs/decisions/0003-maven-and-cargo-behind-gradle.md.

// What was given with -P, passed on; the xtask refuses a name that it does not know.
val given = gradle.startParameter.projectProperties
    .filterKeys { it.startsWith("tickwell.") }
    .map { (name, value) -> "-P$name=$value" }

fun xtask(task: String, command: String, about: String) {
    tasks.register(task, Exec::class.java) {
        group = "tickwell"
        description = about
        workingDir = projectDir
        // runServer's console is this terminal.
        standardInput = System.`in`
        environment("TICKWELL_LAUNCHER", "./gradlew")
        commandLine(listOf("cargo", "xtask", command) + given)
    }
}

xtask("build", "build", "Builds the plugin: build/libs/tickwell-<version>.jar")
xtask("check", "check", "Runs all tests and lints, and a short run of the benchmark")
xtask("serverBenchmark", "server-benchmark", "Measures Tickwell and JDBC in a ticking server: build/benchmarks/report.html")
xtask("install", "install", "Puts the API, its sources and its Javadoc into the local Maven repository")
xtask("jmh", "jmh", "Runs the microbenchmarks of the boundary: build/benchmarks/jmh.json")
xtask("runServer", "run-server", "Starts a server with the plugin, to try by hand")
xtask("fmt", "fmt", "Formats the Rust and Java sources")
xtask("doctor", "doctor", "Says which tools were found, and what is missing")
xtask("clean", "clean", "Removes build/ and the Maven modules' target folders; cargo's target folder stays")
