package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import dev.bellows.autoscale.AutoscalingBloomFilter.LikelihoodReading;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Results that are computed while another thread changes the filter belong to one of its states.
 * Changes hold the monitor of the counters; a test that holds it controls what happens in between.
 */
class OneMomentTest {
  private static final long ABSENT = 0x5EED;

  private static Builder paper() {
    return AutoscalingBloomFilter.builder().bits(10_000).hashes(100);
  }

  private static AutoscalingBloomFilter filled(AutoscalingBloomFilter filter, long from, long to) {
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  /**
   * Begins the work in a thread while the counters are locked, and calls {@code meanwhile} once the
   * thread waits for them or has ended.
   */
  private static <T> T during(
      AutoscalingBloomFilter filter, Runnable before, Callable<T> work, Runnable meanwhile)
      throws Exception {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task);
    synchronized (filter.counters) {
      before.run();
      thread.start();
      while (thread.getState() != Thread.State.BLOCKED && !task.isDone()) {
        Thread.onSpinWait();
      }
      meanwhile.run();
    }
    return task.get();
  }

  /** A put has counted its positions but not yet its key. */
  private static <T> T duringAPut(AutoscalingBloomFilter filter, Callable<T> work)
      throws Exception {
    return during(
        filter, () -> filter.addToCounters(ABSENT), work, () -> filter.takeFromCounters(ABSENT));
  }

  @Test
  void aUnionDuringAPutCountsTheKeysOfItsCounters() throws Exception {
    AutoscalingBloomFilter one = filled(paper().build(), 0, 300);
    AutoscalingBloomFilter other = filled(paper().build(), 300, 500);
    AutoscalingBloomFilter all = filled(paper().build(), 0, 500);
    for (AutoscalingBloomFilter changed : new AutoscalingBloomFilter[] {one, other}) {
      AutoscalingBloomFilter union = duringAPut(changed, () -> one.union(other));
      assertThat(AutoscalingBloomFilter.fromBytes(union.toBytes())).isEqualTo(all);
    }
  }

  @Test
  void ratesStatsSimilarityAndEqualityDuringAPutAreThoseBeforeOrAfter() throws Exception {
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 300);
    AutoscalingBloomFilter same = filled(paper().build(), 0, 300);
    LikelihoodReading likelihood = filter.likelihood();
    assertThat(duringAPut(filter, filter::rates)).isEqualTo(same.rates());
    assertThat(duringAPut(filter, filter::stats)).isEqualTo(same.stats());
    assertThat(duringAPut(filter, filter::explain)).isEqualTo(same.explain());
    assertThat(duringAPut(filter, () -> filter.similarity(same))).isEqualTo(1);
    assertThat(duringAPut(filter, () -> filter.equals(same))).isTrue();
    assertThat(duringAPut(filter, filter::hashCode)).isEqualTo(same.hashCode());
    assertThat(duringAPut(filter, likelihood::rates)).isEqualTo(same.likelihood().rates());
  }

  @Test
  void aBinarizedFilterHasTheThresholdsAndTheTprOfItsKeys() throws Exception {
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 50);
    BinarizedFilter binarized =
        during(filter, () -> {}, filter::binarize, () -> filled(filter, 50, 3000));
    AutoscalingBloomFilter alone = filled(paper().build(), 0, 3000);
    assertThat(binarized).isEqualTo(alone.binarize());
    assertThat(binarized.rates()).isEqualTo(alone.rates());
  }

  @Test
  void aBinarizedFilterHasTheTprOfItsOwnThresholds() throws Exception {
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 500);
    BinarizedFilter binarized =
        during(filter, () -> {}, filter::binarize, () -> filter.retune(9, 90));
    AutoscalingBloomFilter alone = filled(paper().thresholds(9, 90).build(), 0, 500);
    assertThat(binarized).isEqualTo(alone.binarize());
    assertThat(binarized.rates()).isEqualTo(alone.rates());
  }

  @Test
  void aQueryThatTunesByTheOldRuleDoesNotUndoARetuning() {
    ThresholdPlan.Rule cautious = new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.97);
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 500);
    AutoscalingBloomFilter.LiveThresholds read = filter.live();
    assertThat(read.current().serve(500)).as("the query has to tune").isFalse();
    for (ThresholdPlan.Rule rule :
        new ThresholdPlan.Rule[] {new ThresholdPlan.Rule.Fixed(9, 90), cautious}) {
      filter.retune(rule);
      filter.thresholds(read, 500);
      assertThat(filter.rule()).isEqualTo(rule);
      AutoscalingBloomFilter alone = filled(paper().build(), 0, 500);
      alone.retune(rule);
      assertThat(filter.theta()).isEqualTo(alone.theta());
      assertThat(filter.decision()).isEqualTo(alone.decision());
    }
  }
}
