package dev.tickwell.core;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Another program, which holds the lock for writes of a database file until it is closed. */
final class LockHolder implements AutoCloseable {
  private final Process process;

  LockHolder(Path file) throws IOException {
    process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                LockHolder.class.getName(),
                file.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    if (!"held".equals(out.readLine())) {
      close();
      throw new IOException("the other program could not take the lock of " + file);
    }
  }

  /** Holds the lock of the file until the standard input ends. */
  public static void main(String[] args) throws IOException, SQLException {
    try (var connection = DriverManager.getConnection("jdbc:sqlite:" + args[0]);
        var statement = connection.createStatement()) {
      statement.execute("BEGIN IMMEDIATE");
      System.out.println("held");
      while (System.in.read() >= 0) {
        // Nothing is sent.
      }
      statement.execute("ROLLBACK");
    }
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
