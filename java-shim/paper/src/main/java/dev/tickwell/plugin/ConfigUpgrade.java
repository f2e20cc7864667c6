package dev.tickwell.plugin;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Rewrites the text of a {@code config.yml} of an older version, line by line, so that the owner's
 * order and comments stay. One step for each version; pure, any thread.
 */
final class ConfigUpgrade {
  private static final Pattern VERSION_LINE =
      Pattern.compile("^version:[ \\t]*(\\d+)(?=[ \\t]*(#.*)?$)", Pattern.MULTILINE);

  private ConfigUpgrade() {}

  /** Whether there is a way from this version to the present one. */
  static boolean isOlder(int version) {
    return version >= 1 && version < SettingsReader.VERSION;
  }

  /** The text in the form of the present version; unchanged when it has no line for the version. */
  static String upgrade(String text, int from) {
    String upgraded = text;
    for (int version = from; version < SettingsReader.VERSION; version++) {
      Matcher line = VERSION_LINE.matcher(upgraded);
      if (!line.find()) {
        return text;
      }
      int end = upgraded.indexOf('\n', line.end());
      end = end < 0 ? upgraded.length() : end;
      upgraded =
          upgraded.substring(0, line.start(1))
              + (version + 1)
              + upgraded.substring(line.end(1), end)
              + added(version)
              + upgraded.substring(end);
    }
    return upgraded;
  }

  /** What the next version has more, to be put behind the line of the version. */
  private static String added(int version) {
    return switch (version) {
      case 1 ->
          """


          # A name of this server, of letters, digits, '_', '.' and '-', shown by /tickwell status; ''
          # for none.
          server-id: ''""";
      default -> throw new IllegalArgumentException("no way from version " + version);
    };
  }
}
