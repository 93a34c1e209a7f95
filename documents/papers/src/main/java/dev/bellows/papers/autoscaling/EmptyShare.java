package dev.bellows.papers.autoscaling;

import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.AutoscalingBloomFilter.Builder;
import dev.bellows.internal.autoscale.DistinctRates;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.Item;
import dev.bellows.papers.Measured;
import dev.bellows.papers.Result;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** The share of empty positions when the positions of a key are distinct, and when they are not. */
public final class EmptyShare extends Item {
  private static final int FILTERS = 60;
  private static final int[][] CASES = {
    {50, 3, 10}, {100, 20, 30}, {1000, 7, 100}, {10_000, 100, 500}, {100_000, 1000, 500}
  };

  EmptyShare() {
    super(
        "004/equations-9-10",
        "Equations 9 and 10: empty positions, with distinct hash values and without",
        """
        Eq. 9, (1 - k/m)^n, is for keys with k distinct positions; Eq. 10, (1 - 1/m)^(kn), is for
        hash values that may coincide. The Autoscaling paper says that they differ only below 50
        bits. Their ratio is about e^(-n k(k-1)/(2 m^2)): it depends on the load and on k/m, and
        with k a hundredth of m it is 0.975 at 500 keys for a filter of any size (A2). In the
        paper's own example this moves the rate of the standard filter from 0.5087 to 0.5173. Real
        filters of both kinds were filled and their empty positions counted.\
        """);
  }

  @Override
  protected void fill() {
    for (int[] c : CASES) {
      results(c[0], c[1], c[2]);
    }
    double distinct = DistinctRates.fpp(Setting.BITS, Setting.HASHES, Setting.KEYS);
    double coinciding = BloomRates.fppClassic(Setting.BITS, Setting.KEYS, Setting.HASHES);
    number("fpr/distinct", "FPR of Figure 2, theta = 0, by Eq. 9")
        .printed("0.52")
        .formula(distinct);
    number("fpr/coinciding", "FPR by Eq. 10, according to the text the same")
        .stated(distinct, 5e-5)
        .formula(coinciding)
        .erratum("A2");
    columns("m, k=7 half full, k=m/100 n=500, k=m/100 n=5000");
    Chart chart =
        chart(
            "The ratio of the two shares stays away from 1 when k grows with m",
            "Empty positions: distinct over coinciding hash values",
            Axis.log("bits").between(200, 2e6),
            Axis.linear("Eq. 9 / Eq. 10").between(0.7, 1.02));
    Points few = chart.curve("k = 7, half full", 2);
    Points share = chart.curve("k = m/100, n = 500", 0);
    Points loaded = chart.curve("k = m/100, n = 5000", 1);
    for (int i = 0; i <= 40; i++) {
      int bits = 100 * (int) Math.round(2 * Math.pow(10, i / 10.0));
      double half = ratio(bits, 7, Math.round(bits * Math.log(2) / 7));
      double of500 = ratio(bits, bits / 100, 500);
      double of5000 = ratio(bits, bits / 100, 5000);
      few.add(bits, half);
      share.add(bits, of500);
      loaded.add(bits, of5000);
      row(bits, half, of500, of5000);
    }
  }

  /** Eq. 10: the empty share if positions may coincide. */
  static double withReplacement(long bits, int hashes, long keys) {
    return Math.exp((double) hashes * keys * Math.log1p(-1.0 / bits));
  }

  private static double ratio(long bits, int hashes, long keys) {
    return DistinctRates.emptyShare(bits, hashes, keys) / withReplacement(bits, hashes, keys);
  }

  private void results(int bits, int hashes, int keys) {
    String at = "m=%d,k=%d,n=%d/".formatted(bits, hashes, keys);
    measured(number(at + "distinct", "empty share, Eq. 9"), i -> distinct(bits, hashes, keys, i))
        .formula(DistinctRates.emptyShare(bits, hashes, keys));
    measured(
            number(at + "coinciding", "empty share, Eq. 10"),
            i -> coinciding(bits, hashes, keys, i))
        .formula(withReplacement(bits, hashes, keys));
    Result.Builder ratio =
        number(at + "ratio", "ratio of the two").formula(ratio(bits, hashes, keys));
    if (bits > 50) {
      ratio.printed(1, 0.0005).erratum("A2");
    }
  }

  private static Result.Builder measured(Result.Builder result, IntToDoubleFunction empty) {
    double[] shares = IntStream.range(0, FILTERS).mapToDouble(empty).toArray();
    return result.measured(Measured.meanOfShares(shares));
  }

  private static double distinct(int bits, int hashes, int keys, int seed) {
    Builder builder =
        AutoscalingBloomFilter.builder().bits(bits).hashes(hashes).seed(seed).thresholds(0, hashes);
    return 1 - Setting.filled(builder, keys).stats().fill();
  }

  private static double coinciding(int bits, int hashes, int keys, int seed) {
    return 1 - Simulation.filter(bits, hashes, keys, seed).stats().fill();
  }
}
