package dev.tickwell.paper;

import dev.tickwell.Database;
import dev.tickwell.ObjectCodec;
import dev.tickwell.SharedResults;
import java.util.Map;
import org.bukkit.plugin.Plugin;

/** What one plugin has of Tickwell. Every method may be called on any thread. */
public interface Tickwell {

  /**
   * Tickwell for this plugin; the same object each time until the plugin is disabled.
   *
   * @throws dev.tickwell.TickwellException {@code UNAVAILABLE} with the reason and the way out when
   *     the Tickwell plugin is missing, disabled, or could not load its library; {@code GONE} when
   *     the plugin is disabled
   */
  static Tickwell of(Plugin plugin) {
    return TickwellProvider.current().of(plugin);
  }

  /**
   * The database that the configuration gives this plugin, or the one that it has {@linkplain
   * Connections#makeDefault made its default}. A database that cannot be reached is given all the
   * same; requests to it fail with the cause.
   *
   * @throws dev.tickwell.TickwellException {@code INVALID_CONFIG} naming the setting when the
   *     configuration of that database is wrong
   */
  Database database();

  /**
   * A database by its name: one that this plugin has opened, or one of the configuration.
   *
   * @throws dev.tickwell.TickwellException {@code INVALID_CONFIG} when there is none with that name
   */
  Database database(String name);

  /** The databases that this plugin opens itself at run time. */
  Connections connections();

  /**
   * Makes a type known for {@code object} columns of this plugin's tables, before they are
   * registered.
   */
  void register(ObjectCodec<?> codec);

  /** The results that plugins publish. */
  SharedResults shared();

  /**
   * What the engine holds and counts now, for all plugins together: bytes in flight, queue lengths,
   * threads, and times by database and kind of statement, by the names of {@code docs/boundary.md}.
   * Costs far more than a request; meant for monitoring.
   */
  Map<String, String> statistics();
}
