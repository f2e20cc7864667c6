package org.bukkit.configuration;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A section kept in memory. */
public class MemorySection implements ConfigurationSection {
  protected final Map<String, Object> map = new LinkedHashMap<>();
  private final Configuration root;
  private final ConfigurationSection parent;
  private final String path;
  private final String fullPath;

  /** Makes a root; the object must be a {@link Configuration}. */
  protected MemorySection() {
    if (!(this instanceof Configuration configuration)) {
      throw new IllegalStateException(
          "Cannot construct a root MemorySection when not a Configuration");
    }
    path = "";
    fullPath = "";
    parent = null;
    root = configuration;
  }

  protected MemorySection(ConfigurationSection parent, String path) {
    this.path = path;
    this.parent = parent;
    this.root = parent.getRoot();
    String above = parent.getCurrentPath();
    this.fullPath = above.isEmpty() ? path : above + root.options().pathSeparator() + path;
  }

  @Override
  public Set<String> getKeys(boolean deep) {
    Set<String> keys = new LinkedHashSet<>();
    ConfigurationSection defaults = getDefaultSection();
    if (defaults != null && root.options().copyDefaults()) {
      keys.addAll(defaults.getKeys(deep));
    }
    collect(this, "", deep).forEach((key, value) -> keys.add(key));
    return keys;
  }

  @Override
  public Map<String, Object> getValues(boolean deep) {
    Map<String, Object> values = new LinkedHashMap<>();
    ConfigurationSection defaults = getDefaultSection();
    if (defaults != null && root.options().copyDefaults()) {
      values.putAll(defaults.getValues(deep));
    }
    values.putAll(collect(this, "", deep));
    return values;
  }

  private Map<String, Object> collect(MemorySection section, String prefix, boolean deep) {
    Map<String, Object> found = new LinkedHashMap<>();
    section.map.forEach(
        (key, value) -> {
          found.put(prefix + key, value);
          if (deep && value instanceof MemorySection inner) {
            found.putAll(collect(inner, prefix + key + root.options().pathSeparator(), true));
          }
        });
    return found;
  }

  @Override
  public boolean contains(String path) {
    return contains(path, false);
  }

  @Override
  public boolean contains(String path, boolean ignoreDefault) {
    return (ignoreDefault ? get(path, null) : get(path)) != null;
  }

  @Override
  public boolean isSet(String path) {
    return root.options().copyDefaults() ? contains(path) : get(path, null) != null;
  }

  @Override
  public String getCurrentPath() {
    return fullPath;
  }

  @Override
  public String getName() {
    return path;
  }

  @Override
  public Configuration getRoot() {
    return root;
  }

  @Override
  public ConfigurationSection getParent() {
    return parent;
  }

  @Override
  public ConfigurationSection getDefaultSection() {
    Configuration defaults = root.getDefaults();
    if (defaults == null) {
      return null;
    }
    return fullPath.isEmpty() ? defaults : defaults.getConfigurationSection(fullPath);
  }

  @Override
  public void addDefault(String path, Object value) {
    if (parent == null) {
      throw new UnsupportedOperationException("A root keeps its own defaults");
    }
    root.addDefault(fullPath + root.options().pathSeparator() + path, value);
  }

  @Override
  public Object get(String path) {
    return get(path, getDefault(path));
  }

  private Object getDefault(String path) {
    Configuration defaults = root.getDefaults();
    if (defaults == null) {
      return null;
    }
    return defaults.get(
        fullPath.isEmpty() ? path : fullPath + root.options().pathSeparator() + path);
  }

  @Override
  public Object get(String path, Object def) {
    if (path.isEmpty()) {
      return this;
    }
    int separator = path.indexOf(root.options().pathSeparator());
    if (separator < 0) {
      Object value = map.get(path);
      return value == null ? def : value;
    }
    return map.get(path.substring(0, separator)) instanceof MemorySection inner
        ? inner.get(path.substring(separator + 1), def)
        : def;
  }

  @Override
  public void set(String path, Object value) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("Cannot set to an empty path");
    }
    int separator = path.indexOf(root.options().pathSeparator());
    if (separator >= 0) {
      String first = path.substring(0, separator);
      if (map.get(first) instanceof MemorySection inner) {
        inner.set(path.substring(separator + 1), value);
      } else if (value != null) {
        createSection(first).set(path.substring(separator + 1), value);
      }
    } else if (value == null) {
      map.remove(path);
    } else {
      map.put(path, value);
    }
  }

  @Override
  public ConfigurationSection createSection(String path) {
    if (path.isEmpty()) {
      throw new IllegalArgumentException("Cannot create a section at an empty path");
    }
    int separator = path.indexOf(root.options().pathSeparator());
    if (separator < 0) {
      MemorySection made = new MemorySection(this, path);
      map.put(path, made);
      return made;
    }
    String first = path.substring(0, separator);
    ConfigurationSection inner =
        map.get(first) instanceof MemorySection there ? there : createSection(first);
    return inner.createSection(path.substring(separator + 1));
  }

  @Override
  public ConfigurationSection createSection(String path, Map<?, ?> values) {
    ConfigurationSection made = createSection(path);
    values.forEach(
        (key, value) -> {
          if (value instanceof Map<?, ?> inner) {
            made.createSection(key.toString(), inner);
          } else {
            made.set(key.toString(), value);
          }
        });
    return made;
  }

  @Override
  public String getString(String path) {
    Object def = getDefault(path);
    return getString(path, def == null ? null : def.toString());
  }

  @Override
  public String getString(String path, String def) {
    Object value = get(path, def);
    return value == null ? def : value.toString();
  }

  @Override
  public boolean isString(String path) {
    return get(path) instanceof String;
  }

  @Override
  public int getInt(String path) {
    return getInt(path, getDefault(path) instanceof Number number ? number.intValue() : 0);
  }

  @Override
  public int getInt(String path, int def) {
    return get(path, null) instanceof Number number ? number.intValue() : def;
  }

  @Override
  public boolean isInt(String path) {
    return get(path) instanceof Integer;
  }

  @Override
  public boolean getBoolean(String path) {
    return getBoolean(path, getDefault(path) instanceof Boolean value && value);
  }

  @Override
  public boolean getBoolean(String path, boolean def) {
    return get(path, null) instanceof Boolean value ? value : def;
  }

  @Override
  public boolean isBoolean(String path) {
    return get(path) instanceof Boolean;
  }

  @Override
  public double getDouble(String path) {
    return getDouble(path, getDefault(path) instanceof Number number ? number.doubleValue() : 0);
  }

  @Override
  public double getDouble(String path, double def) {
    return get(path, null) instanceof Number number ? number.doubleValue() : def;
  }

  @Override
  public boolean isDouble(String path) {
    return get(path) instanceof Double;
  }

  @Override
  public long getLong(String path) {
    return getLong(path, getDefault(path) instanceof Number number ? number.longValue() : 0);
  }

  @Override
  public long getLong(String path, long def) {
    return get(path, null) instanceof Number number ? number.longValue() : def;
  }

  @Override
  public boolean isLong(String path) {
    return get(path) instanceof Long;
  }

  @Override
  public List<?> getList(String path) {
    return getList(path, getDefault(path) instanceof List<?> list ? list : null);
  }

  @Override
  public List<?> getList(String path, List<?> def) {
    return get(path, null) instanceof List<?> list ? list : def;
  }

  @Override
  public boolean isList(String path) {
    return get(path) instanceof List;
  }

  @Override
  public List<String> getStringList(String path) {
    List<String> result = new ArrayList<>();
    List<?> list = getList(path);
    if (list != null) {
      for (Object each : list) {
        if (each instanceof String || each instanceof Number || each instanceof Boolean) {
          result.add(each.toString());
        }
      }
    }
    return result;
  }

  @Override
  public List<Integer> getIntegerList(String path) {
    List<Integer> result = new ArrayList<>();
    List<?> list = getList(path);
    if (list != null) {
      for (Object each : list) {
        if (each instanceof Number number) {
          result.add(number.intValue());
        }
      }
    }
    return result;
  }

  @Override
  public List<Map<?, ?>> getMapList(String path) {
    List<Map<?, ?>> result = new ArrayList<>();
    List<?> list = getList(path);
    if (list != null) {
      for (Object each : list) {
        if (each instanceof Map<?, ?> inner) {
          result.add(inner);
        }
      }
    }
    return result;
  }

  @Override
  public ConfigurationSection getConfigurationSection(String path) {
    Object own = get(path, null);
    if (own != null) {
      return own instanceof ConfigurationSection section ? section : null;
    }
    return getDefault(path) instanceof ConfigurationSection ? createSection(path) : null;
  }

  @Override
  public boolean isConfigurationSection(String path) {
    return get(path) instanceof ConfigurationSection;
  }

  @Override
  public String toString() {
    return getClass().getSimpleName() + "[path='" + fullPath + "', root='" + root.getClass() + "']";
  }
}
