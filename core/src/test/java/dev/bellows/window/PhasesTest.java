package dev.bellows.window;

import static dev.bellows.window.Windows.at;
import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Windows that begin at 50 phases of a generation, under a load that is steady, rises tenfold or
 * drops to a tenth. Every key is new, so the exact answer follows from its time.
 */
class PhasesTest {
  private static final int PHASES = 50;
  private static final int GENERATIONS = 7;
  private static final long T = Duration.ofHours(7).toMillis();
  private static final long PART = T / GENERATIONS;
  private static final int WINDOWS = 4;
  private static final double FPP = 0.01;

  private enum Load {
    STEADY(1),
    TENFOLD(10),
    A_TENTH(0.1);

    final double factor;

    Load(double factor) {
      this.factor = factor;
    }
  }

  private enum Kind {
    /** For a load that doubles from one generation to the next. */
    ELASTIC,
    /** For a load that rises tenfold from one generation to the next. */
    ELASTIC_TENFOLD,
    PREFIXES;

    WindowFilter create(long keys) {
      WindowFilter.Builder builder =
          WindowFilter.builder().window(Duration.ofMillis(T)).generations(GENERATIONS).fpp(FPP);
      return switch (this) {
        case ELASTIC -> builder.keys(keys).elastic().build();
        case ELASTIC_TENFOLD -> builder.keys(keys).elastic(10).build();
        case PREFIXES -> builder.build();
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyPhaseKeepsTheWindowAndTheRate(Kind kind) {
    run(kind, 400_000);
  }

  @Tag("scale")
  @ParameterizedTest
  @EnumSource
  void tenMillionEventsKeepTheWindowAndTheRate(Kind kind) {
    run(kind, 10_000_000);
  }

  private static void run(Kind kind, int events) {
    for (Load load : Load.values()) {
      Result result = new Result();
      for (int phase = 0; phase < PHASES; phase++) {
        new Run(kind, load, phase, events / PHASES / Load.values().length, result).play();
      }
      System.out.printf(
          "%s, %s: %,d events at %d phases; %,d live keys queried, %d missed; %,d expired keys"
              + " queried, %d found (%.0f expected); rate at most %.3f %%, %.3f %% from one"
              + " generation after the change on%n",
          kind,
          load,
          result.events,
          PHASES,
          result.live,
          result.missed,
          result.expired,
          result.found,
          result.expected,
          100 * result.highest,
          100 * result.highestAfter);
      assertThat(result.missed).isZero();
      double stated = result.expected / result.expired;
      assertThat(BinomialInterval.of(result.found, result.expired, Rates.ALPHA).low())
          .isLessThanOrEqualTo(stated);
      // a load that rises by more than the ring was built for has no promised rate
      if (kind != Kind.ELASTIC || load != Load.TENFOLD) {
        assertThat(result.highest).isLessThanOrEqualTo(1.5 * FPP);
      }
    }
  }

  private static final class Result {
    long events;
    long live;
    long missed;
    long expired;
    long found;
    double expected;
    double highest;
    double highestAfter;
  }

  /** Events from a moment of a generation on; the load changes in the middle. */
  private static final class Run {
    private final WindowFilter filter;
    private final int phase;
    private final long first;
    private final long change;
    private final long end;
    private final double factor;
    private final Result result;

    /** The time between two events before the change. */
    private final double step;

    private final long[] times;
    private int count;

    /** The number of keys that have expired. */
    private int gone;

    Run(Kind kind, Load load, int phase, int events, Result result) {
      this.result = result;
      this.phase = phase;
      this.factor = load.factor;
      // at the border of a generation, and from there on up to just before the next one
      long border = (at(0).toEpochMilli() / PART + 1) * PART;
      this.first = border + (phase == PHASES - 1 ? PART - 60_000 : PART * phase / PHASES);
      this.change = first + WINDOWS * T / 2;
      this.end = first + WINDOWS * T;
      this.step = WINDOWS * T * (1 + load.factor) / 2 / events;
      this.times = new long[events + 2];
      this.filter = kind.create(Math.round(T / step));
    }

    void play() {
      double time = first;
      long next = first;
      while (time < end && count < times.length) {
        long millis = (long) time;
        times[count] = millis;
        filter.putHash(hash(count), millis);
        count++;
        if (millis >= next) {
          check(millis);
          next = millis + PART / 5;
        }
        time += time < change ? step : step / factor;
      }
      result.events += count;
    }

    private void check(long now) {
      for (int i = count - 1; i >= 0 && now < times[i] + T; i--) {
        result.live++;
        result.missed += filter.mightContainHash(hash(i)) ? 0 : 1;
      }
      double rate = filter.expectedFpp();
      result.highest = Math.max(result.highest, rate);
      if (now >= change + 2 * PART) {
        result.highestAfter = Math.max(result.highestAfter, rate);
      }
      // each once, so that the answers are independent
      for (; now >= times[gone] + T + PART; gone++) {
        result.expired++;
        result.expected += rate;
        result.found += filter.mightContainHash(hash(gone)) ? 1 : 0;
      }
    }

    private long hash(int key) {
      return HashScheme.DEFAULT.hash((long) phase << 32 | key);
    }
  }
}
