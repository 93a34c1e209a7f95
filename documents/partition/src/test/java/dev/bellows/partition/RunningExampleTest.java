package dev.bellows.partition;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.partition.IdPartition;
import dev.bellows.partition.DynamicPartitionBloomFilter.Mode;
import dev.bellows.partition.Trees.Node;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Figures 3 to 5 of the Partition paper: a universe of 32 ids, a tree of depth 3, so 8 units of 4
 * ids.
 *
 * <pre>
 *                              N0,0
 *              N1,0                            N1,1
 *       N2,0          N2,1             N2,2           N2,3
 *    N3,0  N3,1    N3,2  N3,3       N3,4  N3,5     N3,6  N3,7
 *          4 5     8 10             17 19  22       25    31
 * </pre>
 */
class RunningExampleTest {
  private static final long[] A = {4, 5, 8, 10, 17, 19, 22, 25, 31};

  private static DynamicPartitionBloomFilter empty(Mode mode) {
    // the figure's units have 5 bits and 2 hashes, which Eq. 1 gives for f between .637 and .7476
    return DynamicPartitionBloomFilter.builder()
        .universe(32)
        .depth(3)
        .fpp(0.7)
        .hashes(2)
        .mode(mode)
        .build();
  }

  private static DynamicPartitionBloomFilter filter(Mode mode) {
    DynamicPartitionBloomFilter filter = empty(mode);
    for (long id : A) {
      filter.putId(id);
    }
    return filter;
  }

  @Test
  void figure3EveryElementGoesToTheUnitOfItsPart() {
    IdPartition tree = IdPartition.of(32, 3);
    assertThat(tree.unitKeys()).isEqualTo(4);
    assertThat(empty(Mode.PUBLISHED).plan().unitBits()).isEqualTo(5);
    assertThat(LongStream.of(A).map(tree::leafIndex))
        .containsExactly(1L, 1L, 2L, 2L, 4L, 4L, 5L, 6L, 7L);
    assertThat(tree.leafIndex(10)).as("the red path leads to N3,2").isEqualTo(2);
    assertThat(tree.leafRange(2)).isEqualTo(new IdPartition.IdRange(8, 12));
  }

  @Test
  void figure4LeavesThatFitTogetherAreCompressedIntoTheirParent() {
    DynamicPartitionBloomFilter filter = filter(Mode.EXACT_LEAVES);
    assertThat(Trees.of(filter).leaves())
        .containsExactly(new Node(1, 0, 4), new Node(2, 2, 3), new Node(2, 3, 2));
    assertThat(Trees.of(filter).innerNodes()).containsExactly(new Node(0, 0, 9), new Node(1, 1, 5));
  }

  @ParameterizedTest
  @EnumSource(Mode.class)
  void figure5QueriesAreAnsweredByTheTree(Mode mode) {
    DynamicPartitionBloomFilter filter = filter(mode);
    assertThat(LongStream.of(A))
        .allMatch(id -> filter.mightContainId(id) && filter.view().mightContainId(id));
  }

  /** Tiny filters lose count of keys that change no bit; a lower rate makes the counts exact. */
  @Test
  void thePublishedStructureHasTheSameTreeAndSixPopulatedUnits() {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(32)
            .depth(3)
            .fpp(1e-9)
            .mode(Mode.PUBLISHED)
            .build();
    assertThat(filter.putIds(A)).isEqualTo(9);
    assertThat(Trees.of(filter)).isEqualTo(Trees.of(filter(Mode.EXACT_LEAVES)));
    assertThat(filter.populatedUnits()).isEqualTo(6);
    assertThat(filter.plan().fewestUnits(9)).as("the lower bound of Eq. 2").isEqualTo(3);
  }

  @Test
  void removingElementsCompressesTheTreeAgain() {
    DynamicPartitionBloomFilter filter = filter(Mode.EXACT_LEAVES);
    filter.removeId(31);
    assertThat(Trees.of(filter).leaves()).containsExactly(new Node(1, 0, 4), new Node(1, 1, 4));
    for (long id : new long[] {4, 5, 8, 17}) {
      filter.removeId(id);
    }
    assertThat(Trees.of(filter).leaves()).containsExactly(new Node(0, 0, 4));
  }
}
