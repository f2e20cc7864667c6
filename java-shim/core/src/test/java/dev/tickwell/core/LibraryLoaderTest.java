package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tickwell.ErrorCode;
import dev.tickwell.TickwellException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The library is found, checked and written, and every failure says what helps. */
class LibraryLoaderTest {
  private static final String LINUX = "linux-x86_64";

  @TempDir Path folder;

  /** A jar's content with a library of these bytes and this checksum file. */
  private ClassLoader jar(byte[] library, String checksum) throws IOException {
    Path root = Files.createDirectories(folder.resolve("jar"));
    Path natives = Files.createDirectories(root.resolve("META-INF/tickwell/natives/" + LINUX));
    Files.write(natives.resolve("libtickwell.so"), library);
    Files.writeString(natives.resolve("libtickwell.so.sha256"), checksum);
    return new URLClassLoader(new URL[] {root.toUri().toURL()}, null);
  }

  private static String sha256(byte[] bytes) throws Exception {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static TickwellException unavailable(org.junit.jupiter.api.function.Executable body) {
    TickwellException e = assertThrows(TickwellException.class, body);
    assertEquals(ErrorCode.UNAVAILABLE, e.code());
    return e;
  }

  private List<Path> files(Path in) throws IOException {
    try (Stream<Path> files = Files.list(in)) {
      return files.toList();
    }
  }

  @Test
  void extractsUnderAFreshNameOfTheContentsHash() throws Exception {
    byte[] library = "a library".getBytes(StandardCharsets.US_ASCII);
    String hash = sha256(library);
    Path natives = folder.resolve("plugin/natives");
    try (URLClassLoader jar = (URLClassLoader) jar(library, hash + "  libtickwell.so\n")) {
      Path first = LibraryLoader.extract(jar, LINUX, natives);
      Path second = LibraryLoader.extract(jar, LINUX, natives);
      assertNotEquals(first, second);
      assertTrue(first.getFileName().toString().startsWith(hash.substring(0, 12) + "-"));
      assertArrayEquals(library, Files.readAllBytes(first));
      assertEquals(2, files(natives).size());
    }
  }

  @Test
  void aDamagedJarIsRefusedAndNothingIsLeft() throws Exception {
    Path natives = folder.resolve("natives");
    try (URLClassLoader jar = (URLClassLoader) jar(new byte[10], "00".repeat(32))) {
      TickwellException e = unavailable(() -> LibraryLoader.extract(jar, LINUX, natives));
      assertTrue(e.getMessage().contains("download it again"), e.getMessage());
      assertFalse(Files.exists(natives));
    }
  }

  @Test
  void aJarWithoutTheLibraryIsNamed() throws Exception {
    try (URLClassLoader empty = new URLClassLoader(new URL[0], null)) {
      TickwellException e = unavailable(() -> LibraryLoader.extract(empty, LINUX, folder));
      assertTrue(e.getMessage().contains("native.path"), e.getMessage());
    }
  }

  @Test
  void aFolderThatCannotBeWrittenNamesItsSetting() throws Exception {
    byte[] library = new byte[100];
    // A file where the folder should be: refused to everyone, the super-user too.
    Path file = Files.writeString(folder.resolve("occupied"), "x");
    try (URLClassLoader jar = (URLClassLoader) jar(library, sha256(library))) {
      TickwellException e =
          unavailable(() -> LibraryLoader.extract(jar, LINUX, file.resolve("natives")));
      assertTrue(e.getMessage().contains("native.folder"), e.getMessage());
      assertTrue(e.getMessage().contains(file.toString()), e.getMessage());
    }
  }

  @Test
  void leftoversGoAndOthersFilesStay() throws Exception {
    byte[] library = new byte[100];
    Path natives = folder.resolve("natives");
    try (URLClassLoader jar = (URLClassLoader) jar(library, sha256(library))) {
      Path old = LibraryLoader.extract(jar, LINUX, natives);
      Path part =
          Files.createFile(
              natives.resolve("0123456789ab-" + java.util.UUID.randomUUID() + ".part"));
      Path foreign = Files.createFile(natives.resolve("libother.so"));
      Path current = LibraryLoader.extract(jar, LINUX, natives);
      LibraryLoader.removeLeftovers(natives, current);
      assertFalse(Files.exists(old));
      assertFalse(Files.exists(part));
      assertTrue(Files.exists(foreign));
      assertTrue(Files.exists(current));
    }
  }

  @Test
  void platformsAreNamedTheSameWayEverywhere() {
    assertEquals(LINUX, LibraryLoader.platform("Linux", "amd64", false));
    assertEquals(LINUX, LibraryLoader.platform("Linux", "x86_64", false));
  }

  @Test
  void platformsWithoutALibraryAreRefusedByName() {
    assertTrue(
        unavailable(() -> LibraryLoader.platform("Windows 11", "amd64", false))
            .getMessage()
            .contains("windows-x86_64"));
    assertTrue(
        unavailable(() -> LibraryLoader.platform("Mac OS X", "aarch64", false))
            .getMessage()
            .contains("macos-aarch64"));
    String alpine = unavailable(() -> LibraryLoader.platform("Linux", "amd64", true)).getMessage();
    assertTrue(alpine.contains("linux-x86_64-musl") && alpine.contains("glibc"), alpine);
    assertTrue(alpine.contains(LINUX), alpine);
  }

  @Test
  void failuresOfTheSystemsLoaderAreExplained() {
    Path file = Path.of("/plugins/x.so");
    assertTrue(
        LibraryLoader.explain("x.so: failed to map segment from shared object", file)
            .contains("noexec"));
    assertTrue(
        LibraryLoader.explain("/lib/libc.so.6: version `GLIBC_2.38' not found", file)
            .contains("too old"));
    assertTrue(LibraryLoader.explain("x.so: invalid ELF header", file).contains("damaged"));
  }
}
