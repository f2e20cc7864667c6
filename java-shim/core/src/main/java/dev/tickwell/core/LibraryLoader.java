package dev.tickwell.core;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Brings the native library into the process: picks the one for this platform, extracts it under a
 * name of its own for each load (the same file cannot be loaded by two class loaders), checks it
 * and loads it. Once per class loader. Every way in which this fails is one {@code UNAVAILABLE}
 * with the way out.
 */
final class LibraryLoader {
  private static final String RESOURCES = "META-INF/tickwell/natives/";
  private static final String SUFFIX = ".so";
  private static final int HASH_PREFIX = 12;

  /** Platforms with a library in the jar, by their folder there. */
  private static final Map<String, String> LIBRARIES = Map.of("linux-x86_64", "libtickwell.so");

  private static boolean loaded;

  private LibraryLoader() {}

  /**
   * Loads the library unless this class loader has it.
   *
   * @throws TickwellException {@code UNAVAILABLE}
   */
  static synchronized void load(EngineOptions options) {
    if (loaded) {
      return;
    }
    Path file = options.nativePath();
    if (file == null) {
      String platform =
          platform(
              System.getProperty("os.name"),
              System.getProperty("os.arch"),
              isMusl(Path.of("/lib")));
      Path folder = options.nativeFolder();
      file = extract(LibraryLoader.class.getClassLoader(), platform, folder);
      removeLeftovers(folder, file);
    } else if (!Files.isRegularFile(file)) {
      throw unavailable("native.path names " + file + ", which is no file", null);
    }
    link(file.toAbsolutePath());
    int version = abiVersion(file);
    if (version != Native.ABI_VERSION) {
      throw unavailable(
          "the library "
              + file
              + " has version "
              + version
              + " of the boundary, this jar needs "
              + Native.ABI_VERSION
              + "; remove native.path or give the library of this version",
          null);
    }
    loaded = true;
  }

  private static int abiVersion(Path file) {
    try {
      return Native.abiVersion();
    } catch (UnsatisfiedLinkError e) {
      throw unavailable("the library " + file + " is not Tickwell's; remove native.path", e);
    }
  }

  /**
   * The platform's name, such as {@code linux-x86_64}.
   *
   * @throws TickwellException {@code UNAVAILABLE} for one without a library, before anything is
   *     loaded
   */
  static String platform(String osName, String osArch, boolean musl) {
    String os = osName.toLowerCase(Locale.ROOT);
    String system =
        os.startsWith("linux")
            ? "linux"
            : os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "macos" : os;
    String arch =
        switch (osArch.toLowerCase(Locale.ROOT)) {
          case "amd64", "x86_64" -> "x86_64";
          case "aarch64", "arm64" -> "aarch64";
          default -> osArch.toLowerCase(Locale.ROOT);
        };
    String platform = system + "-" + arch + (musl && system.equals("linux") ? "-musl" : "");
    if (!LIBRARIES.containsKey(platform)) {
      throw unavailable(
          "there is no library for "
              + platform
              + "; this jar has "
              + String.join(", ", LIBRARIES.keySet())
              + (musl ? ". Use an image with glibc, such as Debian's, instead of Alpine" : "")
              + ". A library that you built yourself can be named by native.path",
          null);
    }
    return platform;
  }

  /** Whether the process runs on musl, whose loader is the only one in that case. */
  static boolean isMusl(Path lib) {
    if (Files.exists(Path.of("/lib64/ld-linux-x86-64.so.2"))) {
      return false;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(lib, "ld-musl-*")) {
      return files.iterator().hasNext();
    } catch (IOException e) {
      return false;
    }
  }

  /** Writes the platform's library into the folder under a fresh name, checked. */
  static Path extract(ClassLoader resources, String platform, Path folder) {
    String resource = RESOURCES + platform + "/" + LIBRARIES.get(platform);
    byte[] library = read(resources, resource);
    String expected =
        new String(read(resources, resource + ".sha256"), StandardCharsets.US_ASCII)
            .strip()
            .split("\\s+", 2)[0]
            .toLowerCase(Locale.ROOT);
    String found = sha256(library);
    if (!found.equals(expected)) {
      throw unavailable(
          "the library in the jar has checksum "
              + found
              + ", not "
              + expected
              + ": the jar is damaged; download it again",
          null);
    }
    String name = found.substring(0, HASH_PREFIX) + "-" + UUID.randomUUID();
    Path file = folder.resolve(name + SUFFIX);
    Path part = folder.resolve(name + ".part");
    try {
      Files.createDirectories(folder);
      Files.write(part, library);
      move(part, file);
      if (!sha256(Files.readAllBytes(file)).equals(expected)) {
        throw new IOException("what was written reads back differently");
      }
    } catch (IOException e) {
      delete(part);
      delete(file);
      throw unavailable(
          "the library cannot be written to "
              + folder
              + " ("
              + e
              + "); make the folder writable, free some space, or name another one by"
              + " native.folder",
          e);
    }
    return file;
  }

  private static void move(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(from, to);
    }
  }

  private static byte[] read(ClassLoader resources, String name) {
    try (InputStream in = resources.getResourceAsStream(name)) {
      if (in == null) {
        throw unavailable(
            "the jar has no " + name + "; use the released jar or name a library by native.path",
            null);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw unavailable("the library cannot be read from the jar (" + e + ")", e);
    }
  }

  private static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /**
   * Removes libraries of earlier loads. Those that this process has loaded stay: another class
   * loader may use them. On Linux a file that another process has loaded may go; it keeps its
   * mapping.
   */
  static void removeLeftovers(Path folder, Path keep) {
    String maps;
    try {
      maps = Files.readString(Path.of("/proc/self/maps"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder, "*{.so,.part}")) {
      for (Path file : files) {
        String name = file.getFileName().toString();
        boolean ours = name.matches("[0-9a-f]{" + HASH_PREFIX + "}-[0-9a-f-]{36}\\.(so|part)");
        if (ours && !file.equals(keep) && !maps.contains(name)) {
          delete(file);
        }
      }
    } catch (IOException e) {
      // A leftover costs some disk space; the next start tries again.
      return;
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      // The same: it is tried again at the next start.
      return;
    }
  }

  private static void link(Path file) {
    try {
      System.load(file.toString());
    } catch (UnsatisfiedLinkError e) {
      throw unavailable(explain(String.valueOf(e.getMessage()), file), e);
    } catch (IllegalCallerException e) {
      throw unavailable(
          "Java refuses native access ("
              + e.getMessage()
              + "); start the server with"
              + " --enable-native-access=ALL-UNNAMED",
          e);
    }
  }

  /** What a failure of the system's loader means and what helps. */
  static String explain(String message, Path file) {
    if (message.contains("failed to map segment") || message.contains("Operation not permitted")) {
      return "the folder of "
          + file
          + " forbids running code (mounted noexec); name another one by native.folder";
    }
    if (message.contains("GLIBC_") || message.contains("version `")) {
      return "the system's C library is too old for " + file + " (" + message + ")";
    }
    if (message.contains("wrong ELF class") || message.contains("invalid ELF header")) {
      return file + " is not for this processor or damaged (" + message + ")";
    }
    return "the library " + file + " cannot be loaded (" + message + ")";
  }

  private static TickwellException unavailable(String message, Throwable cause) {
    return Problems.caused(cause, ErrorCode.UNAVAILABLE, "load", message);
  }
}
