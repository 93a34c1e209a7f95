package dev.bellows.redis;

/**
 * What one {@link SharedBloomFilter} object has sent and received since it was opened.
 *
 * @param roundTrips how often it waited for the server
 * @param retries round trips that repeated another one: the state had changed, a script was not
 *     loaded, a question met a broken connection
 * @param bytesSent bytes of all commands, in the protocol's form
 * @param bytesReceived bytes of all replies
 */
public record RedisMetrics(long roundTrips, long retries, long bytesSent, long bytesReceived) {}
