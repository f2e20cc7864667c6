package dev.tickwell.core;

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
    return new CallSite(
        WALKER.walk(
            frames -> frames.filter(each -> !isOwn(each.getClassName())).findFirst().orElse(null)));
  }

  private static boolean isOwn(String className) {
    return className.startsWith(OWN_PACKAGE) || className.startsWith("java.");
  }

  @Override
  public String toString() {
    return frame == null ? "unknown" : frame.toStackTraceElement().toString();
  }
}
