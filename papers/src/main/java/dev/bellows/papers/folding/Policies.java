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
 * The policies of section IV-C beside a fixed size and folding by two only, while keys come and go
 * and each content is sent several times to a receiver who keeps what it gets.
 */
final class Policies extends Item {
  private static final int MOST_KEYS = 5000;

  /** Contents that are sent, and how often each. */
  private static final int MOMENTS = 8;

  static final int TRANSMISSIONS = 4;

  private static final int ABSENT_KEYS = 20_000;
  private static final double[] TOLERANCES = {0.002, 0.005};

  private final int mostKeys;
  private final int absentKeys;

  Policies() {
    this(MOST_KEYS, ABSENT_KEYS);
  }

  /** The same experiment of another size. */
  Policies(int mostKeys, int absentKeys) {
    super(
        "000/policies",
        "Section IV-C: the online policies beside a fixed size and halving",
        "The document names three policies for the next folding: regardless of the previous ones"
            + " (independent), from previous foldings (greedy), and another one with each"
            + " transmission (entropy). Here up to 5000 keys come and go in three ways: steady"
            + " growth, bursts, day and night; the filter keeps 1 % within a tolerance; at eight"
            + " moments its content is sent four times to a receiver who keeps all parts. Beside"
            + " the policies stand folding by two only and the fixed size that the most keys need."
            + " Foldings to any divisor are in their band 93 to 99.8 % of the time, halving 8 to 33"
            + " %, the fixed size 1 to 24 %; the independent policy ships 65 to 81 % of the bytes"
            + " of halving and 54 to 56 % of those of the fixed size, whose lower rates nobody"
            + " asked for. Greedy keeps a folding between capacity and view and folds from it where"
            + " it can: at ± 0.5 % resizes read less than half of the cells, 22.7 instead of 48.9"
            + " million by day and night, at ± 0.2 % 20 to 37 % less, since a narrow band leaves"
            + " few sizes to choose from. The price is one more filter to change with every key: 7"
            + " more counters written, for 290 cells fewer that are read one after the other. It"
            + " buys shorter pauses, not less work. Sending one folding again tells a receiver"
            + " nothing. With another folding each time, four transmissions take the rate from 1 %"
            + " to six in a million or less, in fewer bytes: entropy takes all sizes of its band"
            + " first and folds the capacity anew for each; planned parts take any size of at most"
            + " as many bytes as the view, which costs the view nothing. Rates are means over the"
            + " moments, by formula (F15), and measured with 160,000 absent keys. Whether the rate"
            + " is in the band is told in two ways: by the number of keys, as the filter itself"
            + " does, after every change; and by the real fill of the view, at 600 moments, which"
            + " varies around its mean and leaves the band a little more often: 91 to 98.8 % inside.",
        Pace.SLOW);
    this.mostKeys = mostKeys;
    this.absentKeys = absentKeys;
  }

  @Override
  protected void fill() {
    columns(
        "keys, tolerance, way, resizes, cells read to follow, cells read to ship",
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
    showData();
    picture("Size of the view while keys come and go by day and night", sizes(last));
    picture("Rate at a receiver of several transmissions of one content", rates(last));
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
        run.follower.resizes(),
        run.follower.cellsReadToFollow(),
        run.follower.cellsReadToShip(),
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

  private static Chart sizes(Map<Way, Run> runs) {
    Run any = runs.get(Way.INDEPENDENT);
    return Chart.of(
            "Bits of the view while keys come and go by day and night",
            Axis.linear("keys that came or went"),
            Axis.linear("bits"))
        .dashed("fixed", 3, runs.get(Way.FIXED).sizes)
        .steps("by two", 1, runs.get(Way.HALVING).sizes)
        .steps("entropy", 2, runs.get(Way.ENTROPY).sizes)
        .steps("independent", 0, any.sizes)
        .dashed("least for 1 %", 4, any.needs);
  }

  private static Chart rates(Map<Way, Run> runs) {
    Chart chart =
        Chart.of(
            "Rate at a receiver who keeps the transmissions of one content",
            Axis.linear("transmissions").between(1, TRANSMISSIONS),
            Axis.log("false positive rate"));
    int colour = 0;
    for (Way way : Way.values()) {
      Points points = new Points();
      for (int i = 1; i <= TRANSMISSIONS; i++) {
        points.add(i, runs.get(way).expected(i));
      }
      if (way != Way.GREEDY) {
        chart.curve(way.words(), colour, points);
      }
      colour++;
    }
    return chart;
  }

  /** One way through one flow. */
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

    /** Sends the present content several times. */
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
