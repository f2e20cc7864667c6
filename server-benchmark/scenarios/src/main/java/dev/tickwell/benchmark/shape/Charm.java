package dev.tickwell.benchmark.shape;

/**
 * A value that stands for a plugin's type which only the server thread may make.
 *
 * @param seed all that it holds
 */
public record Charm(long seed) {}
