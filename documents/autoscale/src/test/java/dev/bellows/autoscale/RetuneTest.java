package dev.bellows.autoscale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import java.io.IOException;
import java.util.List;
import java.util.stream.LongStream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/** Thresholds that are changed while the filter is in use, and counters that are wide enough. */
class RetuneTest {
  private static final ThresholdPlan.Rule NINETY =
      new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0.9);

  private static Builder paper() {
    return AutoscalingBloomFilter.builder().bits(10_000).hashes(100);
  }

  private static AutoscalingBloomFilter filled(AutoscalingBloomFilter filter, long from, long to) {
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  @Test
  void aRetunedFilterEqualsOneBuiltWithTheRule() throws IOException {
    List<Builder> builders =
        List.of(
            paper().thresholds(4, 65),
            paper().thresholds(0, 100),
            paper().minTpr(0.97),
            paper().criterion(Criterion.cost(5, 1, 0.1)).minTpr(0.8),
            paper().criterion(Criterion.f1(0.01)),
            paper());
    AutoscalingBloomFilter turned = filled(paper().build(), 0, 500);
    for (Builder builder : builders) {
      AutoscalingBloomFilter built = filled(builder.build(), 0, 500);
      turned.accepts(1L);
      turned.retune(built.rule());
      assertThat(turned).isEqualTo(built);
      assertThat(turned.theta()).isEqualTo(built.theta());
      assertThat(turned.decision()).isEqualTo(built.decision());
      assertThat(turned.rates()).isEqualTo(built.rates());
      assertThat(turned.toBytes()).isEqualTo(built.toBytes());
      assertThat(AutoscalingBloomFilter.fromBytes(turned.toBytes()).rule()).isEqualTo(built.rule());
      assertThat(LongStream.range(-500, 500))
          .allMatch(key -> turned.accepts(key) == built.accepts(key));
      assertThat(filled(turned.copy(), 500, 900)).isEqualTo(filled(built.copy(), 500, 900));
    }
  }

  /** Section 4.2: with theta from 0 to 1 the FPR falls from 0.52 to 0.24, and so on. */
  @Test
  void turningThetaOnOneFilterGivesFigureTwo() {
    AutoscalingBloomFilter filter = filled(paper().build(), 0, 500);
    double before = 1;
    for (long theta = 0; theta <= 4; theta++) {
      ThresholdPlan best =
          ThresholdPlan.forTheta(10_000, 100, 500, theta, Criterion.accuracy(), 0.97);
      filter.retune(theta, best.decision());
      assertThat(filter.plan().tpr()).isCloseTo(best.tpr(), Offset.offset(1e-12));
      assertThat(filter.plan().fpr()).isCloseTo(best.fpr(), Offset.offset(1e-12));
      assertThat(filter.rates().fpr()).isLessThan(before);
      before = filter.rates().fpr();
    }
    filter.retune(Criterion.accuracy(), 0.97);
    assertThat(filter.theta()).isEqualTo(4);
    assertThat(filter.decision()).isEqualTo(65);
    assertThat(filter.rates().fpr()).isEqualTo(before);
  }

  @Test
  void retuningReplacesTheThresholdsOfTheFile() throws IOException {
    byte[] file = filled(paper().thresholds(0, 0).build(), 0, 500).toBytes();
    AutoscalingBloomFilter read = AutoscalingBloomFilter.fromBytes(file);
    assertThat(read.rates().fpr()).isEqualTo(1);
    read.retune(NINETY);
    assertThat(read.theta()).isEqualTo(4);
    assertThat(read.rates().fpr()).isLessThan(0.1);
  }

  @Test
  void impossibleThresholdsAreRefusedAndChangeNothing() {
    AutoscalingBloomFilter narrow = filled(paper().counterBits(4).build(), 0, 500);
    ThresholdPlan.Rule before = narrow.rule();
    long theta = narrow.theta();
    assertThatThrownBy(() -> narrow.retune(15, 60))
        .hasMessageContainingAll("theta 15", "4 bits", "14");
    assertThatThrownBy(() -> narrow.retune(3, 101)).hasMessageContaining("decision");
    assertThatThrownBy(() -> narrow.retune(-1, 5)).hasMessageContaining("theta");
    assertThatThrownBy(() -> narrow.retune(Criterion.accuracy(), 1.5))
        .hasMessageContaining("minTpr");
    assertThatThrownBy(() -> narrow.retune(null)).hasMessage("rule");
    assertThatThrownBy(() -> narrow.retune(null, 0.5)).hasMessage("criterion");
    assertThat(narrow.rule()).isEqualTo(before);
    assertThat(narrow.theta()).isEqualTo(theta);
    narrow.retune(14, 60);
    assertThat(narrow.theta()).isEqualTo(14);
    filled(paper().build(), 0, 10).retune(1000, 60);
  }

  /** At 1,477 keys theta is 15, which counters of 4 bits cannot exceed; at 1,500 it is 13. */
  @Test
  void insertOnlyLosesNothingAtAnyNumberOfKeys() {
    AutoscalingBloomFilter narrow = paper().minTpr(0.9).insertOnly(1500).build();
    AutoscalingBloomFilter exact = paper().minTpr(0.9).build();
    long highest = 0;
    for (long key = 0; key < 1500; key++) {
      narrow.put(key);
      exact.put(key);
      assertThat(narrow.theta()).as("theta of %d keys", key + 1).isEqualTo(exact.theta());
      assertThat(narrow.decision()).isEqualTo(exact.decision());
      highest = Math.max(highest, exact.theta());
    }
    assertThat(highest).isEqualTo(15);
    assertThat(exact.theta()).isEqualTo(13);
    assertThat(narrow.counterBits()).isEqualTo(8);
    assertThat(narrow.binarize()).isEqualTo(exact.binarize());
  }
}
