package dev.tickwell.core;

import dev.tickwell.TickwellException;

/**
 * A table that a plugin has registered.
 *
 * @param plugin the plugin's name
 * @param database the database's name
 * @param table the table's name in the database
 * @param answered whether the database has answered the registration
 * @param failure why the registration failed, or null
 */
public record RegisteredTable(
    String plugin, String database, String table, boolean answered, TickwellException failure) {}
