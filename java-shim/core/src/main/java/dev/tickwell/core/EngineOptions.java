package dev.tickwell.core;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * How the engine starts.
 *
 * @param nativeFolder where the library is extracted to; made if absent. Setting {@code
 *     native.folder}
 * @param nativePath a library file to load as it is instead, or null. Setting {@code native.path}
 * @param runtime the native runtime's settings, by their names in {@code docs/boundary.md}
 * @param callbackThreads threads for asynchronous callbacks, at least 1
 * @param warmUp whether what tick threads run is compiled beforehand, on a thread beside. Setting
 *     {@code tick.warm-up}
 */
public record EngineOptions(
    Path nativeFolder,
    Path nativePath,
    Map<String, String> runtime,
    int callbackThreads,
    boolean warmUp) {

  /** Checks and copies. */
  public EngineOptions {
    Objects.requireNonNull(nativeFolder, "nativeFolder");
    runtime = Map.copyOf(runtime);
    if (callbackThreads < 1) {
      throw new IllegalArgumentException("callbackThreads is " + callbackThreads + ", at least 1");
    }
  }

  /** The defaults: a quarter of the cores for callbacks, at least two threads. */
  public static EngineOptions in(Path nativeFolder) {
    int threads = Math.max(2, Runtime.getRuntime().availableProcessors() / 4);
    return new EngineOptions(nativeFolder, null, Map.of(), threads, true);
  }

  /** The same with an explicit library file. */
  public EngineOptions withNativePath(Path path) {
    return new EngineOptions(nativeFolder, path, runtime, callbackThreads, warmUp);
  }

  /** The same with these runtime settings. */
  public EngineOptions withRuntime(Map<String, String> settings) {
    return new EngineOptions(nativeFolder, nativePath, settings, callbackThreads, warmUp);
  }

  /** The same with or without the warm-up. */
  public EngineOptions withWarmUp(boolean wanted) {
    return new EngineOptions(nativeFolder, nativePath, runtime, callbackThreads, wanted);
  }
}
