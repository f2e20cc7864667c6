package org.bukkit.plugin;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** A logger that puts its plugin's name before each message. */
public class PluginLogger extends Logger {
  private final String prefix;

  @SuppressWarnings("this-escape")
  public PluginLogger(Plugin context) {
    super(context.getClass().getCanonicalName(), null);
    prefix = '[' + context.getName() + "] ";
    setParent(context.getServer().getLogger());
    setLevel(Level.ALL);
  }

  @Override
  public void log(LogRecord record) {
    record.setMessage(prefix + record.getMessage());
    super.log(record);
  }
}
