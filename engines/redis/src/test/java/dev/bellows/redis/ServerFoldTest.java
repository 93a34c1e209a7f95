package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.math.Divisors;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.scalable.ScalablePlan;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.RedisClient;

/** Foldings on the server equal those of a local filter, bit for bit. */
class ServerFoldTest {
  private final RedisClient client = RedisProcess.clientOf(RedisProcess.shared());
  private final JedisBits bits = JedisBits.of(client);
  private final String name = "fold:" + UUID.randomUUID();

  @AfterEach
  void close() {
    keys().forEach(client::del);
    client.close();
  }

  private Set<String> keys() {
    return client.keys("{" + name + "*");
  }

  static Stream<Arguments> everyStripeFactor() {
    return Stream.of(
            Arguments.of(new BloomPlan(new Layout.Classic(7), 64 * 720, 0), 8, 720),
            Arguments.of(new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 180, 0), 64, 180))
        .flatMap(
            shape ->
                LongStream.of(Divisors.of((Integer) shape.get()[2]))
                    .mapToObj(f -> Arguments.of(shape.get()[0], shape.get()[1], f)));
  }

  @ParameterizedTest
  @MethodSource
  void everyStripeFactor(BloomPlan plan, int stripeBytes, long factor) {
    same(plan, stripeBytes, factor);
    long stripes = plan.bits() / 8 / stripeBytes / factor;
    assertThat(keys()).hasSize((int) stripes + 1);
  }

  static Stream<Arguments> otherFactors() {
    // stripes that the folding cuts, or that are cut by it, or that have a shorter last one
    return Stream.of(
            Arguments.of(new BloomPlan(new Layout.Classic(7), 64 * 720, 0), 5760),
            Arguments.of(new BloomPlan(new Layout.Classic(7), 64 * 720, 0), 1000),
            Arguments.of(
                new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 180, 0), 64 * 180),
            Arguments.of(new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 180, 0), 64 * 7))
        .flatMap(
            shape ->
                LongStream.of(2, 3, 5, 9, 12, 45, 90, 180)
                    .mapToObj(f -> Arguments.of(shape.get()[0], shape.get()[1], f)));
  }

  @ParameterizedTest
  @MethodSource
  void otherFactors(BloomPlan plan, int stripeBytes, long factor) {
    same(plan, stripeBytes, factor);
  }

  private void same(BloomPlan plan, int stripeBytes, long factor) {
    SharedBloomFilter shared =
        SharedBloomFilter.create(bits, name, plan, HashScheme.DEFAULT, stripeBytes);
    BloomFilter local = BloomFilter.builder().shape(plan).build();
    long[] keys = LongStream.range(0, 700).toArray();
    shared.putAll(keys);
    local.putAll(keys);
    SharedBloomFilter other = SharedBloomFilter.open(bits, name);
    shared.foldBy(factor);
    BloomFilter folded = local.foldBy(factor);
    assertThat(shared.download()).isEqualTo(folded);
    assertThat(other.download()).isEqualTo(folded);
    assertThat(other.put(999_999)).isEqualTo(folded.put(999_999));
    assertThat(SharedBloomFilter.open(bits, name).download()).isEqualTo(folded);
    assertThat(keys()).allMatch(key -> client.type(key).matches("string|hash"));
  }

  @Test
  void foldsAgainAndAgain() {
    BloomPlan plan = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 720, 0);
    SharedBloomFilter shared =
        SharedBloomFilter.create(bits, name, plan, HashScheme.DEFAULT, 64 * 48);
    BloomFilter local = BloomFilter.builder().shape(plan).build();
    long key = 0;
    for (long factor : new long[] {2, 3, 5, 2, 3, 2, 2}) {
      for (int i = 0; i < 20; i++, key++) {
        shared.put(key);
        local.put(key);
      }
      shared.foldBy(factor);
      local = local.foldBy(factor);
      assertThat(shared.download()).isEqualTo(local);
    }
    assertThat(shared.bits()).isEqualTo(512);
  }

  @Test
  void everyFactorThatIsOfferedWorks() {
    BloomPlan plan = new BloomPlan(new Layout.Classic(3), 64 * 36, 0);
    SharedBloomFilter whole = SharedBloomFilter.create(bits, name, plan);
    long[] factors = whole.foldFactors();
    assertThat(factors).contains(1, 2, 3, 8, 9, 32, 288).doesNotContain(576, 64, 5);
    whole.drop();
    for (long factor : factors) {
      same(plan, 8 * 36, factor);
      SharedBloomFilter.open(bits, name).drop();
    }
  }

  @Test
  void impossibleFactorsNameThoseThatWork() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(bits, name, new BloomPlan(new Layout.Classic(3), 64 * 6, 0));
    for (long factor : new long[] {5, 64, 96, 1000}) {
      assertThatThrownBy(() -> filter.foldBy(factor))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("cannot fold 384 bits by " + factor)
          .hasMessageContaining("2, 3, 4, 6, 8, 12, 16, 24, 48");
    }
    assertThatThrownBy(() -> filter.foldBy(0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void sizesThatAreNotWholeBytesDoNotFoldOnTheServer() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(bits, name, new BloomPlan(new Layout.Classic(3), 1001, 0));
    assertThat(filter.foldFactors()).containsExactly(1);
    assertThatThrownBy(() -> filter.foldBy(7)).hasMessageContaining("fold a download");
  }

  @Test
  void aGrowingFilterFoldsAsFarAsItKeepsItsRate() {
    ScalablePlan plan = ScalablePlan.of(1000, 0.01, 100_000, Layout.Family.BLOCKED);
    SharedBloomFilter filter = SharedBloomFilter.create(bits, name, plan);
    long[] keys = LongStream.range(0, 200).toArray();
    filter.putAll(keys);
    long bits = filter.bits();
    filter.foldBy(2);
    assertThat(filter.bits()).isEqualTo(bits / 2);
    assertThatThrownBy(() -> filter.foldBy(5)).hasMessageContaining("keeps its rate only up to");
    filter.putAll(LongStream.range(200, 5000).toArray());
    boolean[] hits = new boolean[5000];
    assertThat(filter.countMightContain(LongStream.range(0, 5000).toArray(), hits)).isEqualTo(5000);
    assertThat(((ScalableBloomFilter) filter.download()).promisedFpp()).isLessThanOrEqualTo(0.01);
    assertThat(filter.expectedFpp()).isLessThan(0.01);
    assertThat(List.of(filter.foldFactors()[0])).containsExactly(1L);
  }

  /** From the announcement on, puts by any client update both parts. */
  @Test
  void putsDuringAFoldingAreInTheFolding() {
    BloomPlan plan = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 64, 0);
    SharedBloomFilter writer = SharedBloomFilter.create(bits, name, plan);
    BloomFilter local = BloomFilter.builder().shape(plan).build();
    writer.putAll(LongStream.range(0, 100).toArray());
    // a client whose every command lets the other one put a key first
    long[] next = {100};
    RedisBits slow =
        new RedisBits() {
          private boolean busy;

          @Override
          public List<Object> send(byte[] key, List<byte[][]> commands) {
            if (!busy) {
              busy = true;
              writer.put(next[0]++);
              busy = false;
            }
            return bits.send(key, commands);
          }

          @Override
          public boolean isCluster() {
            return false;
          }

          @Override
          public void close() {}
        };
    SharedBloomFilter folder = SharedBloomFilter.open(slow, name);
    folder.foldBy(4);
    assertThat(next[0]).isGreaterThan(105);
    local.putAll(LongStream.range(0, next[0]).toArray());
    assertThat(writer.download()).isEqualTo(local.foldBy(4));
  }
}
