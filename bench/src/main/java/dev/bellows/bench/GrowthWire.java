package dev.bellows.bench;

import dev.bellows.growth.FingerprintFilter;
import java.util.ArrayList;
import java.util.List;

/** What a fingerprint filter takes on the wire at a rate. */
final class GrowthWire {
  private static final double[] RATES = {0.01, 0.004, 0.001};
  private static final long[] KEYS = {1_000, 100_000, 10_000_000};
  private static final double MANY_BITS = 1e-6;

  /**
   * The bits of a key, and the least that any coding of such prefixes can take; aged if its filter
   * grew at the rate that is sent.
   */
  record Size(
      double fpp, long keys, boolean aged, double bitsPerKey, double leastBits, double sentFpp) {
    double beyond() {
      return bitsPerKey - logarithm();
    }

    double leastBeyond() {
      return leastBits - logarithm();
    }

    private double logarithm() {
      return Math.log(1 / fpp) / Math.log(2);
    }

    /** Returns the target. */
    double limit() {
      return keys < KEYS[1] ? 1.8 : 1.65;
    }
  }

  private GrowthWire() {}

  static List<Size> sizes(long max) {
    List<Size> sizes = new ArrayList<>();
    for (long keys : KEYS) {
      if (keys <= max) {
        FingerprintFilter many = filled(MANY_BITS, keys);
        for (double fpp : RATES) {
          sizes.add(size(many, fpp, keys, false));
          sizes.add(size(filled(fpp, keys), fpp, keys, true));
        }
      }
    }
    return sizes;
  }

  private static FingerprintFilter filled(double fpp, long keys) {
    FingerprintFilter filter = FingerprintFilter.create(fpp);
    for (long key = 0; key < keys; key++) {
      filter.putHash(GrowthKeys.hash(key));
    }
    return filter;
  }

  private static Size size(FingerprintFilter filter, double fpp, long keys, boolean aged) {
    FingerprintFilter sent = filter.foldToFpp(fpp);
    long bytes = sent.fileSize().payloadBytes();
    double least = LeastFileBits.of(filter.plan(), keys, fpp);
    return new Size(fpp, keys, aged, 8.0 * bytes / keys, least, sent.expectedFpp());
  }
}
