package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.Membership;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalablePlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A server that evicts keys: lost data causes an exception, and no acknowledged key gets a "no".
 */
class EvictionTest {
  private static final int FILTERS = 6;
  private static final int STRIPE_BYTES = 1 << 12;
  private static final int FOREIGN_BYTES = 1 << 12;

  @TempDir Path folder;

  private final Random random = new Random(34);
  private long losses;
  private long answers;
  private long evicted;

  @ParameterizedTest
  @ValueSource(strings = {"allkeys-lru", "allkeys-lfu", "allkeys-random"})
  void evictionIsReportedNotANo(String policy) {
    run(policy, 3);
  }

  @Test
  @Tag("scale")
  void evictionOfThousandsOfKeysIsReported() {
    run("allkeys-lru", 400);
    System.out.printf(
        "| filters in Redis under `allkeys-lru` | %,d evicted keys, %,d filters lost a part | 0 of %,d answers about acknowledged keys were \"no\" |%n",
        evicted, losses, answers);
  }

  private void run(String policy, int rounds) {
    try (RedisProcess server = RedisProcess.start(folder, "--maxmemory-policy", policy);
        JedisBits bits = server.connect();
        Jedis jedis = server.jedis()) {
      for (int round = 0; round < rounds; round++) {
        jedis.configSet("maxmemory", "0");
        jedis.flushAll();
        List<SharedBloomFilter> filters = new ArrayList<>();
        List<Long> acknowledged = new ArrayList<>();
        for (int i = 0; i < FILTERS; i++) {
          filters.add(create(bits, "evicted " + i, i));
          acknowledged.add(0L);
        }
        long memory = Long.parseLong(RedisProcess.field(jedis, "memory", "used_memory"));
        AtomicBoolean isOver = new AtomicBoolean();
        CompletableFuture<Void> foreign =
            CompletableFuture.runAsync(() -> writeForeignKeys(server, isOver));
        try {
          while (!filters.isEmpty()) {
            memory = Math.max(1, memory - STRIPE_BYTES); // in the end nothing is left
            jedis.configSet("maxmemory", "" + memory);
            int chosen = random.nextInt(filters.size());
            try {
              acknowledged.set(chosen, use(bits, filters.get(chosen), acknowledged.get(chosen)));
            } catch (SharedFilterException e) {
              losses++;
              filters.remove(chosen);
              acknowledged.remove(chosen);
            }
          }
        } finally {
          isOver.set(true);
          foreign.join();
        }
      }
      evicted = Long.parseLong(RedisProcess.field(jedis, "stats", "evicted_keys"));
      assertThat(evicted).isPositive();
      assertThat(losses).isEqualTo((long) rounds * FILTERS);
    }
  }

  private static SharedBloomFilter create(JedisBits bits, String name, int kind) {
    return switch (kind % 3) {
      case 0 ->
          SharedBloomFilter.create(
              bits,
              name,
              new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 3600, 0),
              HashScheme.DEFAULT,
              STRIPE_BYTES);
      case 1 ->
          SharedBloomFilter.create(
              bits,
              name,
              new BloomPlan(new Layout.Classic(7), 64 * 14_400, 0),
              HashScheme.DEFAULT,
              STRIPE_BYTES);
      default ->
          SharedBloomFilter.create(
              bits, name, ScalablePlan.of(100, 0.01, 1000, Layout.Family.BLOCKED));
    };
  }

  /** Lets the server evict at any moment, until told to stop. */
  private static void writeForeignKeys(RedisProcess server, AtomicBoolean isOver) {
    byte[] value = new byte[FOREIGN_BYTES];
    try (Jedis jedis = server.jedis()) {
      for (long key = 0; !isOver.get(); key++) {
        try {
          jedis.set(("foreign " + key).getBytes(UTF_8), value);
        } catch (JedisDataException e) {
          // nothing is left to be evicted
        }
      }
    }
  }

  /**
   * Does one thing with a filter that has the keys below a number; returns that number after it.
   */
  private long use(JedisBits bits, SharedBloomFilter filter, long keys) {
    switch (random.nextInt(8)) {
      case 0 -> filter.stats();
      case 1 -> fold(filter);
      case 2 -> check(filter.download(), keys);
      case 3 -> check(SharedBloomFilter.open(bits, filter.name()), keys);
      case 4 -> check(filter, keys);
      default -> {
        long end = keys + 1 + random.nextInt(100);
        filter.putAll(LongStream.range(keys, end).toArray());
        return end;
      }
    }
    return keys;
  }

  private static void fold(SharedBloomFilter filter) {
    long[] factors = filter.foldFactors();
    if (factors.length > 1 && filter.bits() > 1 << 19) {
      try {
        filter.foldBy(factors[1]);
      } catch (IllegalArgumentException e) {
        // it would not keep its rate
      }
    }
  }

  private void check(Filter filter, long keys) {
    Membership membership = (Membership) filter;
    for (long key = Math.max(0, keys - 50); key < keys; key++) {
      assertThat(membership.mightContain(key)).as("key %d of %d in %s", key, keys, filter).isTrue();
      answers++;
    }
    if (filter instanceof SharedBloomFilter shared) {
      int count = (int) keys;
      assertThat(shared.countMightContain(LongStream.range(0, keys).toArray(), new boolean[count]))
          .isEqualTo(count);
      answers += count;
    }
  }
}
