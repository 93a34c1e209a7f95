/**
 * A Bloom filter in a Redis or Valkey server, shared by any number of processes, which put, query,
 * fold, merge and grow it at the same time.
 *
 * <pre>
 *   client 1 --+                     server
 *   client 2 --+--- RedisBits ---&gt;   {name}          hash: configuration, version, live parts
 *   client 3 --+   (one round trip)  {name}:0:0      string: first stripe of part 0
 *                                    {name}:0:1      string: second stripe of part 0
 * </pre>
 *
 * <dl>
 *   <dt>state
 *   <dd>the hash of a filter. Every change replaces its version by a new one, and every script
 *       first checks that the version is the one that its client knows.
 *   <dt>part
 *   <dd>the bits of one level. A folding or growth creates new parts and switches the state to
 *       them.
 *   <dt>stripe
 *   <dd>a string with up to 8 MiB of a part, so that no command blocks the server for long.
 *   <dt>level
 *   <dd>one of the Bloom filters of a filter that grows; a filter of fixed size has one.
 * </dl>
 *
 * <pre>{@code
 * try (JedisBits bits = JedisBits.connect(URI.create("redis://localhost:6379"))) {
 *   SharedBloomFilter seen =
 *       SharedBloomFilter.openOrCreate(bits, "seen", BloomPlan.of(1_000_000, 0.01));
 *   seen.put("alice");
 * }
 * }</pre>
 *
 * <p>Start with {@link dev.bellows.redis.SharedBloomFilter}. {@link dev.bellows.redis.RedisBits} is
 * the connection, {@link dev.bellows.redis.JedisBits} the one for Jedis; {@link
 * dev.bellows.redis.SharedFilterException} says whether a failed change may have happened. Inside,
 * read {@code SharedState}, then {@code StateAccess} and {@code Script}; {@code Puts}, {@code
 * Queries}, {@code Folding} and {@code Transfers} are the operations on top of them.
 *
 * <p>Keys cannot be removed, and every call costs a round trip: services that query very often
 * should {@linkplain dev.bellows.redis.SharedBloomFilter#download() download} a copy.
 */
@NullMarked
package dev.bellows.redis;

import org.jspecify.annotations.NullMarked;
