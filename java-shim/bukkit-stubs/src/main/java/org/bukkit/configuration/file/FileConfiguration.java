package org.bukkit.configuration.file;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.bukkit.configuration.InvalidConfigurationException;
import org.bukkit.configuration.MemoryConfiguration;

/** A configuration that is kept in a file, in UTF-8. */
public abstract class FileConfiguration extends MemoryConfiguration {
  public FileConfiguration() {}

  public void save(File file) throws IOException {
    if (file.getParentFile() != null) {
      Files.createDirectories(file.getParentFile().toPath());
    }
    Files.writeString(file.toPath(), saveToString(), StandardCharsets.UTF_8);
  }

  public void save(String file) throws IOException {
    save(new File(file));
  }

  public abstract String saveToString();

  public void load(File file) throws IOException, InvalidConfigurationException {
    try (Reader reader = Files.newBufferedReader(file.toPath(), StandardCharsets.UTF_8)) {
      load(reader);
    }
  }

  public void load(Reader reader) throws IOException, InvalidConfigurationException {
    StringWriter text = new StringWriter();
    new BufferedReader(reader).transferTo(text);
    loadFromString(text.toString());
  }

  public abstract void loadFromString(String contents) throws InvalidConfigurationException;
}
