package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** A counting filter read through thresholds. */
class CountingReadingTest {
  private static final ThresholdPlan.Rule TUNED =
      new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9);

  private static CountingBloomFilter.Builder builder() {
    return CountingBloomFilter.builder().layout(Layout.Family.CLASSIC).bits(2000).hashes(30);
  }

  private static CountingBloomFilter filled(CountingBloomFilter filter, long from, long to) {
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  @Test
  void thetaZeroIsTheCountingFilterItself() {
    CountingBloomFilter filter =
        filled(
            CountingBloomFilter.builder()
                .layout(Layout.Family.CLASSIC)
                .bits(3000)
                .hashes(9)
                .build(),
            0,
            500);
    CountingReading reading = CountingReading.of(filter, new ThresholdPlan.Rule.Fixed(0, 9));
    assertThat(LongStream.range(0, 500)).allMatch(reading::accepts);
    assertThat(reading.rates().tpr()).isEqualTo(1);
    assertThat(LongStream.range(-5000, 500))
        .allMatch(key -> reading.accepts(key) == filter.mightContain(key));
    assertThat(LongStream.range(-5000, 0).filter(reading::accepts).count()).isPositive();
  }

  /**
   * The dot product with multiplicity: a position counts once for each hash of the key that chooses
   * it.
   */
  @Test
  void evidenceCountsHashesAndDecides() {
    CountingBloomFilter filter = filled(builder().bits(200).build(), 0, 40);
    CountingReading reading = CountingReading.of(filter, TUNED);
    assertThat(reading.theta()).isPositive();
    long met = 0;
    for (long key = -300; key < 40; key++) {
      CountingBloomFilter single = filled(builder().bits(200).build(), key, key + 1);
      long dot = 0;
      for (long i = 0; i < 200; i++) {
        dot += filter.count(i) > reading.theta() ? single.count(i) : 0;
        met += single.count(i) > 1 ? 1 : 0;
      }
      assertThat(reading.evidence(key)).isEqualTo(dot);
      assertThat(reading.accepts(key)).isEqualTo(dot >= reading.decision());
    }
    assertThat(met).isGreaterThan(300);
  }

  @Test
  void theNumberOfKeysIsEstimatedFromTheCounters() {
    CountingBloomFilter filter = filled(builder().build(), 0, 700);
    LongStream.range(0, 400).forEach(filter::remove);
    CountingReading reading = CountingReading.of(filter, TUNED);
    assertThat(reading.plan().keys()).isEqualTo(300);
    assertThat(reading.plan())
        .isEqualTo(
            ThresholdPlan.tuneCounting(
                new Layout.Classic(30),
                2000,
                300,
                Criterion.accuracy(),
                0.9,
                ThresholdPlan.maxTheta(32)));
    assertThat(reading.plan().tpr()).isGreaterThanOrEqualTo(0.9);
    assertThat(reading.rates().accuracy()).isGreaterThan(0.8);
    assertThat(CountingReading.of(filter, 250, TUNED).plan().keys()).isEqualTo(250);
  }

  /** A folding equals the filter built at that size, so both are read in the same way. */
  @Test
  void foldingsAreReadAsFiltersOfTheirSize() {
    CountingReading folded = CountingReading.of(filled(builder().build(), 0, 200).foldBy(2), TUNED);
    CountingReading built = CountingReading.of(filled(builder().bits(1000).build(), 0, 200), TUNED);
    assertThat(folded.plan()).isEqualTo(built.plan());
    assertThat(folded.rates()).isEqualTo(built.rates());
    assertThat(LongStream.range(-200, 200))
        .allMatch(key -> folded.evidence(key) == built.evidence(key));
  }

  @Test
  void anEmptyFilterCanBeReadThroughThresholds() {
    CountingReading reading = CountingReading.of(builder().build(), TUNED);
    assertThat(reading.theta()).isZero();
    assertThat(reading.decision()).isEqualTo(30);
    assertThat(reading.rates().tpr()).isNaN();
    assertThat(reading.rates().fpr()).isZero();
    assertThat(reading.accepts(1L)).isFalse();
  }

  /** The model of repeated positions is not that of distinct ones (erratum A2). */
  @Test
  void theTwoConventionsHaveTheirOwnRates() {
    ThresholdPlan.Rates distinct = ThresholdPlan.fixed(10_000, 100, 500, 0, 100).rates();
    ThresholdPlan.Rates repeated =
        ThresholdPlan.fixedCounting(new Layout.Classic(100), 10_000, 500, 0, 100).rates();
    assertThat(distinct.fpr()).isCloseTo(0.5173, Offset.offset(5e-5));
    assertThat(repeated.fpr()).isCloseTo(0.5087, Offset.offset(5e-5));
    ThresholdPlan one = ThresholdPlan.fixed(200, 1, 800, 4, 1);
    assertThat(ThresholdPlan.fixedCounting(new Layout.Classic(1), 200, 800, 4, 1)).isEqualTo(one);
  }

  @Test
  void unreadableFiltersAreRefusedByName() {
    CountingBloomFilter blocked = CountingBloomFilter.builder().bits(5120).hashes(8).build();
    assertThatThrownBy(() -> CountingReading.of(blocked, TUNED).likelihood(Criterion.accuracy(), 0))
        .hasMessageContaining("BLOCKED 4x2")
        .hasMessageContaining("CLASSIC");
    CountingBloomFilter narrow = filled(builder().saturating().build(), 0, 2000);
    assertThatThrownBy(() -> CountingReading.of(narrow, TUNED))
        .hasMessageContaining("a counter of 4 bits is saturated");
    assertThatThrownBy(() -> CountingReading.of(narrow, 2000, new ThresholdPlan.Rule.Fixed(15, 9)))
        .hasMessageContainingAll("theta 15", "4 bits", "theta up to 14");
    assertThat(CountingReading.of(narrow, 2000, TUNED).theta()).isLessThanOrEqualTo(14);
    assertThatThrownBy(() -> CountingReading.of(narrow, 2000, new ThresholdPlan.Rule.Fixed(3, 31)))
        .hasMessageContaining("decision");
    CountingReading wide =
        CountingReading.of(
            filled(builder().build(), 0, 2000), new ThresholdPlan.Rule.Fixed(14, 20));
    CountingReading cut = CountingReading.of(narrow, 2000, new ThresholdPlan.Rule.Fixed(14, 20));
    assertThat(cut.rates()).isEqualTo(wide.rates());
    assertThat(LongStream.range(-500, 500))
        .allMatch(key -> cut.evidence(key) == wide.evidence(key));
    assertThat(wide.toString()).contains("theta 14, decision 20");
  }

  @Test
  void binarizedReadingsAnswerTheSameForEveryDecision() throws Exception {
    for (Layout layout : new Layout[] {new Layout.Classic(9), new Layout.Blocked(4, 2)}) {
      CountingBloomFilter filter =
          filled(CountingBloomFilter.builder().layout(layout).bits(5120).build(), 0, 2000);
      CountingReading reading = CountingReading.of(filter, new ThresholdPlan.Rule.Fixed(2, 6));
      BinarizedFilter bits = BinarizedFilter.fromBytes(reading.binarize().toBytes());
      assertThat(bits).isEqualTo(reading.binarize());
      assertThat(bits.rates()).isEqualTo(reading.rates());
      for (int decision = 0; decision <= layout.hashes(); decision++) {
        CountingReading other =
            CountingReading.of(filter, new ThresholdPlan.Rule.Fixed(2, decision));
        BinarizedFilter turned = bits.withDecision(decision);
        assertThat(turned).isEqualTo(other.binarize());
        assertThat(turned.rates()).isEqualTo(other.rates());
        assertThat(LongStream.range(-500, 500))
            .allMatch(key -> turned.accepts(key) == other.accepts(key))
            .allMatch(key -> turned.evidence(key) == other.evidence(key));
      }
      assertThatThrownBy(() -> bits.withDecision(layout.hashes() + 1))
          .hasMessageContaining("decision");
      assertThatThrownBy(() -> bits.similarity(bits)).isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** The full counts carry more information than whether they exceed theta. */
  @Test
  void theLikelihoodReadingOfRepeatedCountsKeepsItsRates() {
    CountingBloomFilter filter = filled(builder().bits(10_000).build(), 0, 1500);
    CountingReading reading = CountingReading.of(filter, TUNED);
    CountingReading.LikelihoodReading likely = reading.likelihood(Criterion.accuracy(), 0.9);
    assertThat(likely.plan().accuracy()).isGreaterThan(reading.plan().accuracy());
    long stored = LongStream.range(0, 1500).filter(likely::accepts).count();
    Rates.assertRate(5000, i -> likely.accepts(-1 - i), likely.plan().fpr());
    assertThat(BinomialInterval.of(stored, 1500, Rates.ALPHA).contains(likely.plan().tpr()))
        .isTrue();
  }

  /** The TPR of one decision determines those of all others. */
  @Test
  void aBinarizedFilterKnowsTheRatesOfOtherDecisions() {
    AutoscalingBloomFilter filter = AutoscalingBloomFilter.create(10_000, 100);
    LongStream.range(0, 1000).forEach(filter::put);
    BinarizedFilter bits = filter.binarize();
    for (int decision : new int[] {0, 40, 55, 60, 65, 70, 100}) {
      filter.retune(bits.theta(), decision);
      BinarizedFilter turned = bits.withDecision(decision);
      assertThat(turned.rates().fpr()).isEqualTo(filter.rates().fpr());
      assertThat(turned.rates().tpr()).isCloseTo(filter.rates().tpr(), Offset.offset(1e-6));
      assertThat(LongStream.range(-300, 300))
          .allMatch(key -> turned.accepts(key) == filter.accepts(key));
    }
  }

  @Test
  void bitsShowCommonKeys() {
    for (int common : new int[] {0, 100, 400, 1000}) {
      AutoscalingBloomFilter one = AutoscalingBloomFilter.create(20_000, 20);
      AutoscalingBloomFilter other = AutoscalingBloomFilter.create(20_000, 20);
      LongStream.range(0, 1000).forEach(one::put);
      LongStream.range(1000 - common, 3000 - common).forEach(other::put);
      assertThat(one.commonKeys(other)).isCloseTo(common, Offset.offset(60.0));
      BinarizedFilter bits = one.binarize();
      assertThat(bits.commonKeys(other.binarize())).isCloseTo(common, Offset.offset(90.0));
      assertThat(bits.dot(bits)).isEqualTo(bits.stats().ones());
      assertThat(bits.similarity(bits)).isCloseTo(1, Offset.offset(1e-12));
    }
  }
}
