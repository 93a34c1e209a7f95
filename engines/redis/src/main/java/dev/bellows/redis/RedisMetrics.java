package dev.bellows.redis;

/**
 * Counts what one {@link SharedBloomFilter} object has sent and received since it was opened.
 *
 * @param roundTrips the number of round trips to the server
 * @param retries the number of round trips that repeated another one because the state had changed,
 *     a script was not loaded or the connection broke during a query
 * @param bytesSent the bytes of all commands, as encoded by the protocol
 * @param bytesReceived the bytes of all replies
 */
public record RedisMetrics(long roundTrips, long retries, long bytesSent, long bytesReceived) {}
