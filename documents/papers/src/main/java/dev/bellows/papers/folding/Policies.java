package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.papers.Item;
import dev.bellows.papers.Result;
import dev.bellows.papers.Simulation;
import dev.bellows.papers.draw.Axis;
import dev.bellows.papers.draw.Chart;
import dev.bellows.papers.draw.Points;
import dev.bellows.papers.folding.Follower.Way;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * The policies of the Folding paper, Section IV-C, compared with a fixed size and folding by two
 * only, while keys come and go and each content is sent several times to a receiver that keeps all
 * parts.
 */
final class Policies extends Item {
  private static final int MOST_KEYS = 5000;

  /** The number of contents that are sent. */
  private static final int MOMENTS = 8;

  static final int TRANSMISSIONS = 4;

  private static final int ABSENT_KEYS = 20_000;
  private static final double[] TOLERANCES = {0.002, 0.005};

  private final int mostKeys;
  private final int absentKeys;

  Policies() {
    this(MOST_KEYS, ABSENT_KEYS);
  }

  /** Returns the same experiment at another size. */
  Policies(int mostKeys, int absentKeys) {
    super(
        "000/policies",
        "Section IV-C: the online policies compared with a fixed size and halving",
        """
        The Folding paper names three policies for choosing the next folding: regardless of the
        previous ones (independent), from previous foldings (greedy), and a different one for each
        transmission (entropy). Here up to 5000 keys come and go in three ways: steady growth,
        bursts, and day and night. The filter keeps 1 % within a tolerance, and at eight moments
        its content is sent four times to a receiver that keeps all parts. The policies are
        compared with folding by two only and with the fixed size that the maximum number of keys
        needs. Foldings to any divisor are in their band 93 to 99.8 % of the time, halving 8 to 33
        %, the fixed size 1 to 24 %. The independent policy ships 66 to 82 % of the bytes of
        halving and 54 to 58 % of those of the fixed size, whose rate is lower than required.
        Greedy keeps an intermediate folding between capacity and view and folds from it if
        possible. Compared with the independent policy, at ± 0.5 % its resizes read 50 to 64 % of
        the cells (22.7 million instead of 35.6 million by day and night), and at ± 0.2 % 10 to 18
        % less, since a narrow band leaves few sizes to choose from. The price is one more filter
        to update with every key. In main memory greedy does not pay: 200,000 puts at ± 0.5 % take
        71 ms of CPU time with counters and 17 ms with bits, instead of 39 and 12, and the longest
        pause is 2.8 ms instead of 0.9, since replacing the intermediate folding means two foldings
        at once. It pays where reading a cell is expensive. Sending the same folding again gives a
        receiver no new information. With a different folding each time, four transmissions reduce
        the rate from 1 % to six in a million or less, in fewer bytes: entropy uses all sizes of
        its band first and folds the capacity again for each; planned parts use any size that takes
        at most as many bytes as the view, without resizing the view. Rates are averages over the
        moments, by formula (F15); those above 1e-4 were measured with 160,000 absent keys. Two
        shares of time in the band are shown. The one by keys compares the number of keys with the
        limits of the size after every change, as the filter itself does. The one by fill uses the
        rate of the real fill of the view at 600 moments, which varies around its mean and leaves
        the band a little more often: 90 to 98.8 % inside.\
        """,
        Pace.SLOW);
    this.mostKeys = mostKeys;
    this.absentKeys = absentKeys;
  }

  @Override
  protected void fill() {
    columns(
        "workload, tolerance, policy, resizes, cells read to follow, cells read to ship",
        "bytes shipped, in band by keys, in band by fill, rate of 1, rate of " + TRANSMISSIONS,
        "measured");
    Map<Way, Run> last = new EnumMap<>(Way.class);
    for (KeyFlow flow : KeyFlow.all(mostKeys)) {
      for (double tolerance : TOLERANCES) {
        for (Way way : Way.values()) {
          Run run = new Run(flow, way, tolerance);
          last.put(way, run);
          add(flow, tolerance, way, run);
        }
      }
    }
    sizes(last);
    rates(last);
  }

  private void add(KeyFlow flow, double tolerance, Way way, Run run) {
    Result joint =
        number(
                "%s/tolerance=%s/%s"
                    .formatted(flow.name(), tolerance, way.name().toLowerCase(Locale.ROOT)),
                "rate of a receiver of %d transmissions, %s".formatted(TRANSMISSIONS, way.words()))
            .formula(run.expected(TRANSMISSIONS))
            .measured(run.passed[TRANSMISSIONS - 1], (long) MOMENTS * absentKeys)
            .build();
    row(
        flow.name(),
        words(tolerance),
        way.words(),
        run.follower.resizes,
        run.follower.cellsReadToFollow,
        run.follower.cellsReadToShip,
        run.bytes,
        run.follower.bandShare(),
        run.shareByFill(),
        run.expected(1),
        run.expected(TRANSMISSIONS),
        joint.measured());
  }

  private static String words(double tolerance) {
    return String.format(Locale.ROOT, "± %.1f %%", 100 * tolerance);
  }

  private void sizes(Map<Way, Run> runs) {
    Run any = runs.get(Way.INDEPENDENT);
    Chart chart =
        chart(
            "Size of the view while keys come and go by day and night",
            "Bits of the view while keys come and go by day and night",
            Axis.linear("insertions and removals"),
            Axis.linear("bits"));
    chart.dashed("fixed", 3).addAll(runs.get(Way.FIXED).sizes);
    chart.steps("by two", 1).addAll(runs.get(Way.HALVING).sizes);
    chart.steps("entropy", 2).addAll(runs.get(Way.ENTROPY).sizes);
    chart.steps("independent", 0).addAll(any.sizes);
    chart.dashed("minimum for 1 %", 4).addAll(any.needs);
  }

  private void rates(Map<Way, Run> runs) {
    Chart chart =
        chart(
            "Rate at a receiver of several transmissions of one content",
            "Rate at a receiver that keeps the transmissions of one content",
            Axis.linear("transmissions").between(1, TRANSMISSIONS),
            Axis.log("false positive rate"));
    for (Way way : Way.values()) {
      if (way != Way.GREEDY) {
        Points points = chart.curve(way.words(), way.ordinal());
        for (int i = 1; i <= TRANSMISSIONS; i++) {
          points.add(i, runs.get(way).expected(i));
        }
      }
    }
  }

  /** One filter following one flow of keys. */
  private final class Run {
    private final Follower follower;
    private final Points sizes = new Points();
    private final Points needs = new Points();

    /** Sums of expected rates and absent keys that passed, by number of transmissions. */
    private final double[] expected = new double[TRANSMISSIONS];

    private final long[] passed = new long[TRANSMISSIONS];
    private long bytes;
    private long samples;
    private long samplesInBand;

    Run(KeyFlow flow, Way way, double tolerance) {
      follower = way.make(mostKeys, tolerance);
      long oldest = 0;
      long next = 0;
      int changes = flow.changes();
      int moment = 0;
      for (int i = 0; i < changes; i++) {
        if (flow.comes(i)) {
          follower.put(next++);
        } else {
          follower.remove(oldest++);
        }
        sample(i, changes, next - oldest, tolerance);
        if (i + 1 == (long) changes * (moment + 1) / MOMENTS) {
          moment++;
          transmit();
        }
      }
    }

    private void sample(int change, int changes, long keys, double tolerance) {
      int every = Math.max(1, changes / 600);
      if (change % every == 0 || change == changes - 1) {
        sizes.add(change, follower.bits());
        needs.add(change, Follower.CELLS.bitsFor(keys, Follower.FPP));
        samples++;
        samplesInBand += Math.abs(follower.expectedFpp() - Follower.FPP) <= tolerance ? 1 : 0;
      }
    }

    /** Returns the share of the samples at which the rate of the real fill was in the band. */
    double shareByFill() {
      return (double) samplesInBand / samples;
    }

    /** Sends the current content several times. */
    private void transmit() {
      BloomFilter first = follower.snapshot();
      FoldedFilters received = FoldedFilters.of(first);
      count(0, first, received);
      for (int i = 1; i < TRANSMISSIONS; i++) {
        BloomFilter part = follower.snapshot();
        received = received.with(part);
        count(i, part, received);
      }
    }

    private void count(int transmission, BloomFilter part, FoldedFilters received) {
      bytes += part.sizeInBytes();
      expected[transmission] += received.expectedFpp();
      passed[transmission] += Simulation.passed(received::mightContain, absentKeys);
    }

    /** Returns the mean rate after this many transmissions. */
    double expected(int transmissions) {
      return expected[transmissions - 1] / MOMENTS;
    }
  }
}
