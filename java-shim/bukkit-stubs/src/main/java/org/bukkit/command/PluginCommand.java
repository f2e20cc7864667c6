package org.bukkit.command;

import java.util.List;
import org.bukkit.plugin.Plugin;

/** A command of a plugin's plugin.yml. */
public final class PluginCommand extends Command implements PluginIdentifiableCommand {
  private final Plugin owningPlugin;
  private CommandExecutor executor;
  private TabCompleter completer;

  PluginCommand(String name, Plugin owner) {
    super(name);
    this.owningPlugin = owner;
    this.executor = owner;
    this.usageMessage = "";
  }

  @Override
  public boolean execute(CommandSender sender, String commandLabel, String[] args) {
    if (!owningPlugin.isEnabled()) {
      throw new CommandException(
          "Cannot execute command '"
              + commandLabel
              + "' in plugin "
              + owningPlugin.getName()
              + " - plugin is disabled.");
    }
    if (!testPermission(sender)) {
      return true;
    }
    boolean success;
    try {
      success = executor.onCommand(sender, this, commandLabel, args);
    } catch (Throwable e) {
      throw new CommandException(
          "Unhandled exception executing command '"
              + commandLabel
              + "' in plugin "
              + owningPlugin.getName(),
          e);
    }
    if (!success && !usageMessage.isEmpty()) {
      for (String line : usageMessage.replace("<command>", commandLabel).lines().toList()) {
        sender.sendMessage(line);
      }
    }
    return success;
  }

  @Override
  public List<String> tabComplete(CommandSender sender, String alias, String[] args) {
    List<String> found = null;
    try {
      if (completer != null) {
        found = completer.onTabComplete(sender, this, alias, args);
      }
      if (found == null && executor instanceof TabCompleter also) {
        found = also.onTabComplete(sender, this, alias, args);
      }
    } catch (Throwable e) {
      throw new CommandException(
          "Unhandled exception during tab completion for command '/"
              + alias
              + "' in plugin "
              + owningPlugin.getName(),
          e);
    }
    return found == null ? super.tabComplete(sender, alias, args) : found;
  }

  /** Sets who runs this; null means the plugin itself. */
  public void setExecutor(CommandExecutor executor) {
    this.executor = executor == null ? owningPlugin : executor;
  }

  public CommandExecutor getExecutor() {
    return executor;
  }

  public void setTabCompleter(TabCompleter completer) {
    this.completer = completer;
  }

  public TabCompleter getTabCompleter() {
    return completer;
  }

  @Override
  public Plugin getPlugin() {
    return owningPlugin;
  }
}
