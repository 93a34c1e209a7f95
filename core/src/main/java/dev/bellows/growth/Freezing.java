package dev.bellows.growth;

import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPlan;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixTally;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;

/** Converts fingerprint filters to frozen filters, in which all prefixes have the same length. */
final class Freezing {
  /** The maximum relative increase of the number of prefixes when the shorter ones are expanded. */
  private static final double MOST_EXPANSION = 0.05;

  /** The part of an advised rate that is due to the prefixes; the rest is due to the columns. */
  private static final double ADVISED_SHARE = 0.5;

  private static final long MOST_ENTRIES = Integer.MAX_VALUE - 8;

  private Freezing() {}

  /** Returns the frozen filter of a filter, which no other thread may change in the meantime. */
  static FrozenFilter freeze(FingerprintFilter source, double fpp) {
    Checks.probability(fpp, "fpp");
    PrefixTally tally = source.store().tally();
    int length = bestLength(tally, fpp);
    if (length == 0) {
      throw refusal(source, tally, fpp);
    }
    long entries = entries(tally, length);
    if (entries > MOST_ENTRIES) {
      throw new IllegalArgumentException(
          ("%d prefixes cannot be frozen at once, at most %d: build the frozen filter "
                  + "from the keys, in a file")
              .formatted(entries, MOST_ENTRIES));
    }
    return FrozenFilter.builder()
        .fpp(fpp)
        .hashScheme(source.hashScheme())
        .hashBits(length)
        .build(expanded(source.store().prefixes(), (int) entries, length));
  }

  /** Returns the length of prefixes that leads to the smallest filter; 0 if none meets the rate. */
  private static int bestLength(PrefixTally tally, double fpp) {
    if (tally.total() == 0) {
      return Long.SIZE;
    }
    int best = 0;
    double least = Double.POSITIVE_INFINITY;
    for (int length = 1; length <= tally.longest(); length++) {
      double entries = entries(tally, length);
      double left = fpp - Math.scalb(entries, -length);
      if (isAllowed(tally, length) && left >= FrozenPlan.LEAST_FPP) {
        double bits = entries * -Math.log(left);
        if (bits < least) {
          least = bits;
          best = length;
        }
      }
    }
    return best;
  }

  private static boolean isAllowed(PrefixTally tally, int length) {
    return entries(tally, length) <= (1 + MOST_EXPANSION) * tally.total();
  }

  /** Returns the maximum number of prefixes after all of them were cut or expanded to a length. */
  private static long entries(PrefixTally tally, int length) {
    double sum = 0;
    for (int other = tally.shortest(); other <= tally.longest(); other++) {
      sum += Math.scalb((double) tally.count(other), Math.max(0, length - other));
    }
    return (long) sum;
  }

  private static IllegalArgumentException refusal(
      FingerprintFilter source, PrefixTally tally, double fpp) {
    double own = source.expectedFpp();
    double least = 1;
    for (int length = 1; length <= tally.longest(); length++) {
      if (isAllowed(tally, length)) {
        least = Math.min(least, Math.scalb((double) entries(tally, length), -length));
      }
    }
    double advised = least / ADVISED_SHARE;
    String wayOut =
        advised < 1
            ? "freeze it at %s or more, or build the source with a lower fpp"
                .formatted(new BigDecimal(advised).round(new MathContext(2, RoundingMode.UP)))
            : "build the source with a lower fpp";
    return new IllegalArgumentException(
        own >= fpp
            ? "fpp %s cannot be reached: the fpp of the source is already %s; %s"
                .formatted(fpp, Prose.fpp(own), wayOut)
            : "fpp %s cannot be reached: prefixes of %d to %d bits, cut or expanded to one length with at most %.0f %% more prefixes, alone have fpp %s; %s"
                .formatted(
                    fpp,
                    tally.shortest(),
                    tally.longest(),
                    100 * MOST_EXPANSION,
                    Prose.fpp(least),
                    wayOut));
  }

  /** Returns all prefixes, cut or expanded to one length. */
  private static long[] expanded(PrefixSource prefixes, int most, int length) {
    long[] entries = new long[most];
    int count = 0;
    while (prefixes.next()) {
      int missing = Math.max(0, length - prefixes.length());
      for (long end = 0; end < 1L << missing; end++) {
        entries[count++] =
            PrefixSource.first(prefixes.bits(), length) | end << (Long.SIZE - length);
      }
    }
    return count == most ? entries : Arrays.copyOf(entries, count);
  }
}
