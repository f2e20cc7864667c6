package dev.tickwell.core;

/**
 * What the core needs of a server: which threads tick, and how work reaches the one that owns a
 * target. Implemented by the plugin of each server software. Every method may be called on any
 * thread.
 */
public interface Platform {

  /** Whether the calling thread runs ticks, and so must never block or be kept busy. */
  boolean onTickThread();

  /**
   * Takes work that needs a tick thread. Called mostly on a worker thread; returns at once and
   * never runs the work itself. A server with one tick thread queues it on its lane with {@link
   * Lane#queue}. A regionised server schedules it on the thread that owns {@link TickTask#target}
   * and there calls {@link Lane#runNow}; while that gives false it schedules the task again for the
   * next tick. A target that does not exist any more is told by {@link TickTask#gone}.
   */
  void dispatch(TickTask task);

  /**
   * Writes to the server's log.
   *
   * @param owner the plugin that it is about, or null
   * @param cause the failure, or null
   */
  void log(System.Logger.Level level, String owner, String message, Throwable cause);
}
