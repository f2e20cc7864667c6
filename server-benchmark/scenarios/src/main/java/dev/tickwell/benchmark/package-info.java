/**
 * The benchmark as a plugin: it uses nothing but the Bukkit and the Tickwell API, so that the same
 * jar runs on the benchmark's host and on a real server.
 */
package dev.tickwell.benchmark;
