package dev.tickwell;

/**
 * Where the time of one request went. Nanoseconds on one monotonic clock, except the counts. {@code
 * docs/phases.md} says for each field which side measures it, where it starts and where it ends.
 *
 * @param wallNs submit to the start of the first callback on a tick thread; 0 without one
 * @param asyncWallNs submit to the moment at which asynchronous callbacks may run
 * @param mainNs all of our time on tick threads
 * @param mainTickMaxNs the most of it in one tick
 * @param prepareMainNs submit's own time when it was called on a tick thread
 * @param prepareAsyncNs encoding and submitting off the tick
 * @param inputMainNs reading inputs on a tick thread
 * @param conversionMainNs converting values on a tick thread
 * @param resultMainNs callbacks on tick threads
 * @param resultAsyncNs copying and validating the result off the tick
 * @param publishMainNs publishing on a tick thread
 * @param executionNs execution on the database, commit included
 * @param queueWaitNs submit to the start of execution, without waiting for a connection
 * @param poolWaitNs waiting for a connection
 * @param syncConversions values converted on a tick thread
 * @param largestConversionNs the slowest of them
 * @param statementsSent statements that the database received
 * @param roundTrips waits for the database
 * @param rowsSent rows sent
 * @param rowsReceived rows received
 * @param bytesIn bytes received
 * @param bytesOut bytes sent
 * @param groupedWith other requests in the same transaction
 */
public record Phases(
    long wallNs,
    long asyncWallNs,
    long mainNs,
    long mainTickMaxNs,
    long prepareMainNs,
    long prepareAsyncNs,
    long inputMainNs,
    long conversionMainNs,
    long resultMainNs,
    long resultAsyncNs,
    long publishMainNs,
    long executionNs,
    long queueWaitNs,
    long poolWaitNs,
    long syncConversions,
    long largestConversionNs,
    long statementsSent,
    long roundTrips,
    long rowsSent,
    long rowsReceived,
    long bytesIn,
    long bytesOut,
    long groupedWith) {}
