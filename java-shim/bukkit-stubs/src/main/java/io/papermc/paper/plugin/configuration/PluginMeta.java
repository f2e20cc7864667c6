package io.papermc.paper.plugin.configuration;

import java.util.List;

/** What a plugin says of itself. */
public interface PluginMeta {
  String getName();

  default String getDisplayName() {
    return getName() + " v" + getVersion();
  }

  String getMainClass();

  String getVersion();

  List<String> getPluginDependencies();

  List<String> getPluginSoftDependencies();

  List<String> getLoadBeforePlugins();

  List<String> getProvidedPlugins();

  List<String> getAuthors();

  String getDescription();

  String getWebsite();

  String getAPIVersion();
}
