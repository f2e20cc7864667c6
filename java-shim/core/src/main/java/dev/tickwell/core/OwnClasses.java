package dev.tickwell.core;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.stream.Stream;

/**
 * Loads all of our classes at the start, so that none is missing at the end when the jar was
 * replaced in the meantime. Runs once on the thread that starts the engine.
 */
final class OwnClasses {
  private static final String ROOT = "dev/tickwell";
  private static final String SUFFIX = ".class";

  private OwnClasses() {}

  /** Loads every class of the jar or folder of this one; gives how many. */
  static int loadAll() {
    CodeSource source = OwnClasses.class.getProtectionDomain().getCodeSource();
    if (source == null || source.getLocation() == null) {
      return 0;
    }
    try {
      Path location = Path.of(source.getLocation().toURI());
      if (Files.isDirectory(location)) {
        return load(location);
      }
      try (FileSystem jar = FileSystems.newFileSystem(location)) {
        return load(jar.getPath("/"));
      }
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      // Only a replaced jar would suffer from it, and only at the end.
      return 0;
    }
  }

  private static int load(Path root) throws IOException {
    List<String> names;
    try (Stream<Path> files = Files.walk(root.resolve(ROOT))) {
      names =
          files
              .map(file -> root.relativize(file).toString().replace('\\', '/'))
              .filter(name -> name.endsWith(SUFFIX))
              .map(name -> name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'))
              .toList();
    }
    return (int) names.stream().filter(OwnClasses::load).count();
  }

  private static boolean load(String name) {
    try {
      Class.forName(name, false, OwnClasses.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException | LinkageError e) {
      // For another server software: what it needs is not here, and so it is not used either.
      return false;
    }
  }
}
