package dev.bellows.spark.internal;

import dev.bellows.BloomFilter;
import dev.bellows.Pattern;
import dev.bellows.internal.layout.RateRule;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The union of the filters so far, with the information for its messages. */
final class UnionBuffer {
  private static final Logger LOG = LoggerFactory.getLogger(UnionBuffer.class);
  private static final int HEADER = 2 * Long.BYTES + Double.BYTES;

  /** A union deserves a warning if its rate is this many times that of its worst part. */
  private static final double DEGRADED = 2;

  private @Nullable BloomFilter filter; // null before the first
  private long fewestBits = Long.MAX_VALUE;
  private long mostBits;
  private double worstFpp;

  private UnionBuffer() {}

  static UnionBuffer empty() {
    return new UnionBuffer();
  }

  void add(BloomFilter part) {
    unite(part);
    fewestBits = Math.min(fewestBits, part.bits());
    mostBits = Math.max(mostBits, part.bits());
    worstFpp = Math.max(worstFpp, part.expectedFpp());
  }

  void merge(UnionBuffer other) {
    if (other.filter != null) {
      unite(other.filter);
      fewestBits = Math.min(fewestBits, other.fewestBits);
      mostBits = Math.max(mostBits, other.mostBits);
      worstFpp = Math.max(worstFpp, other.worstFpp);
    }
  }

  private void unite(BloomFilter part) {
    BloomFilter known = filter;
    if (known == null) {
      filter = part;
      return;
    }
    Pattern here = known.layout().pattern();
    Pattern there = part.layout().pattern();
    if (here != null && there != null && !here.equals(there)) {
      throw new IllegalArgumentException(
          ("filters of different fpp cannot be united: one has the pattern %s, "
                  + "another %s; build all with the same fpp, as in bellows_agg(key, fpp, "
                  + "keys)")
              .formatted(here, there));
    }
    filter = known.union(part, 1); // judged at the end: one more may be the last
  }

  /** Returns the filter, null if there was none; throws if it accepts most keys. */
  @Nullable BloomFilter result() {
    BloomFilter united = filter;
    if (united == null) {
      return null;
    }
    double fpp = united.expectedFpp();
    String rate =
        "the union has %d bits and fpp %s, its parts at most %s"
            .formatted(united.bits(), fpp, worstFpp);
    if (fpp > RateRule.HIGHEST) {
      throw new IllegalStateException(rate + ": " + wayOut());
    }
    if (fpp > DEGRADED * worstFpp) {
      LOG.warn("bellows_union_agg: {}: {}", rate, wayOut());
    }
    return united;
  }

  private String wayOut() {
    String room =
        "build the parts with room for the keys of all, as in bellows_agg(key, fpp, keys)";
    return fewestBits == mostBits
        ? room
        : "parts of %d to %d bits fold to no larger common size; filters of one fpp and one number of keys have one size: %s"
            .formatted(fewestBits, mostBits, room);
  }

  byte[] serialize() {
    if (filter == null) {
      return new byte[0];
    }
    byte[] bytes = filter.toBytes();
    return ByteBuffer.allocate(HEADER + bytes.length)
        .putLong(fewestBits)
        .putLong(mostBits)
        .putDouble(worstFpp)
        .put(bytes)
        .array();
  }

  static UnionBuffer deserialize(byte[] bytes) {
    UnionBuffer union = new UnionBuffer();
    if (bytes.length > 0) {
      ByteBuffer buffer = ByteBuffer.wrap(bytes);
      union.fewestBits = buffer.getLong();
      union.mostBits = buffer.getLong();
      union.worstFpp = buffer.getDouble();
      byte[] filter = new byte[buffer.remaining()];
      buffer.get(filter);
      union.filter = (BloomFilter) SharedFilter.parse(filter);
    }
    return union;
  }
}
