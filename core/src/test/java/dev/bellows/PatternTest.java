package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.internal.math.BlockRates;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every pattern keeps its keys and its rate, folds, loads, counts and can be written and read. */
class PatternTest {
  private static final double ALPHA = 1e-9;

  static Stream<Pattern> patterns() {
    return Stream.of(1, 2, 4, 8)
        .flatMap(words -> Stream.of(1, 2, 3, 4, 6).map(bits -> new Pattern(words, bits)));
  }

  private static BloomFilter.Builder builder(Pattern pattern) {
    return BloomFilter.builder().layout(new Layout.Blocked(pattern));
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void allPutMethodsSetTheSameBits(Pattern pattern) throws IOException {
    SplittableRandom random = new SplittableRandom(pattern.hashes());
    long[] keys = random.longs(3000).toArray();
    BloomFilter one = builder(pattern).bits(512 * 120).build();
    BloomFilter many = builder(pattern).bits(512 * 120).build();
    BloomFilter.Loader loader = builder(pattern).bits(512 * 120).loader();
    CountingBloomFilter counting = CountingBloomFilter.builder().like(one).build();
    BloomFilter folded = builder(pattern).bits(512 * 24).build();
    for (long key : keys) {
      boolean isNew = !one.mightContain(key);
      assertThat(one.put(key)).isEqualTo(isNew);
      assertThat(one.mightContain(key)).isTrue();
      counting.put(key);
      folded.put(key);
    }
    many.putAll(keys);
    loader.putAll(keys);
    assertThat(many).isEqualTo(one);
    assertThat(loader.build()).isEqualTo(one);
    assertThat(counting.toBloomFilter()).isEqualTo(one);
    assertThat(one.foldBy(5)).isEqualTo(folded);
    assertThat(BloomFilter.fromBytes(one.toBytes())).isEqualTo(one);
    boolean[] hits = new boolean[keys.length];
    assertThat(one.countMightContain(keys, hits)).isEqualTo(keys.length);
    for (long key : keys) {
      assertThat(counting.remove(key)).isTrue();
    }
    assertThat(counting.toBloomFilter().stats().ones()).isZero();
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void theMeasuredRateIsTheExpectedOne(Pattern pattern) {
    SplittableRandom random = new SplittableRandom(100 + pattern.hashes());
    BloomFilter filter = builder(pattern).bits(512 * 240).build();
    random.longs(512 * 240 / 12).forEach(filter::put);
    int absent = 300_000;
    long passed = random.longs(absent).filter(filter::mightContain).count();
    assertThat(BinomialInterval.of(passed, absent, ALPHA).contains(filter.expectedFpp()))
        .as("%d of %d pass, expected %s", passed, absent, filter.expectedFpp())
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource("patterns")
  void positionsAreThoseThatAreSet(Pattern pattern) {
    for (long hash : new long[] {0, -1, 1L << 58, 1L << 62, 1L << 63, 0x123456789abcdefL}) {
      BloomFilter filter = builder(pattern).bits(512 * 7).build();
      filter.putHash(hash);
      assertThat(filter.mightContainHash(hash)).isTrue();
      assertThat(filter.stats().ones()).isBetween((long) pattern.words(), (long) pattern.hashes());
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.2, 0.05, 0.03, 0.02, 0.01, 0.006, 0.004, 0.001, 3e-4, 1e-4, 2e-5, 1e-6})
  void thePatternRuleWastesFewBits(double fpp) {
    Pattern rule = ((Layout.Blocked) Layout.Family.BLOCKED.forFpp(fpp)).pattern();
    double chosen = BlockRates.of(rule).bitsPerKey(fpp);
    double least =
        patterns().mapToDouble(p -> BlockRates.of(p).bitsPerKey(fpp)).min().orElseThrow();
    assertThat(chosen).isLessThanOrEqualTo(1.1 * least);
  }

  @Test
  void theNumberOfHashesImpliesThePattern() {
    assertThat(plan(4).layout()).isEqualTo(new Layout.Blocked(2, 2));
    assertThat(plan(6).layout()).isEqualTo(new Layout.Blocked(2, 3));
    assertThat(plan(8).layout()).isEqualTo(new Layout.Blocked(4, 2));
    assertThat(plan(12).layout()).isEqualTo(new Layout.Blocked(4, 3));
    assertThat(plan(16).layout()).isEqualTo(new Layout.Blocked(8, 2));
    assertThatThrownBy(() -> plan(7))
        .hasMessageContaining("7")
        .hasMessageContaining("6 (2x3), 8 (4x2)");
  }

  private static BloomPlan plan(int hashes) {
    return BloomFilter.builder().bits(5120).hashes(hashes).plan();
  }

  @Test
  void differentPatternsDoNotMerge() {
    BloomFilter one = BloomFilter.create(1000, 0.01);
    BloomFilter other = BloomFilter.create(1000, 0.001);
    assertThat(one.incompatibility(other))
        .hasValueSatisfying(reason -> assertThat(reason).contains("2x3").contains("4x2"));
    BloomFilter like = BloomFilter.builder().like(one).build();
    like.put("key");
    assertThat(one.union(like).mightContain("key")).isTrue();
    assertThat(like.bits()).isEqualTo(one.bits());
  }

  @Test
  void contradictionsAreRefused() {
    BloomFilter.Builder last = builder(new Pattern(2, 3)).layout(Layout.Family.CLASSIC);
    assertThat(last.bits(512).hashes(7).build().layout()).isEqualTo(new Layout.Classic(7));
    assertThatThrownBy(() -> builder(new Pattern(2, 3)).hashes(8).bits(512).build())
        .hasMessageContaining("2x3")
        .hasMessageContaining("8");
    assertThatThrownBy(() -> Pattern.of("2*3")).hasMessageContaining("2*3");
    assertThatThrownBy(() -> Pattern.of("3x2")).hasMessageContaining("3");
    assertThat(Pattern.of("4x2")).isEqualTo(new Pattern(4, 2)).hasToString("4x2");
  }
}
