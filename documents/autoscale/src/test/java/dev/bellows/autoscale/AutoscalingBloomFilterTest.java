package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.KeyHasher;
import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import dev.bellows.autoscale.AutoscalingBloomFilter.LikelihoodReading;
import dev.bellows.fuzz.Forgery;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AutoscalingBloomFilterTest {
  private static Builder paper() {
    return AutoscalingBloomFilter.builder().bits(10_000).hashes(100);
  }

  private static AutoscalingBloomFilter filled(AutoscalingBloomFilter filter, long from, long to) {
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  @Test
  void everyKeyCountsOnceAtDistinctPositions() {
    for (int hashes : new int[] {1, 3, 10, 15, 20}) {
      AutoscalingBloomFilter filter = AutoscalingBloomFilter.create(20, hashes);
      for (long key = 0; key < 50; key++) {
        filter.clear();
        assertThat(filter.put(key)).isTrue();
        assertThat(LongStream.range(0, 20).map(filter::count).sum()).isEqualTo(hashes);
        assertThat(LongStream.range(0, 20).map(filter::count).max()).hasValue(1);
      }
    }
  }

  @Test
  void thresholdsFollowTheNumberOfKeys() {
    AutoscalingBloomFilter filter = paper().minTpr(0.97).build();
    assertThat(filter.theta()).isZero();
    assertThat(filter.decision()).isEqualTo(100);
    filled(filter, 0, 500);
    assertThat(filter.theta()).isEqualTo(4);
    assertThat(filter.decision()).isEqualTo(65);
    filled(filter, 500, 1500);
    assertThat(filter.theta()).isGreaterThan(4);
    ThresholdPlan best = ThresholdPlan.tune(10_000, 100, 1500, Criterion.accuracy(), 0.97);
    assertThat(filter.plan().accuracy()).isBetween(best.accuracy() - 0.001, best.accuracy());
    assertThat(filter.plan().tpr()).isGreaterThanOrEqualTo(0.97);
    LongStream.range(500, 1500).forEach(filter::remove);
    assertThat(filter.theta()).isEqualTo(4);
    assertThat(filter.approximateElementCount()).isEqualTo(500);
    assertThat(filter.stats().approximateKeys()).isEqualTo(500);
    LongStream.range(0, 500).forEach(filter::remove);
    assertThat(filter.theta()).isZero();
    assertThat(filter.rates().tpr()).isNaN();
  }

  @Test
  void theStateDoesNotDependOnHistory() {
    AutoscalingBloomFilter straight = filled(paper().build(), 0, 400);
    AutoscalingBloomFilter winding = filled(paper().build(), 300, 900);
    for (long key = 400; key < 900; key++) {
      winding.accepts(key);
      assertThat(winding.remove(key)).isTrue();
    }
    filled(winding, 0, 300);
    assertThat(winding.theta()).isEqualTo(straight.theta());
    assertThat(winding.decision()).isEqualTo(straight.decision());
    assertThat(LongStream.range(0, 10_000).allMatch(i -> winding.count(i) == straight.count(i)))
        .isTrue();
  }

  @Test
  void removeWorksRegardlessOfTheThresholds() {
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 3000);
    long missed = LongStream.range(0, 3000).filter(key -> !filter.accepts(key)).count();
    assertThat(missed).isGreaterThan(100);
    for (long key = 0; key < 3000; key++) {
      assertThat(filter.remove(key)).isTrue();
    }
    assertThat(LongStream.range(0, 10_000).map(filter::count).sum()).isZero();
    assertThat(filter.remove(1L)).isFalse();
    assertThat(filter.approximateElementCount()).isZero();
  }

  @Test
  void removingACertainlyAbsentKeyChangesNothing() {
    AutoscalingBloomFilter filter = filled(AutoscalingBloomFilter.create(20_000, 8), 0, 1000);
    byte[] before = filter.toBytes();
    long refused =
        LongStream.range(-5000, 0)
            .filter(key -> !filter.accepts(key) && !filter.remove(key))
            .count();
    assertThat(refused).isGreaterThan(4500);
    assertThat(filter.toBytes()).isEqualTo(before);
  }

  @Test
  void evidenceIsTheDotProductAndDecides() {
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 700);
    BinarizedFilter shipped = filter.binarize();
    LikelihoodReading likelihood = filter.likelihood();
    for (long key = -700; key < 700; key++) {
      AutoscalingBloomFilter single = paper().build();
      single.put(key);
      long dot = 0;
      long sum = 0;
      for (long i = 0; i < 10_000; i++) {
        if (single.count(i) > 0) {
          dot += filter.count(i) > filter.theta() ? 1 : 0;
          long score = likelihood.plan().score(filter.count(i));
          sum =
              filter.count(i) == 0 || sum == LikelihoodReading.NEVER ? Long.MIN_VALUE : sum + score;
        }
        if (key == 0) {
          assertThat(shipped.bit(i)).isEqualTo(filter.count(i) > filter.theta());
        }
      }
      assertThat(filter.evidence(key)).isEqualTo(dot);
      assertThat(shipped.evidence(key)).isEqualTo(dot);
      assertThat(likelihood.evidence(key)).isEqualTo(sum);
      assertThat(filter.accepts(key)).isEqualTo(dot >= filter.decision());
      assertThat(shipped.accepts(key)).isEqualTo(dot >= filter.decision());
      assertThat(likelihood.accepts(key)).isEqualTo(sum >= likelihood.decision());
    }
    assertThat(likelihood.logLikelihoodRatio(LikelihoodReading.NEVER))
        .isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(filter.evidence("a")).isEqualTo(filter.evidence("a", KeyHasher.TEXT));
    assertThat(filter.evidence(new byte[] {97})).isEqualTo(filter.evidence("a"));
  }

  @Test
  void thetaZeroIsThePlainFilterOverTheSamePositions() {
    AutoscalingBloomFilter filter =
        filled(
            AutoscalingBloomFilter.builder().bits(3000).hashes(9).thresholds(0, 9).build(), 0, 500);
    BinarizedFilter shipped = filter.binarize();
    assertThat(LongStream.range(0, 500)).allMatch(shipped::accepts);
    assertThat(shipped.rates().tpr()).isEqualTo(1);
    int accepted = 0;
    for (long key = -3000; key < 0; key++) {
      AutoscalingBloomFilter single = AutoscalingBloomFilter.create(3000, 9);
      single.put(key);
      boolean covered =
          LongStream.range(0, 3000).allMatch(i -> single.count(i) == 0 || filter.count(i) > 0);
      assertThat(shipped.accepts(key)).isEqualTo(covered);
      accepted += covered ? 1 : 0;
    }
    assertThat(accepted).isPositive();
  }

  /** The theorem of the class: theta up to 2^c - 2 sees no difference, theta 2^c - 1 would. */
  @Test
  void narrowCountersLoseNothingWhileKeysAreOnlyAdded() {
    for (int theta : new int[] {0, 4, 14}) {
      AutoscalingBloomFilter exact = filled(paper().thresholds(theta, 60).build(), 0, 2000);
      AutoscalingBloomFilter narrow =
          filled(paper().thresholds(theta, 60).counterBits(4).build(), 0, 2000);
      assertThat(narrow.counterBits()).isEqualTo(4);
      assertThat(exact.counterBits()).isEqualTo(8);
      assertThat(exact.saturatedCounters()).isZero();
      assertThat(narrow.saturatedCounters()).isGreaterThan(8000);
      assertThat(narrow.rates()).isEqualTo(exact.rates());
      for (long key = -500; key < 500; key++) {
        assertThat(narrow.evidence(key)).isEqualTo(exact.evidence(key));
      }
      assertThat(narrow.binarize()).isEqualTo(exact.binarize());
      for (long i = 0; i < 10_000; i++) {
        assertThat(narrow.count(i)).isEqualTo(Math.min(15, exact.count(i)));
      }
    }
    assertThatThrownBy(() -> paper().thresholds(15, 60).counterBits(4).build())
        .hasMessageContainingAll("theta 15", "4 bits", "14")
        .hasMessageContaining("use 8 bits");
  }

  @Test
  void insertOnlyChoosesTheWidthAndTunesAsUnlimitedCountersWould() {
    AutoscalingBloomFilter narrow = filled(paper().insertOnly(1200).build(), 0, 1200);
    AutoscalingBloomFilter exact = filled(paper().build(), 0, 1200);
    assertThat(narrow.counterBits()).isEqualTo(4);
    assertThat(narrow.saturatedCounters()).isPositive();
    assertThat(narrow.theta()).isEqualTo(exact.theta());
    assertThat(narrow.decision()).isEqualTo(exact.decision());
    assertThat(LongStream.range(-1200, 1200))
        .allMatch(key -> narrow.accepts(key) == exact.accepts(key));
    assertThat(paper().insertOnly(5000).build().counterBits()).isEqualTo(8);
    AutoscalingBloomFilter overfull = filled(paper().insertOnly(1200).build(), 0, 4000);
    assertThat(overfull.theta()).isLessThanOrEqualTo(14);
  }

  @Test
  void filesPreserveTheRule() throws IOException {
    List<Builder> builders =
        List.of(
            paper(),
            paper().minTpr(0.9),
            paper().thresholds(4, 65),
            paper().thresholds(0, 0),
            paper().criterion(Criterion.cost(3, 0, 0.25)).minTpr(0.8),
            paper().criterion(Criterion.f1(0.01)).counterBits(8),
            paper().criterion(Criterion.mcc(0.5)).insertOnly(600).seed(9));
    for (Builder builder : builders) {
      AutoscalingBloomFilter filter = filled(builder.build(), 0, 333);
      AutoscalingBloomFilter read = AutoscalingBloomFilter.fromBytes(filter.toBytes());
      assertThat(read).isEqualTo(filter);
      assertThat(read.rule()).isEqualTo(filter.rule());
      assertThat(read.theta()).isEqualTo(filter.theta());
      assertThat(read.decision()).isEqualTo(filter.decision());
      assertThat(filled(read, 333, 600)).isEqualTo(filled(filter, 333, 600));
      assertThat(read.toBytes()).isEqualTo(filter.toBytes());
      assertThat(read.copy()).isEqualTo(filter).isNotSameAs(read);
    }
  }

  /** A file has the thresholds its writer used; a copy answers like the filter. */
  @Test
  void aCopyKeepsTheThresholdsOfTheFile() throws IOException {
    AutoscalingBloomFilter tuned = filled(paper().build(), 0, 700);
    int theta = 8;
    int decision = 9;
    byte[] file = Forgery.withParameter(tuned.toBytes(), theta, 0);
    AutoscalingBloomFilter read =
        AutoscalingBloomFilter.fromBytes(Forgery.withParameter(file, decision, 90));
    assertThat(read.theta()).isZero().isNotEqualTo(tuned.theta());
    assertThat(read.decision()).isEqualTo(90);
    AutoscalingBloomFilter copy = read.copy();
    assertThat(copy.theta()).isZero();
    assertThat(copy.decision()).isEqualTo(90);
    assertThat(copy.rates()).isEqualTo(read.rates()).isNotEqualTo(tuned.rates());
    assertThat(copy.toBytes()).isEqualTo(read.toBytes());
    assertThat(LongStream.range(-700, 700)).allMatch(k -> copy.accepts(k) == read.accepts(k));
    copy.put(-1L);
    copy.remove(-1L);
    assertThat(read.theta()).isZero();
  }

  @Test
  void explainReportsRatesAndBetterSettings() {
    AutoscalingBloomFilter filter = paper().minTpr(0.97).build();
    assertThat(filter.explain()).contains("no keys yet").doesNotContain("plain filter");
    filled(filter, 0, 500);
    assertThat(filter.explain())
        .contains("tuned thresholds", "theta              4", "decision           65")
        .contains("use a plain filter: 10,000 bits with 14 hashes", "0.99997 against 0.9");
    assertThat(filter.toString()).contains("500 keys");
    assertThat(filter.plan().theta()).isEqualTo(4);
  }

  @Test
  void impossibleRequestsAreRefusedByName() {
    assertThatThrownBy(() -> AutoscalingBloomFilter.builder().bits(100).build())
        .hasMessageContaining("bits and hashes");
    assertThatThrownBy(() -> AutoscalingBloomFilter.create(10, 11))
        .hasMessageContaining("11 hashes");
    assertThatThrownBy(() -> paper().thresholds(1, 101).build()).hasMessageContaining("decision");
    assertThatThrownBy(() -> paper().thresholds(1, 10).minTpr(0.9).build())
        .hasMessageContainingAll("1 and 10", "criterion", "minTpr");
    assertThatThrownBy(() -> paper().counterBits(8).insertOnly(5).build())
        .hasMessageContainingAll("counterBits", "insertOnly");
    assertThatThrownBy(() -> paper().counterBits(7)).hasMessageContaining("4, 8, 16 or 32");
    assertThatThrownBy(() -> paper().minTpr(2).build()).hasMessageContaining("minTpr");
    assertThatThrownBy(() -> paper().build().count(10_000)).hasMessageContaining("position");
    assertThat(((ThresholdPlan.Rule.Tuned) paper().build().rule()).minTpr()).isZero();
  }
}
