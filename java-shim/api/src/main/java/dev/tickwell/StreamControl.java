package dev.tickwell;

/** A stream that is being read. All methods may be called on any thread. */
public interface StreamControl {

  /**
   * Asks for this many pages more. A stream that is not {@link RowStream#manual()} asks by itself
   * whenever a callback has ended, and gets these beside. Nothing happens when it has ended.
   *
   * @param pages at least 1; so many may be in memory at once
   */
  void request(int pages);

  /**
   * Ends it as {@code CANCELLED}: no page is given any more. True unless it has ended or ends for
   * another reason already.
   */
  boolean cancel();

  /** Whether its last page was taken, or it failed, and its end is told or about to be. */
  boolean isDone();
}
