package org.bukkit.plugin;

import io.papermc.paper.plugin.configuration.PluginMeta;
import java.io.InputStream;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bukkit.permissions.Permission;
import org.bukkit.permissions.PermissionDefault;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** A plugin.yml, read and checked. */
public final class PluginDescriptionFile implements PluginMeta {
  private static final Pattern VALID_NAME = Pattern.compile("[A-Za-z0-9_.-]+");

  private final Map<?, ?> entries;
  private final String name;
  private final String version;
  private final String main;
  private final Map<String, Map<String, Object>> commands;
  private final List<Permission> permissions;

  public PluginDescriptionFile(InputStream stream) throws InvalidDescriptionException {
    this(load(yaml -> yaml.load(stream)));
  }

  public PluginDescriptionFile(Reader reader) throws InvalidDescriptionException {
    this(load(yaml -> yaml.load(reader)));
  }

  private PluginDescriptionFile(Map<?, ?> entries) throws InvalidDescriptionException {
    this.entries = entries;
    name = required("name").replace(' ', '_');
    if (!VALID_NAME.matcher(name).matches()) {
      throw new InvalidDescriptionException(
          "name '" + name + "' may hold only letters, digits, '_', '.' and '-'");
    }
    version = required("version");
    main = required("main");
    if (main.startsWith("org.bukkit.")) {
      throw new InvalidDescriptionException("main may not be within the org.bukkit namespace");
    }
    commands = sections("commands");
    permissions =
        sections("permissions").entrySet().stream()
            .map(each -> permission(each.getKey(), each.getValue()))
            .toList();
  }

  private interface Loading {
    Object from(Yaml yaml);
  }

  private static Map<?, ?> load(Loading loading) throws InvalidDescriptionException {
    Object loaded;
    try {
      loaded = loading.from(new Yaml(new SafeConstructor(new LoaderOptions())));
    } catch (YAMLException e) {
      throw new InvalidDescriptionException(e, "plugin.yml is not valid YAML");
    }
    if (loaded instanceof Map<?, ?> map) {
      return map;
    }
    throw new InvalidDescriptionException("plugin.yml must be a map of settings");
  }

  private String required(String key) throws InvalidDescriptionException {
    Object value = entries.get(key);
    if (value == null) {
      throw new InvalidDescriptionException(key + " is not defined");
    }
    return value.toString();
  }

  private Map<String, Map<String, Object>> sections(String key) throws InvalidDescriptionException {
    Object value = entries.get(key);
    Map<String, Map<String, Object>> result = new LinkedHashMap<>();
    if (value == null) {
      return result;
    }
    if (!(value instanceof Map<?, ?> map)) {
      throw new InvalidDescriptionException(key + " must be a map of names to settings");
    }
    for (Map.Entry<?, ?> each : map.entrySet()) {
      Map<String, Object> settings = new LinkedHashMap<>();
      if (each.getValue() instanceof Map<?, ?> inner) {
        inner.forEach((setting, given) -> settings.put(setting.toString(), given));
      } else if (each.getValue() != null) {
        throw new InvalidDescriptionException(
            key + "." + each.getKey() + " must be a map of settings");
      }
      result.put(each.getKey().toString(), settings);
    }
    return result;
  }

  private Permission permission(String name, Map<String, Object> settings) {
    Object description = settings.get("description");
    Object given = settings.get("default");
    return new Permission(
        name,
        description == null ? null : description.toString(),
        given == null ? getPermissionDefault() : PermissionDefault.getByName(given.toString()));
  }

  private List<String> names(String key) {
    return entries.get(key) instanceof List<?> list
        ? list.stream().map(each -> each.toString().replace(' ', '_')).toList()
        : List.of();
  }

  private String text(String key) {
    Object value = entries.get(key);
    return value == null ? null : value.toString();
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public String getVersion() {
    return version;
  }

  public String getMain() {
    return main;
  }

  @Override
  public String getMainClass() {
    return main;
  }

  public String getFullName() {
    return name + " v" + version;
  }

  public List<String> getDepend() {
    return names("depend");
  }

  public List<String> getSoftDepend() {
    return names("softdepend");
  }

  public List<String> getLoadBefore() {
    return names("loadbefore");
  }

  public List<String> getProvides() {
    return names("provides");
  }

  @Override
  public List<String> getPluginDependencies() {
    return getDepend();
  }

  @Override
  public List<String> getPluginSoftDependencies() {
    return getSoftDepend();
  }

  @Override
  public List<String> getLoadBeforePlugins() {
    return getLoadBefore();
  }

  @Override
  public List<String> getProvidedPlugins() {
    return getProvides();
  }

  @Override
  public List<String> getAuthors() {
    return entries.get("author") != null ? List.of(text("author")) : names("authors");
  }

  @Override
  public String getDescription() {
    return text("description");
  }

  @Override
  public String getWebsite() {
    return text("website");
  }

  @Override
  public String getAPIVersion() {
    return text("api-version");
  }

  public Map<String, Map<String, Object>> getCommands() {
    return commands;
  }

  public List<Permission> getPermissions() {
    return permissions;
  }

  public PermissionDefault getPermissionDefault() {
    String value = text("default-permission");
    PermissionDefault found = value == null ? null : PermissionDefault.getByName(value);
    return found == null ? PermissionDefault.OP : found;
  }
}
