package dev.tickwell.core;

/**
 * One plugin that uses Tickwell. Owns its codecs, its mapping caches and its open requests. All
 * methods may be called on any thread.
 */
public final class Owner implements AutoCloseable {

  /** The plugin's name. */
  public String name() {
    throw new UnsupportedOperationException();
  }

  /**
   * Tells that the plugin is being disabled and its {@code onDisable} may run: submits still work,
   * and waiting for a future with a limit is allowed on a tick thread.
   */
  public void beginDisable() {
    throw new UnsupportedOperationException();
  }

  /** Whether {@link #close} was called. */
  public boolean isClosed() {
    throw new UnsupportedOperationException();
  }

  /**
   * Ends the plugin's use: its open requests end as {@code GONE} (writes that were accepted are
   * still written), its queued tick work is dropped, its codecs and caches are forgotten. No
   * callback of it begins afterwards; one that is running on another thread is waited for, at most
   * a second.
   */
  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }
}
