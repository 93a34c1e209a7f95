package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Rates;
import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import java.io.IOException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Filters as vectors: their sum, and how alike they are. */
class BundleTest {
  private static Builder paper() {
    return AutoscalingBloomFilter.builder().bits(10_000).hashes(100);
  }

  private static AutoscalingBloomFilter filled(AutoscalingBloomFilter filter, long from, long to) {
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  @Test
  void theUnionOfDisjointSetsIsTheFilterOfAllKeys() throws IOException {
    AutoscalingBloomFilter few = filled(paper().build(), 0, 100);
    AutoscalingBloomFilter many = filled(paper().build(), 100, 2000);
    AutoscalingBloomFilter all = filled(paper().build(), 0, 2000);
    assertThat(few.counterBits()).isEqualTo(4);
    assertThat(many.counterBits()).isEqualTo(8);
    for (AutoscalingBloomFilter union :
        new AutoscalingBloomFilter[] {few.union(many), many.union(few)}) {
      assertThat(union).isEqualTo(all);
      assertThat(union.approximateElementCount()).isEqualTo(2000);
      assertThat(union.toBytes()).isEqualTo(all.toBytes());
      assertThat(AutoscalingBloomFilter.fromBytes(union.toBytes())).isEqualTo(all);
      assertThat(LongStream.range(-2000, 2000))
          .allMatch(key -> union.evidence(key) == all.evidence(key));
      LongStream.range(100, 2000).forEach(union::remove);
      assertThat(union).isEqualTo(few);
    }
    assertThat(few.approximateElementCount()).isEqualTo(100);
  }

  @Test
  void theUnionFollowsTheRuleOfTheFirst() {
    AutoscalingBloomFilter first = filled(paper().minTpr(0.9).build(), 0, 400);
    AutoscalingBloomFilter second = filled(paper().thresholds(7, 50).build(), 400, 800);
    assertThat(first.union(second).rule())
        .isEqualTo(new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9));
    assertThat(second.union(first, 1).theta()).isEqualTo(7);
    assertThat(first.union(second).plan().tpr()).isGreaterThanOrEqualTo(0.9);
  }

  /** min(min(a, C) + min(b, D), C) = min(a + b, C) where D is not below C. */
  @Test
  void narrowCountersAddUpLikeCountersOfAllKeys() {
    AutoscalingBloomFilter narrow = filled(paper().counterBits(4).build(), 0, 1000);
    AutoscalingBloomFilter all = filled(paper().counterBits(4).build(), 0, 2000);
    for (Builder builder :
        new Builder[] {paper(), paper().counterBits(4), paper().counterBits(8)}) {
      AutoscalingBloomFilter other = filled(builder.build(), 1000, 2000);
      assertThat(narrow.union(other, 1)).isEqualTo(all);
      assertThat(other.union(narrow, 1)).isEqualTo(all);
      assertThat(narrow.union(other, 1).saturatedCounters()).isGreaterThan(8000);
    }
    AutoscalingBloomFilter high = filled(paper().thresholds(20, 60).build(), 0, 10);
    assertThatThrownBy(() -> high.union(narrow, 1)).hasMessageContainingAll("theta 20", "4 bits");
  }

  @Test
  void filtersOfDifferentShapesAreNotMerged() {
    AutoscalingBloomFilter one = paper().build();
    assertThat(one.incompatibility(AutoscalingBloomFilter.create(5000, 100)))
        .hasValueSatisfying(why -> assertThat(why).contains("10000 bits", "5000 bits"));
    assertThat(one.incompatibility(AutoscalingBloomFilter.create(10_000, 99)))
        .hasValue("100 hashes here and 99 there");
    assertThat(one.incompatibility(paper().seed(3).build())).isPresent();
    assertThatThrownBy(() -> one.union(AutoscalingBloomFilter.create(5000, 100)))
        .hasMessageContainingAll("10000 bits", "5000");
    assertThatThrownBy(() -> one.similarity(AutoscalingBloomFilter.create(5000, 100)))
        .hasMessageContainingAll("10000 bits", "5000");
  }

  /** The rates of a bundle are those its counters predict. */
  @Test
  void theKeysOfBothAreFoundInTheBundle() {
    AutoscalingBloomFilter union =
        filled(paper().minTpr(0.9).build(), 0, 300)
            .union(filled(paper().minTpr(0.9).build(), 300, 700));
    Rates.assertRate(300, union::accepts, union.rates().tpr());
    Rates.assertRate(400, key -> union.accepts(300 + key), union.rates().tpr());
    Rates.assertRate(5000, key -> union.accepts(-1 - key), union.rates().fpr());
  }

  /**
   * The correlation of counters with c common keys among n and n' is c / sqrt(n n') up to a
   * deviation of (1 - rho^2) / sqrt(m); 6.2 deviations are alpha 1e-9, and Fisher's transform makes
   * it normal.
   */
  @Test
  void similarityIsTheFractionOfCommonKeys() {
    int[][] settings = {{10_000, 100, 500}, {10_000, 100, 5000}, {4096, 8, 300}, {1000, 100, 40}};
    for (int[] s : settings) {
      for (long seed = 0; seed < 4; seed++) {
        for (double common : new double[] {0, 0.1, 0.5, 0.9}) {
          Builder builder = AutoscalingBloomFilter.builder().bits(s[0]).hashes(s[1]).seed(seed);
          int shared = (int) (common * s[2]);
          AutoscalingBloomFilter one = filled(builder.build(), 0, s[2]);
          AutoscalingBloomFilter other = filled(builder.build(), s[2] - shared, 3L * s[2] - shared);
          double expected = shared / Math.sqrt(2.0 * s[2] * s[2]);
          double similarity = one.similarity(other);
          assertThat(Math.abs(atanh(similarity) - atanh(expected)))
              .as("%d of %d keys in common: %s, expected %s", shared, s[2], similarity, expected)
              .isLessThanOrEqualTo(6.2 / Math.sqrt(s[0] - 3.0));
          assertThat(other.similarity(one)).isEqualTo(similarity);
        }
      }
    }
  }

  private static double atanh(double r) {
    return Math.log((1 + r) / (1 - r)) / 2;
  }

  @Test
  void similarityOfEqualAndDisjointSets() {
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 500);
    assertThat(filter.similarity(filter)).isEqualTo(1);
    assertThat(filter.similarity(filled(paper().thresholds(0, 0).build(), 0, 500))).isEqualTo(1);
    assertThat(filter.similarity(paper().build())).isZero();
    AutoscalingBloomFilter everywhere = filled(AutoscalingBloomFilter.create(50, 50), 0, 9);
    assertThat(everywhere.similarity(everywhere)).isZero();
  }
}
