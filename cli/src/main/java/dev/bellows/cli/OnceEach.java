package dev.bellows.cli;

import dev.bellows.AutoscalingBloomFilter;
import dev.bellows.Filter;
import java.io.IOException;

/**
 * Passes keys on as their filter wants them: an autoscaling filter gets each key of an input once,
 * because a key that comes twice weighs double there; every other filter gets the lines as they
 * are.
 */
final class OnceEach {
  private OnceEach() {}

  /** Reads every key, passes each to the visitor and returns how many lines there were. */
  @FunctionalInterface
  interface Scan {
    long scan(KeyOptions.Visitor visitor) throws IOException;
  }

  /** Reads the keys and returns how many lines there were. */
  static long forEach(Filter filter, Scan keys, Kind.HashConsumer consumer) throws IOException {
    if (!(filter instanceof AutoscalingBloomFilter)) {
      return keys.scan((buffer, from, length, hash) -> consumer.accept(hash));
    }
    try (HashSpill distinct = new HashSpill()) {
      long lines = keys.scan((buffer, from, length, hash) -> distinct.add(hash));
      int bits = distinct.sliceBits();
      for (long slice = 0; slice < 1L << bits; slice++) {
        distinct.slice(
            bits,
            slice,
            (hashes, count) -> {
              for (int i = 0; i < count; i++) {
                consumer.accept(hashes[i]);
              }
            });
      }
      return lines;
    }
  }
}
