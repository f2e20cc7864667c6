package dev.tickwell.core;

/**
 * A database that is open in the library.
 *
 * @param type its kind, such as {@code sqlite}
 * @param handle the library's handle
 */
record OpenDatabase(String name, String type, long handle) {

  /** An identifier as this database quotes it. */
  String quote(String identifier) {
    String quote = type.equals("mysql") || type.equals("mariadb") ? "`" : "\"";
    return quote + identifier.replace(quote, quote + quote) + quote;
  }
}
