/** The two implementations that are compared, and what is measured of one statement. */
package dev.tickwell.benchmark.arm;
