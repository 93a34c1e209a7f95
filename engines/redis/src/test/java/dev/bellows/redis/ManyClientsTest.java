package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.scalable.ScalablePlan;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.RedisClient;

/** Two processes put while a third one folds, and the filter grows meanwhile. */
class ManyClientsTest {
  private static final int PIECE = 20_000;

  /** The first key of the second process. */
  private static final long SECOND = 1L << 40;

  private static final long ABSENT = 1L << 50;

  private final RedisClient client = RedisProcess.clientOf(RedisProcess.shared());
  private final JedisBits bits = JedisBits.of(client);
  private final String name = "many:" + UUID.randomUUID();

  @AfterEach
  void close() {
    client.keys("{" + name + "*").forEach(client::del);
    client.close();
  }

  @Test
  void noKeyIsLost() {
    fixed(40_000);
    growing(40_000);
  }

  @Test
  @Tag("scale")
  void noKeyOfAMillionIsLost() {
    fixed(1_000_000);
    growing(1_000_000);
  }

  /** A capacity of 64 times the required size, folded six times while both processes put. */
  private void fixed(int keys) {
    long blocks = Math.max(1, BloomPlan.foldable(keys, 0.01, Layout.Family.BLOCKED).bits() / 512);
    long units = Long.highestOneBit(blocks) * 2 / 64;
    BloomPlan capacity =
        new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * units * 64 * 64, 0);
    SharedBloomFilter filter =
        SharedBloomFilter.create(bits, name, capacity, HashScheme.DEFAULT, (int) (64 * units));
    Worker.Running one = Worker.start("go on", RedisProcess.shared(), name, 0, keys / 2);
    Worker.Running two =
        Worker.start("go on", RedisProcess.shared(), name, SECOND, SECOND + keys / 2);
    SharedBloomFilter folder = SharedBloomFilter.open(bits, name);
    assertThat(one.line()).isEqualTo("ready");
    assertThat(two.line()).isEqualTo("ready");
    for (int i = 0; i < 6; i++) {
      one.line();
      two.line();
      folder.foldBy(2);
    }
    assertThat(one.end()).as("%s", one.complaint()).isZero();
    assertThat(two.end()).as("%s", two.complaint()).isZero();
    assertThat(filter.download()).isEqualTo(folder.download());
    assertThat(one.acknowledged()).isGreaterThanOrEqualTo(keys / 2);
    assertThat(two.acknowledged()).isGreaterThanOrEqualTo(SECOND + keys / 2);
    checkKeys(filter, 0, one.acknowledged());
    checkKeys(filter, SECOND, two.acknowledged());
    checkRate(filter);
    assertThat(client.keys("{" + name + "*")).hasSize(65);
    filter.drop();
  }

  private void growing(int keys) {
    ScalablePlan plan = ScalablePlan.of(keys / 8, 0.01, 10_000_000, Layout.Family.BLOCKED);
    SharedBloomFilter filter = SharedBloomFilter.create(bits, name, plan);
    Worker.Running one = Worker.start("put", RedisProcess.shared(), name, 0, keys / 2);
    Worker.Running two = Worker.start("put", RedisProcess.shared(), name, keys / 2, keys);
    Worker.Running three = Worker.start("fold", RedisProcess.shared(), name, 0, 0);
    assertThat(one.end()).as("%s", one.complaint()).isZero();
    assertThat(two.end()).as("%s", two.complaint()).isZero();
    assertThat(three.end()).as("%s", three.complaint()).isZero();
    ScalableBloomFilter local = (ScalableBloomFilter) filter.download();
    assertThat(local.levels()).hasSizeGreaterThan(2);
    assertThat(local.approximateElementCount()).isBetween((long) (0.98 * keys), (long) keys);
    checkKeys(filter, 0, keys);
    assertThat(checkRate(filter)).isLessThanOrEqualTo(0.01);
    SharedBloomFilter.open(bits, name);
    int parts = local.levels().size();
    assertThat(client.keys("{" + name + "*")).hasSize(1 + parts);
    filter.drop();
  }

  /** Growing filters are merged while keys are put into both. */
  @Test
  void unionsWhileOthersPut() {
    ScalablePlan plan = ScalablePlan.of(200, 0.01, 1_000_000, Layout.Family.BLOCKED);
    SharedBloomFilter filter = SharedBloomFilter.create(bits, name, plan);
    SharedBloomFilter other = SharedBloomFilter.create(bits, name + ":other", plan);
    CompletableFuture<Void> one = putting(SharedBloomFilter.open(bits, name), 0);
    CompletableFuture<Void> two = putting(SharedBloomFilter.open(bits, name + ":other"), 100_000);
    for (int i = 0; i < 3; i++) {
      filter.putAll(other);
    }
    one.join();
    two.join();
    filter.putAll(other);
    boolean[] hits = new boolean[3000];
    for (long from : new long[] {0, 100_000}) {
      assertThat(filter.countMightContain(LongStream.range(from, from + 3000).toArray(), hits))
          .isEqualTo(3000);
    }
    long levels = ((ScalableBloomFilter) filter.download()).levels().size();
    assertThat(client.keys("{" + name + "}*")).hasSize((int) (1 + levels));
    other.drop();
  }

  private static CompletableFuture<Void> putting(SharedBloomFilter filter, long from) {
    return CompletableFuture.runAsync(
        () -> {
          for (long key = from; key < from + 3000; key += 50) {
            filter.putAll(LongStream.range(key, key + 50).toArray());
          }
        });
  }

  private static void checkKeys(SharedBloomFilter filter, long from, long to) {
    boolean[] hits = new boolean[PIECE];
    for (long first = from; first < to; first += PIECE) {
      long[] keys = LongStream.range(first, Math.min(to, first + PIECE)).toArray();
      assertThat(filter.countMightContain(keys, hits)).isEqualTo(keys.length);
    }
  }

  /** Compares the rate with the expected one, which is returned. */
  private static double checkRate(SharedBloomFilter filter) {
    boolean[] hits = new boolean[PIECE];
    int asked = 200_000;
    long passed = 0;
    for (int from = 0; from < asked; from += PIECE) {
      long first = ABSENT + from;
      passed += filter.countMightContain(LongStream.range(first, first + PIECE).toArray(), hits);
    }
    double expected = filter.download().expectedFpp();
    BinomialInterval interval = BinomialInterval.of(passed, asked, 1e-9);
    assertThat(interval.contains(expected)).as("%d of %d, %s", passed, asked, expected).isTrue();
    return expected;
  }
}
