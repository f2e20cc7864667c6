package org.bukkit.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bukkit.plugin.Plugin;

/** Makes the commands that a plugin's plugin.yml declares. */
public class PluginCommandYamlParser {
  private PluginCommandYamlParser() {}

  public static List<Command> parse(Plugin plugin) {
    List<Command> commands = new ArrayList<>();
    for (Map.Entry<String, Map<String, Object>> entry :
        plugin.getDescription().getCommands().entrySet()) {
      Map<String, Object> settings = entry.getValue();
      Command command = new PluginCommand(entry.getKey(), plugin);
      if (settings.get("description") != null) {
        command.setDescription(settings.get("description").toString());
      }
      if (settings.get("usage") != null) {
        command.setUsage(settings.get("usage").toString());
      }
      if (settings.get("permission") != null) {
        command.setPermission(settings.get("permission").toString());
      }
      Object aliases = settings.get("aliases");
      if (aliases instanceof List<?> list) {
        command.setAliases(list.stream().map(Object::toString).toList());
      } else if (aliases != null) {
        command.setAliases(List.of(aliases.toString()));
      }
      commands.add(command);
    }
    return commands;
  }
}
