package dev.bellows.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.math.BloomRates;
import dev.bellows.internal.partition.EvenTree;
import dev.bellows.internal.partition.LeafLadder;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Trees of evenly spread ids, as they are planned and as the filter builds them. */
class EvenTreeTest {
  private static final long UNIVERSE = 1L << 20;

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 2, 63, 64, 65, 100, 1023, 1024, 1025, 4096, 4100, 5000, 16_384, 16_387})
  void theFilterHasThePlannedTree(int keys) {
    PartitionPlan plan = PartitionPlan.ofUnitKeys(UNIVERSE, 64, 0.01, 7);
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.create(UNIVERSE, plan.depth(), 0.01);
    for (long i = 0; i < keys; i++) {
      // bits reversed: any number of them is spread evenly
      filter.putId(Long.reverse(i) >>> (Long.SIZE - 20));
    }
    EvenTree tree = EvenTree.of(plan.unitKeys(), keys);
    List<CompressedTree.Leaf> leaves = filter.leaves();
    assertThat(leaves.stream().filter(leaf -> leaf.size != null)).hasSize((int) tree.leaves());
    assertThat(leaves.stream().mapToInt(leaf -> leaf.node.level()).max()).hasValue(tree.steps());
    LeafLadder ladder =
        LeafLadder.of(plan.allocatedUnitBits(), plan.unitKeys(), plan.hashes(), plan.fpp());
    // a leaf with more ones than the mean takes the next size, a tenth larger
    assertThat(filter.view().bits())
        .isBetween((long) tree.bits(ladder), (long) (1.12 * tree.bits(ladder)));
  }

  @Test
  void sizesOfLeavesKeepTheRateAndRise() {
    PartitionPlan plan = PartitionPlan.ofUnitKeys(1 << 30, 1024, 0.01, 7);
    LeafLadder ladder =
        LeafLadder.of(plan.allocatedUnitBits(), plan.unitKeys(), plan.hashes(), plan.fpp());
    assertThat(ladder.ascending()).hasSizeGreaterThan(15);
    assertThat(ladder.bitsFor(plan.unitKeys())).isEqualTo(plan.allocatedUnitBits());
    assertThat(ladder.bitsFor(0)).isZero();
    for (LeafLadder.Size size : ladder.ascending()) {
      assertThat(ladder.bitsFor(size.maxKeys())).isEqualTo(size.bits());
      assertThat(BloomRates.fppExact(size.bits(), size.maxKeys(), 7)).isLessThanOrEqualTo(0.01);
    }
  }
}
