package dev.tickwell.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A plugin made from compiled test classes: a jar with a class, the others of its package, and a
 * plugin.yml.
 *
 * @param name the plugin's name
 * @param main its main class
 * @param depend the plugins that it needs
 * @param commands its commands
 */
record PluginJar(String name, Class<?> main, List<String> depend, List<String> commands) {

  /** Writes the jar with copies of all classes that come from where these do. */
  void writeWith(Path folder, Class<?>... copied) throws IOException {
    write(folder);
    Map<String, String> update = Map.of("create", "false");
    try (FileSystem jar = FileSystems.newFileSystem(folder.resolve(name + ".jar"), update)) {
      for (Class<?> type : copied) {
        Path source = source(type);
        if (Files.isDirectory(source)) {
          copy(source, jar.getPath("/"));
        } else {
          try (FileSystem from = FileSystems.newFileSystem(source, Map.of())) {
            copy(from.getPath("/"), jar.getPath("/"));
          }
        }
      }
    }
  }

  private static Path source(Class<?> type) throws IOException {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(from)) {
      files = walk.filter(file -> file.toString().endsWith(".class")).toList();
    }
    for (Path file : files) {
      Path target = to.resolve(from.relativize(file).toString());
      Files.createDirectories(target.getParent());
      Files.copy(file, target);
    }
  }

  /** Writes the jar into a folder. */
  void write(Path folder) throws IOException {
    try (OutputStream out = Files.newOutputStream(folder.resolve(name + ".jar"));
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry("plugin.yml"));
      jar.write(description().getBytes(StandardCharsets.UTF_8));
      jar.closeEntry();
      for (Path file : classes()) {
        jar.putNextEntry(
            new JarEntry(main.getPackageName().replace('.', '/') + "/" + file.getFileName()));
        try (InputStream in = Files.newInputStream(file)) {
          in.transferTo(jar);
        }
        jar.closeEntry();
      }
    }
  }

  private String description() {
    StringBuilder yaml =
        new StringBuilder("name: " + name + "\nversion: '1'\nmain: " + main.getName() + "\n");
    yaml.append("api-version: '1.21'\ndepend: ").append(depend).append("\ncommands:\n");
    commands.forEach(command -> yaml.append("  ").append(command).append(": {}\n"));
    return yaml.toString();
  }

  private List<Path> classes() throws IOException {
    try (Stream<Path> files =
        Files.list(
            Path.of(main.getResource(main.getSimpleName() + ".class").toURI()).getParent())) {
      return files.filter(file -> file.getFileName().toString().endsWith(".class")).toList();
    } catch (URISyntaxException e) {
      throw new IOException(e);
    }
  }
}
