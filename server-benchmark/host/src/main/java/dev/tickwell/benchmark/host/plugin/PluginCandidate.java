package dev.tickwell.benchmark.host.plugin;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.bukkit.plugin.InvalidDescriptionException;
import org.bukkit.plugin.InvalidPluginException;
import org.bukkit.plugin.PluginDescriptionFile;

/**
 * A jar that says that it is a plugin.
 *
 * @param file the jar
 * @param description its plugin.yml
 */
public record PluginCandidate(File file, PluginDescriptionFile description) {

  /** The plugin's name. */
  public String name() {
    return description.getName();
  }

  /**
   * Reads a jar's plugin.yml.
   *
   * @throws InvalidPluginException when the jar cannot be read or has no plugin.yml
   * @throws InvalidDescriptionException when the plugin.yml is wrong
   */
  static PluginCandidate read(File file)
      throws InvalidPluginException, InvalidDescriptionException {
    try (JarFile jar = new JarFile(file)) {
      ZipEntry entry = jar.getEntry("plugin.yml");
      if (entry == null) {
        throw new InvalidPluginException("Jar does not contain plugin.yml");
      }
      try (InputStream in = jar.getInputStream(entry)) {
        return new PluginCandidate(file, new PluginDescriptionFile(in));
      }
    } catch (IOException e) {
      throw new InvalidPluginException("Cannot read " + file.getName(), e);
    }
  }
}
