package dev.tickwell.plugin;

import dev.tickwell.TickwellException;
import dev.tickwell.core.Engine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.kyori.adventure.text.Component;

/**
 * Copies a database that is in use into {@code backups/}, by the database's own means: never a copy
 * of the live file. Runs on the {@link Background} thread.
 */
final class Backup {
  private static final DateTimeFormatter STAMP = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

  /** How often progress is told. */
  private static final long PROGRESS_SECONDS = 5;

  private final Engine engine;
  private final Databases databases;
  private final Path folder;
  private final Supplier<Messages> messages;

  /** Copies go into a folder of {@code folder}. */
  Backup(Engine engine, Databases databases, Path folder, Supplier<Messages> messages) {
    this.engine = engine;
    this.databases = databases;
    this.folder = folder.resolve("backups");
    this.messages = messages;
  }

  /** Copies; tells how it goes and how it ended. */
  void run(String database, Consumer<Component> answer) {
    Path file =
        folder
            .resolve(
                fileName(database)
                    + "-"
                    + STAMP.format(LocalDateTime.now(ZoneId.systemDefault()))
                    + ".db")
            .toAbsolutePath()
            .normalize();
    Messages texts = messages.get();
    try {
      TickwellException refusal = databases.refusal(database);
      if (refusal != null) {
        throw refusal;
      }
      Files.createDirectories(folder);
      answer.accept(texts.text("backup-started", "database", database, "file", file));
      long started = System.nanoTime();
      CountDownLatch ended = new CountDownLatch(1);
      Thread progress = tellProgress(database, texts, answer, ended);
      try {
        engine.backup(database, file);
      } finally {
        ended.countDown();
        progress.join();
      }
      answer.accept(
          texts.text(
              "backup-done",
              "database",
              database,
              "file",
              file,
              "size",
              StatisticsText.size(Files.size(file)),
              "time",
              StatisticsText.time(System.nanoTime() - started)));
    } catch (IOException | TickwellException e) {
      String reason =
          e instanceof IOException ? "cannot write " + folder + ": " + e : e.getMessage();
      answer.accept(texts.text("backup-failed", "database", database, "reason", reason));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private Thread tellProgress(
      String database, Messages texts, Consumer<Component> answer, CountDownLatch ended) {
    return Thread.ofPlatform()
        .daemon()
        .name(Background.THREAD_NAME)
        .start(
            () -> {
              try {
                while (!ended.await(PROGRESS_SECONDS, TimeUnit.SECONDS)) {
                  tell(engine.statistics(), database, texts, answer);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  /** Tells how far the copy is, when it has begun. */
  static void tell(
      Map<String, String> statistics, String database, Messages texts, Consumer<Component> answer) {
    long copied = Long.parseLong(statistics.getOrDefault(database + ".backup.copied", "0"));
    long total = Long.parseLong(statistics.getOrDefault(database + ".backup.total", "0"));
    if (total > 0) {
      answer.accept(
          texts.text(
              "backup-progress",
              "database",
              database,
              "percent",
              copied * 100 / total,
              "size",
              StatisticsText.size(total)));
    }
  }

  /** A database's name as a file's: names may hold what file systems do not take. */
  static String fileName(String database) {
    return database.replaceAll("[^A-Za-z0-9_.-]", "_");
  }
}
