package dev.tickwell.core;

/**
 * A database that is open in the library.
 *
 * @param handle the library's handle
 */
record OpenDatabase(String name, long handle) {}
