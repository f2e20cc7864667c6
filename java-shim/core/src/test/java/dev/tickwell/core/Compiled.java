package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tickwell.Key;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.tools.ToolProvider;

/** Classes of a plugin that a test compiles as its author would, with options of its own. */
final class Compiled implements AutoCloseable {
  private final URLClassLoader loader;

  private Compiled(Path classes) throws IOException {
    loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, Compiled.class.getClassLoader());
  }

  /** Java code as javac compiles it. */
  static Compiled java(Path folder, String source, String... options) throws Exception {
    Path file = Files.writeString(folder.resolve("Rows.java"), source);
    List<String> arguments = arguments(folder, file);
    arguments.addAll(List.of(options));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, said, said, arguments.toArray(String[]::new));
    assertEquals(0, code, said.toString(StandardCharsets.UTF_8));
    return new Compiled(folder);
  }

  /** Kotlin code as its compiler makes it without options. */
  static Compiled kotlin(Path folder, String source) throws Exception {
    Path file = Files.writeString(folder.resolve("Rows.kt"), source);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    // A small program that runs once: its first compiler is enough.
    command.addAll(
        List.of("-XX:TieredStopAtLevel=1", "-cp", System.getProperty("java.class.path")));
    command.add("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler");
    command.addAll(arguments(folder, file));
    command.addAll(List.of("-no-stdlib", "-no-reflect", "-jvm-target", "21"));
    Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, compiler.waitFor(), said);
    return new Compiled(folder);
  }

  private static List<String> arguments(Path folder, Path file) throws URISyntaxException {
    String path = jar(Key.class) + File.pathSeparator + jar(kotlin.Unit.class);
    return new ArrayList<>(List.of("-d", folder.toString(), "-cp", path, file.toString()));
  }

  private static String jar(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
  }

  /** A class of them; what its type says is for the compiler alone. */
  @SuppressWarnings("unchecked")
  Class<Object> type(String name) throws ClassNotFoundException {
    return (Class<Object>) loader.loadClass(name);
  }

  /** An object of a class, made by the constructor with as many parameters. */
  static Object make(Class<?> type, Object... values) throws ReflectiveOperationException {
    for (var constructor : type.getConstructors()) {
      if (constructor.getParameterCount() == values.length) {
        return constructor.newInstance(values);
      }
    }
    throw new NoSuchMethodException(type + " has none with " + values.length + " parameters");
  }

  @Override
  public void close() throws IOException {
    loader.close();
  }
}
