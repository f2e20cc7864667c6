/**
 * Results of a run: their model, their files, the judgement against the targets, and the page and
 * table that show them. Nothing here needs a server, so that a report can be rendered again from
 * its files.
 */
package dev.tickwell.benchmark.report;
