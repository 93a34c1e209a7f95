package dev.bellows.papers.notes;

import dev.bellows.answers.SetBytes;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Heap;
import dev.bellows.papers.Item;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.HashSet;
import java.util.Set;

/** The notes' claim that a filter takes fewer bytes than a hash table. */
final class HashTableBytes extends Item {
  private static final double[] RATES = {0.1, 0.01, 0.001, 0.0001};

  HashTableBytes() {
    super(
        "001/hash-table",
        "Bytes per key compared with a hash table",
        """
        The Standard notes call a Bloom filter more space-efficient than a hash table, without
        numbers. This page counts bytes per 64-bit key on a 64-bit JVM with compressed pointers:
        java.util.HashSet<Long> takes an entry of 32 bytes, a boxed number of 24 and its share of
        the table, 61 to 67 in total; a table with open addressing, at most three quarters full,
        takes 11 to 21. A filter takes 1.2 bytes at 1 % and 2.4 at 0.01 %, for any number of keys.
        The heap of a real HashSet was measured. Longer keys make the tables larger, but not the
        filter.\
        """,
        Pace.ALONE);
  }

  /** The heap is measured: nothing else may allocate meanwhile. */
  @Override
  protected void fill() {
    columns("keys, HashSet, open addressing, 1 %, 0.01 %");
    Chart chart =
        chart(
            "Bytes per key of hash tables and of filters",
            "Bytes per 64-bit key",
            Axis.log("keys").between(1e5, 1e6),
            Axis.log("bytes per key").between(0.5, 100));
    Points hashSet = chart.curve("HashSet<Long>", 1);
    Points measured = chart.points("its heap, measured", 4);
    Points open = chart.curve("open addressing", 3);
    Points hundredth = chart.curve("filter 0.01 %", 0);
    Points whole = chart.dashed("filter 1 %", 2);
    for (double keys = 1e5; keys < 1.01e6; keys *= Math.pow(10, 1.0 / 64)) {
      long count = Math.round(keys);
      hashSet.add(keys, SetBytes.hashSet(count) / count);
      open.add(keys, SetBytes.openAddressing(count) / count);
      hundredth.add(keys, bytes(count, 0.0001));
      whole.add(keys, bytes(count, 0.01));
      row(
          count,
          SetBytes.hashSet(count) / count,
          SetBytes.openAddressing(count) / count,
          bytes(count, 0.01),
          bytes(count, 0.0001));
    }
    for (int keys : new int[] {100_000, 200_000, 500_000, 1_000_000}) {
      double perKey = (double) Heap.bytes(() -> set(keys)) / keys;
      measured.add(keys, perKey);
      number("hash-set/keys=%d".formatted(keys), "bytes per key of a HashSet<Long>")
          .formula(SetBytes.hashSet(keys) / keys)
          .weighed(perKey, 1);
      number("open-addressing/keys=%d".formatted(keys), "bytes per key with open addressing")
          .formula(SetBytes.openAddressing(keys) / keys);
    }
    for (double rate : RATES) {
      number("filter/rate=%s".formatted(rate), "bytes per key of a filter")
          .formula(bytes(1_000_000, rate));
    }
  }

  private static Set<Long> set(int keys) {
    Set<Long> set = new HashSet<>();
    for (long key = 1; key <= keys; key++) {
      set.add(key << 20);
    }
    return set;
  }

  private static double bytes(long keys, double rate) {
    return (double) BloomRates.bitsFor(keys, BloomRates.hashesFor(rate), rate) / Byte.SIZE / keys;
  }
}
