package dev.tickwell.benchmark.host;

import java.io.File;
import java.util.List;

/**
 * What the host is started with.
 *
 * @param work the folder of the worlds and, unless said otherwise, of the plugins
 * @param plugins the folder of the jars and the plugins' data
 * @param port a loopback port to listen on, 0 for any free one, {@link #NO_LISTENER} for none
 * @param ticks after how many ticks to stop, 0 for never
 * @param strict whether a plugin that failed makes the exit code 1
 */
public record HostOptions(File work, File plugins, int port, long ticks, boolean strict) {
  /** The value of {@link #port} that means that nobody can join. */
  public static final int NO_LISTENER = -1;

  static final String USAGE =
      """
      Usage: java -jar tickwell-benchmark-host.jar --work DIR [options]
        --work DIR      folder of the worlds, made if absent
        --plugins DIR   folder of the plugin jars and their data (default: DIR/plugins in --work)
        --port N        listen on this loopback port; 0 takes a free one (default: do not listen)
        --ticks N       stop after N ticks
        --strict        exit with 1 when a plugin failed to load or to enable
        --help          show this
      """;

  /**
   * Reads the command line.
   *
   * @throws IllegalArgumentException that says which argument is wrong
   */
  static HostOptions parse(List<String> args) {
    File work = null;
    File plugins = null;
    int port = NO_LISTENER;
    long ticks = 0;
    boolean strict = false;
    for (int i = 0; i < args.size(); i++) {
      String option = args.get(i);
      switch (option) {
        case "--work" -> work = new File(value(args, ++i, option));
        case "--plugins" -> plugins = new File(value(args, ++i, option));
        case "--port" -> port = (int) number(args, ++i, option, 65_535);
        case "--ticks" -> ticks = number(args, ++i, option, Integer.MAX_VALUE);
        case "--strict" -> strict = true;
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    if (work == null) {
      throw new IllegalArgumentException("--work is missing");
    }
    work = work.getAbsoluteFile();
    return new HostOptions(
        work,
        plugins == null ? new File(work, "plugins") : plugins.getAbsoluteFile(),
        port,
        ticks,
        strict);
  }

  private static String value(List<String> args, int index, String option) {
    if (index >= args.size()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return args.get(index);
  }

  private static long number(List<String> args, int index, String option, long max) {
    String text = value(args, index, option);
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Told below, with the range.
    }
    throw new IllegalArgumentException(
        option + " must be a number from 0 to " + max + ", not '" + text + "'");
  }
}
