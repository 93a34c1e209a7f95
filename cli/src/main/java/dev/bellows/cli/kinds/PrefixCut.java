package dev.bellows.cli.kinds;

import dev.bellows.Filter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Report;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.growth.FingerprintPlan;
import dev.bellows.internal.base.Prose;
import org.jspecify.annotations.Nullable;

/** Makes a fingerprint filter smaller: cuts its prefixes to a rate or to a file size. */
public final class PrefixCut {
  /** A rate above this is useless, and such a filter would be barely smaller. */
  private static final double HIGHEST_FPP = 0.5;

  /** The search for a size ends at this share of it, or after this many steps. */
  private static final double CLOSE_ENOUGH = 0.999;

  private static final int STEPS = 24;

  /** The share of the size that is aimed at, so that the first filter that fits is close enough. */
  private static final double AIM = 0.9995;

  /** Rates to compare with, relative to that of a filter, and the size that is worth a word. */
  private static final double[] CLOSE_RATES = {1.01, 1.02, 1.05, 1.1};

  private static final double MUCH_SMALLER = 0.96;

  private PrefixCut() {}

  /**
   * Returns the smallest filter with a rate of at most fpp, or the best one of a size, or the
   * filter itself if neither is given.
   */
  public static FingerprintFilter to(
      FingerprintFilter filter, @Nullable Double fpp, @Nullable Long bytes) {
    if (fpp == null) {
      return bytes == null ? filter : toBytes(filter, bytes);
    }
    requireRate(filter, fpp, "bits");
    return filter.foldToFpp(fpp);
  }

  /**
   * Returns a sentence that names a rate close above that of a cut filter at which its file is much
   * smaller, because prefixes that were cut before cannot become equally long again; null if there
   * is none.
   */
  public static @Nullable String cheaper(FingerprintFilter cut) {
    long bytes = cut.sizeInBytes();
    for (double more : CLOSE_RATES) {
      double fpp = cut.expectedFpp() * more;
      if (fpp > FingerprintPlan.LEAST_FPP && fpp < HIGHEST_FPP) {
        long less = cut.foldToFpp(fpp).sizeInBytes();
        if (less < MUCH_SMALLER * bytes) {
          return "a rate of %s takes %s instead of %s: its prefixes were cut before, and the new ones are longer"
              .formatted(Prose.rate(fpp), Prose.bytes(less), Prose.bytes(bytes));
        }
      }
    }
    return null;
  }

  /** Refuses a rate below that of a filter, whose bits or columns are gone. */
  static void requireRate(Filter filter, double fpp, String dropped) {
    double now = filter.expectedFpp();
    if (now > fpp) {
      throw new CommandFailure(
          "the filter already has fpp %s, and %s that were dropped cannot be restored: "
              + "use --to-fpp %s or more",
          now, dropped, now);
    }
  }

  /** Returns the filter with the lowest rate in a file of at most this many bytes. */
  private static FingerprintFilter toBytes(FingerprintFilter filter, long bytes) {
    if (filter.sizeInBytes() <= bytes) {
      return filter;
    }
    double now = Math.max(filter.expectedFpp(), FingerprintPlan.LEAST_FPP);
    FingerprintFilter smallest = now < HIGHEST_FPP ? filter.foldToFpp(HIGHEST_FPP) : filter;
    if (smallest.sizeInBytes() > bytes) {
      throw new CommandFailure(
          "prefixes are cut to a rate of at most %s, and %d bytes are too few for "
              + "that: at a rate of %s the file takes %d",
          HIGHEST_FPP, bytes, Prose.rate(smallest.expectedFpp()), smallest.sizeInBytes());
    }
    // the bytes are nearly linear in the logarithm of the rate; where they are not, halving ends
    FingerprintFilter best = smallest;
    double low = Math.log(now);
    double high = Math.log(HIGHEST_FPP);
    double lowBytes = filter.sizeInBytes();
    double highBytes = smallest.sizeInBytes();
    for (int step = 0; step < STEPS && highBytes < CLOSE_ENOUGH * bytes; step++) {
      double share = step % 2 == 0 ? (AIM * bytes - highBytes) / (lowBytes - highBytes) : 0.5;
      double middle = high + share * (low - high);
      FingerprintFilter folded = filter.foldToFpp(Math.max(now, Math.exp(middle)));
      if (folded.sizeInBytes() <= bytes) {
        best = folded;
        high = middle;
        highBytes = folded.sizeInBytes();
      } else {
        low = middle;
        lowBytes = folded.sizeInBytes();
      }
    }
    return best;
  }

  /** Returns the bits of prefixes per key; not a number if there is none. */
  static double bitsPerKey(FingerprintFilter filter, long bits) {
    double keys = filter.approximateElementCount();
    return keys == 0 ? Double.NaN : bits / keys;
  }

  /** Returns what fold and ship report of a filter that was cut: it has no factor. */
  public static Report report(String output, FingerprintFilter cut, FingerprintFilter before) {
    FingerprintFilter.FileSize size = cut.fileSize();
    long bits = Byte.SIZE * size.payloadBytes();
    double perKey = bitsPerKey(cut, bits);
    return new Report()
        .file(output, size.bytes())
        .bits(bits, perKey, ", without the header")
        .field("factor", null)
        .fpp(cut.expectedFpp(), "before: " + Prose.rate(before.expectedFpp()))
        .field("bitsPerKey", perKey);
  }
}
