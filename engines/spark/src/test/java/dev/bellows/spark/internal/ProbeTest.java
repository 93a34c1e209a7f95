package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

class ProbeTest {
  private static byte[] filterOf(long key) {
    BloomFilter filter = BloomFilter.create(1000, 1e-6);
    filter.put(key);
    return filter.toBytes();
  }

  /** A column brings every row's filter as a new array. */
  @Test
  void equalBytesAreReadOnce() {
    Probe probe = new Probe(KeyType.of(DataTypes.LongType));
    byte[] filter = filterOf(-1);
    int before = SharedFilter.reads();
    for (int row = 0; row < 100; row++) {
      assertThat(probe.mightContain(filter.clone(), -1L)).isTrue();
    }
    assertThat(SharedFilter.reads() - before).isEqualTo(1);
  }

  /** As after a join that gives every row the filter of its group, in any order. */
  @Test
  void filtersThatTakeTurnsAreReadRarely() {
    Probe probe = new Probe(KeyType.of(DataTypes.LongType));
    List<byte[]> filters = LongStream.range(0, 20).mapToObj(ProbeTest::filterOf).toList();
    int before = SharedFilter.reads();
    for (int row = 0; row < 2000; row++) {
      int group = row * 7 % 20;
      assertThat(probe.mightContain(filters.get(group).clone(), (long) group)).isTrue();
    }
    assertThat(SharedFilter.reads() - before).isLessThan(100);
  }

  @Test
  void otherBytesAreAnotherFilter() {
    Probe probe = new Probe(KeyType.of(DataTypes.LongType));
    for (int row = 0; row < 100; row++) {
      long key = row / 3;
      byte[] filter = filterOf(key);
      assertThat(probe.mightContain(filter, key)).isTrue();
      assertThat(probe.mightContain(filter, key + 1)).isFalse();
    }
  }
}
