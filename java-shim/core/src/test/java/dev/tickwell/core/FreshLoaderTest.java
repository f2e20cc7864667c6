package dev.tickwell.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Loading in a class loader of its own, as a plugin that is reloaded: the same library again and
 * again, and files that are no library.
 */
class FreshLoaderTest {
  private static final Path LIBRARY = Path.of(System.getProperty("tickwell.test.library"));

  @TempDir Path folder;

  /** Loads the library with our classes in a new class loader; gives the failure's message. */
  private String load(Path nativePath, Path... jars) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(jar.toUri().toURL());
    }
    for (Class<?> type : List.of(Engine.class, dev.tickwell.Database.class)) {
      urls.add(type.getProtectionDomain().getCodeSource().getLocation());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Class<?> optionsType = loader.loadClass("dev.tickwell.core.EngineOptions");
      Object options =
          optionsType.getMethod("in", Path.class).invoke(null, folder.resolve("natives"));
      if (nativePath != null) {
        options = optionsType.getMethod("withNativePath", Path.class).invoke(options, nativePath);
      }
      Method load =
          loader
              .loadClass("dev.tickwell.core.LibraryLoader")
              .getDeclaredMethod("load", optionsType);
      load.setAccessible(true);
      load.invoke(null, options);
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause().getMessage();
    }
  }

  private Path jarWithLibrary() throws Exception {
    Path root = folder.resolve("jar");
    Path natives = Files.createDirectories(root.resolve("META-INF/tickwell/natives/linux-x86_64"));
    byte[] library = Files.readAllBytes(LIBRARY);
    Files.write(natives.resolve("libtickwell.so"), library);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(library);
    Files.writeString(natives.resolve("libtickwell.so.sha256"), HexFormat.of().formatHex(hash));
    return root;
  }

  @Test
  void loadsFromTheJarInOneClassLoaderAfterTheOther() throws Exception {
    Path jar = jarWithLibrary();
    for (int reload = 0; reload < 3; reload++) {
      assertEquals(null, load(null, jar));
    }
    try (var files = Files.list(folder.resolve("natives"))) {
      // Those that this process has loaded stay; each is a file of its own.
      assertTrue(files.count() <= 3);
    }
  }

  @Test
  void twoCopiesSideBySideLoadAtOnceAndDoNotMix() throws Exception {
    Path jar = jarWithLibrary();
    URL[] urls = {
      jar.toUri().toURL(),
      Engine.class.getProtectionDomain().getCodeSource().getLocation(),
      dev.tickwell.Database.class.getProtectionDomain().getCodeSource().getLocation(),
      CopyRun.class.getProtectionDomain().getCodeSource().getLocation()
    };
    CyclicBarrier together = new CyclicBarrier(2);
    List<FutureTask<?>> runs = new ArrayList<>();
    ClassLoader platform = ClassLoader.getPlatformClassLoader();
    try (URLClassLoader first = new URLClassLoader(urls, platform);
        URLClassLoader second = new URLClassLoader(urls, platform)) {
      for (ClassLoader loader : List.of(first, second)) {
        int rows = 100 + runs.size();
        Path own = Files.createDirectory(folder.resolve("copy" + rows));
        Constructor<?> constructor =
            loader
                .loadClass(CopyRun.class.getName())
                .getDeclaredConstructor(Path.class, int.class, CyclicBarrier.class);
        constructor.setAccessible(true);
        FutureTask<?> run =
            new FutureTask<>((Callable<?>) constructor.newInstance(own, rows, together));
        runs.add(run);
        new Thread(run, "copy").start();
      }
      assertEquals(100L, Bed.await(runs.get(0)));
      assertEquals(101L, Bed.await(runs.get(1)));
    }
  }

  @Test
  void oneFileInTwoClassLoadersIsRefusedWithAMessage() throws Exception {
    Path copy = Files.copy(LIBRARY, folder.resolve("libtickwell.so"));
    assertEquals(null, load(copy));
    String second = load(copy);
    assertTrue(second.contains("cannot be loaded") && second.contains("class"), second);
  }

  @Test
  void whatIsNoLibraryIsRefused() throws Exception {
    Path text = Files.writeString(folder.resolve("text.so"), "no library at all, but long enough");
    String message = load(text);
    assertTrue(message.contains("text.so"), message);
    String missing = load(folder.resolve("missing.so"));
    assertTrue(missing.contains("native.path") && missing.contains("missing.so"), missing);
  }
}
