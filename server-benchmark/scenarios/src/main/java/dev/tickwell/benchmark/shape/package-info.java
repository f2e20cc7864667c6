/** What rows look like: for each shape its data, its Tickwell record, and its JDBC mapping. */
package dev.tickwell.benchmark.shape;
