package dev.bellows.bench;

import dev.bellows.HashScheme;
import dev.bellows.growth.FingerprintFilter;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** The hashes of the study on growth: keys 0, 1, 2 ... are put, negative ones are absent. */
final class GrowthKeys {
  private static final HashScheme SCHEME = FingerprintFilter.create(Grower.FPP).hashScheme();

  private GrowthKeys() {}

  static long hash(long key) {
    return SCHEME.hash(key);
  }

  static long[] present(long from, int count) {
    return LongStream.range(from, from + count).map(GrowthKeys::hash).toArray();
  }

  /** Different ones for each draw. */
  static long[] absent(int draw, int count) {
    return present(-(draw + 1L) * count, count);
  }

  /** Random keys, half of them among the first {@code stored}. */
  static long[] halfHits(long stored, int count) {
    SplittableRandom random = new SplittableRandom(20);
    long[] hashes = new long[count];
    for (int i = 0; i < count; i++) {
      long key = random.nextLong(stored);
      hashes[i] = hash(random.nextBoolean() ? key : -1 - key);
    }
    return hashes;
  }

  /** Puts the keys {@code [from, to)}, whose hashes are made beforehand piece by piece. */
  static void put(Grower grower, long from, long to) {
    for (long at = from; at < to; ) {
      int count = (int) Math.min(1 << 20, to - at);
      grower.putAll(present(at, count), 0, count);
      at += count;
    }
  }
}
