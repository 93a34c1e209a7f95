package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
import java.nio.file.Path;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.Redisson;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/** A filter beyond 512 MiB, the most that one string of Redis holds. */
class LargeFilterTest {
  private static final long BITS = 512L * 1024 * 1024 * 9; // 576 MiB

  @TempDir Path folder;

  @Test
  void aFilterMayExceedOneString() {
    try (RedisProcess server = RedisProcess.start(folder);
        JedisBits bits = server.connect()) {
      BloomPlan plan = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), BITS, 0);
      SharedBloomFilter filter = SharedBloomFilter.create(bits, "large", plan, HashScheme.DEFAULT);
      assertThat(filter.bits() / 8).isGreaterThan(512L << 20);
      long[] keys = LongStream.range(0, 2000).toArray();
      assertThat(filter.putAll(keys)).isEqualTo(2000);
      boolean[] hits = new boolean[4000];
      assertThat(filter.countMightContain(LongStream.range(0, 4000).toArray(), hits))
          .isEqualTo(2000);
      filter.foldBy(9 * 64);
      assertThat(filter.bits()).isEqualTo(BITS / 9 / 64);
      assertThat(filter.countMightContain(keys, hits)).isEqualTo(2000);
      assertThat(filter.approximateElementCount()).isBetween(1990L, 2010L);
    }
  }

  @Test
  void redissonRefusesSuchASize() {
    Config config = new Config();
    int patience = (int) RedisProcess.PATIENCE.toMillis();
    config
        .useSingleServer()
        .setAddress(RedisProcess.shared().toString())
        .setConnectTimeout(patience)
        .setTimeout(patience);
    RedissonClient client = Redisson.create(config);
    try {
      assertThatThrownBy(() -> client.getBloomFilter("large").tryInit(BITS / 10, 0.001))
          .isInstanceOf(IllegalArgumentException.class);
    } finally {
      client.shutdown();
    }
  }
}
