package dev.tickwell.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A database that is open in the library.
 *
 * @param handle the library's handle
 * @param file its file, or null for one on a network
 */
record OpenDatabase(String name, long handle, Path file) {
  /** Whether it has this file open, whatever name that goes by. */
  boolean has(Path other) {
    if (file == null || other == null) {
      return false;
    }
    try {
      return file.equals(other)
          || (Files.exists(file) && Files.exists(other) && Files.isSameFile(file, other));
    } catch (IOException e) {
      // A file that cannot be looked at cannot be opened either, which says more.
      return false;
    }
  }
}
