/** Many small requests at a time: callers that go on as soon as they are answered, and crowds. */
package dev.tickwell.benchmark.small;
