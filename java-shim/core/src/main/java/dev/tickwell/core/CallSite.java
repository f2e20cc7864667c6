package dev.tickwell.core;

import java.util.Iterator;
import java.util.stream.Stream;

/** Where a plugin called, kept unresolved until a message needs it. Immutable. */
final class CallSite {
  private static final StackWalker WALKER = StackWalker.getInstance();
  private static final String OWN_PACKAGE = CallSite.class.getPackageName() + ".";

  private final StackWalker.StackFrame frame;

  private CallSite(StackWalker.StackFrame frame) {
    this.frame = frame;
  }

  /** The nearest caller outside of this package. */
  static CallSite capture() {
    return new CallSite(WALKER.walk(CallSite::nearest));
  }

  // An iterator in place of the stream's own steps: this runs for every request.
  private static StackWalker.StackFrame nearest(Stream<StackWalker.StackFrame> frames) {
    Iterator<StackWalker.StackFrame> each = frames.iterator();
    while (each.hasNext()) {
      StackWalker.StackFrame frame = each.next();
      if (!isOwn(frame.getClassName())) {
        return frame;
      }
    }
    return null;
  }

  /** Where code of a plugin is now on a thread; empty when there is none. */
  static String of(Thread thread) {
    for (StackTraceElement frame : thread.getStackTrace()) {
      if (!isOwn(frame.getClassName())) {
        return frame.toString();
      }
    }
    return "";
  }

  private static boolean isOwn(String className) {
    return className.startsWith(OWN_PACKAGE)
        || className.startsWith("java.")
        || className.startsWith("jdk.");
  }

  @Override
  public String toString() {
    return frame == null ? "unknown" : frame.toStackTraceElement().toString();
  }
}
