package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Positions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of indices up to the last one that an array can have, without such an array. */
class BatchesTest {
  private static final int END = Integer.MAX_VALUE;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 511, 512, 513, 1300})
  void piecesEndWithTheLastIndex(int count) {
    List<Integer> indices = new ArrayList<>();
    int sum =
        Batches.inPieces(
            END - count,
            END,
            index -> {
              indices.add(index);
              return index;
            },
            (from, hashes, length) -> {
              assertThat(hashes[0]).isEqualTo(from);
              return length;
            });
    assertThat(sum).isEqualTo(count);
    assertThat(indices).containsExactlyElementsOf(lastIndices(count));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 511, 512, 513, 1300})
  void groupsEndWithTheLastIndex(int count) {
    Positions positions = Positions.of(new Layout.Classic(3), 1 << 16);
    HeapBits store = positions.newStore();
    List<Integer> indices = new ArrayList<>();
    Groups.Source source =
        (group, from) -> {
          int length = Math.min(group.hashes.length, END - from);
          for (int i = 0; i < length; i++) {
            indices.add(from + i);
            group.hashes[i] = HashScheme.DEFAULT.hash(from + i);
          }
          return length;
        };
    assertThat(Groups.put(positions, store, END - count, END, source)).isBetween(0, count);
    assertThat(indices).containsExactlyElementsOf(lastIndices(count));
    for (int index : indices) {
      assertThat(positions.test(store, HashScheme.DEFAULT.hash(index))).isTrue();
    }
  }

  private static List<Integer> lastIndices(int count) {
    return IntStream.range(END - count, END).boxed().toList();
  }

  @Test
  void pieces() {
    BloomFilter filter = BloomFilter.create(2000, 0.01);
    Long[] keys = IntStream.range(0, 1300).mapToObj(Long::valueOf).toArray(Long[]::new);
    filter.putAll(keys, (key, scheme) -> scheme.hash(key));
    boolean[] hits = new boolean[keys.length];
    assertThat(filter.countMightContain(keys, (key, scheme) -> scheme.hash(key), hits))
        .isEqualTo(keys.length);
    assertThat(hits).containsOnly(true);
  }
}
