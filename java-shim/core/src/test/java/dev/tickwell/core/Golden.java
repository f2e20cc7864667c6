package dev.tickwell.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** The files on which Rust and Java must agree. */
final class Golden {
  static final Path FOLDER = Path.of(System.getProperty("tickwell.golden"));

  private Golden() {}

  static byte[] bytes(Path file) {
    try {
      StringBuilder digits = new StringBuilder();
      for (String line : Files.readAllLines(file)) {
        digits.append(line.replaceAll("#.*", "").replaceAll("\\s", ""));
      }
      return HexFormat.of().parseHex(digits);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] page(String name) {
    return bytes(FOLDER.resolve(name + ".hex"));
  }

  static byte[] request(String name) {
    byte[] request = bytes(FOLDER.resolve("requests").resolve(name + ".hex"));
    // The files have a deadline of 30 s; Java leaves it to the database's setting.
    Wire.putInt(request, 4, 0);
    return request;
  }

  static List<Path> badPages() {
    try (Stream<Path> files = Files.list(FOLDER.resolve("bad-pages"))) {
      return files.sorted().toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
