package dev.tickwell.benchmark.report;

/**
 * Something that has to be so exactly, whatever the time it took: a count, a refusal, a leak.
 *
 * @param name what has to be so
 * @param measured what was found
 * @param passed whether it is so; a failed check fails the run
 */
public record Check(String name, String measured, boolean passed) {}
