package dev.tickwell.benchmark.host;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** Compiles plugins from source into jars. */
final class PluginJars {
  private final Path folder;

  PluginJars(Path folder) {
    this.folder = folder;
  }

  /**
   * Makes a jar.
   *
   * @param yml lines of the plugin.yml after name, version and main
   * @param sources Java source by class name; the first class named {@code <lower name>.Main} is
   *     the main class
   * @param jarsToSee jars whose classes the sources use
   */
  File make(
      String name,
      String yml,
      Map<String, String> sources,
      Map<String, String> resources,
      File... jarsToSee) {
    try {
      Path work = Files.createTempDirectory(folder, name);
      List<String> arguments = new ArrayList<>();
      StringBuilder path = new StringBuilder(System.getProperty("java.class.path"));
      for (File jar : jarsToSee) {
        path.append(File.pathSeparator).append(jar);
      }
      arguments.addAll(List.of("-d", work.resolve("classes").toString(), "-cp", path.toString()));
      for (Map.Entry<String, String> source : sources.entrySet()) {
        Path file = work.resolve(source.getKey().replace('.', '/') + ".java");
        Files.createDirectories(file.getParent());
        int dot = source.getKey().lastIndexOf('.');
        Files.writeString(
            file, "package " + source.getKey().substring(0, dot) + ";\n" + source.getValue());
        arguments.add(file.toString());
      }
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      if (compiler.run(null, null, null, arguments.toArray(String[]::new)) != 0) {
        throw new IllegalStateException("the sources of " + name + " do not compile");
      }
      Map<String, byte[]> entries = new TreeMap<>();
      String main = name.toLowerCase(java.util.Locale.ROOT) + ".Main";
      entries.put(
          "plugin.yml",
          ("name: " + name + "\nversion: '1'\nmain: " + main + "\n" + yml)
              .getBytes(StandardCharsets.UTF_8));
      resources.forEach((key, value) -> entries.put(key, value.getBytes(StandardCharsets.UTF_8)));
      Path classes = work.resolve("classes");
      try (Stream<Path> files = Files.walk(classes)) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          entries.put(
              classes.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
        }
      }
      File jar = folder.resolve(name + ".jar").toFile();
      try (OutputStream out = Files.newOutputStream(jar.toPath());
          JarOutputStream zip = new JarOutputStream(out)) {
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
          zip.putNextEntry(new ZipEntry(entry.getKey()));
          zip.write(entry.getValue());
        }
      }
      return jar;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A plugin whose main class has this body and nothing else. */
  File make(String name, String yml, String body, File... jarsToSee) {
    String main = name.toLowerCase(java.util.Locale.ROOT) + ".Main";
    return make(name, yml, Map.of(main, mainClass(body)), Map.of(), jarsToSee);
  }

  static String mainClass(String body) {
    return """
        import dev.tickwell.benchmark.host.Trace;
        public class Main extends org.bukkit.plugin.java.JavaPlugin
            implements org.bukkit.event.Listener {
        """
        + body
        + "\n}";
  }
}
