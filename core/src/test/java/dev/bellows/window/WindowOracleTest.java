package dev.bellows.window;

import static dev.bellows.window.Windows.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.bellows.Rates;
import dev.bellows.internal.math.BinomialInterval;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Windows next to an exact one: Caffeine's {@code expireAfterWrite}, with a ticker that shows the
 * clock of the windows. Events are new, repeated, late by up to more than a window, and ahead; now
 * and then the clock jumps.
 *
 * <p>Two caches bracket every window. Keys in the one that expires after T must be found. Keys that
 * are not in the one that expires after T (1 + 1/G) count as absent: if found, they are false
 * positives. Keys between the two are not counted.
 */
class WindowOracleTest {
  /** A multiple of 3, 7 and 15, so that generations have whole milliseconds. */
  private static final long T = Duration.ofHours(1).toMillis() * 7;

  private static final int WINDOWS = 40;
  private static final double FPP = 0.01;

  /** How often, and for how many absent keys, the rate is measured. */
  private static final int MOMENTS = 150;

  private static final int PROBES = 1000;

  @Test
  void aMillionEventsAgreeWithCaffeine() {
    new Run(7, 1_000_000).play();
  }

  @Tag("scale")
  @ParameterizedTest
  @ValueSource(ints = {3, 7, 15})
  void tenMillionEventsAgreeWithCaffeine(int generations) {
    new Run(generations, 10_000_000).play();
  }

  /** Keys that expire exactly. */
  private static final class Exact {
    private final Cache<Long, Long> cache;
    private long ticker;

    Exact(long expiresAfter) {
      this.cache =
          Caffeine.newBuilder()
              .expireAfterWrite(expiresAfter, TimeUnit.MILLISECONDS)
              .ticker(() -> TimeUnit.MILLISECONDS.toNanos(ticker))
              .executor(Runnable::run)
              .build();
    }

    boolean contains(long key, long now) {
      ticker = now;
      return cache.getIfPresent(key) != null;
    }

    /** An entry as old as its event; that of an older event does not replace it. */
    void put(long key, long time, long now) {
      ticker = now;
      Long last = cache.getIfPresent(key);
      if (last == null || last < time) {
        ticker = time;
        cache.put(key, time);
        ticker = now;
      }
    }
  }

  /** A window, and what was counted of it. */
  private static final class Subject {
    final String name;
    final WindowFilter filter;
    long missed;
    long falsePositives;
    double expected;

    Subject(String name, WindowFilter filter) {
      this.name = name;
      this.filter = filter;
    }
  }

  private static final class Run {
    private final int generations;
    private final int events;
    private final Exact within;
    private final Exact lingering;
    private final List<Subject> subjects = new ArrayList<>();
    private final SplittableRandom random = new SplittableRandom(41);
    private final long[] recent;
    private long now = T;
    private long nextKey;
    private long late;
    private long asked;
    private long found;
    private long between;
    private long probes;
    private long expired;

    Run(int generations, int events) {
      this.generations = generations;
      this.events = events;
      int perWindow = events / WINDOWS;
      this.recent = new long[perWindow];
      this.within = new Exact(T);
      this.lingering = new Exact(T + T / generations);
      WindowFilter.Builder builder =
          WindowFilter.builder()
              .window(Duration.ofMillis(T))
              .generations(generations)
              .fpp(FPP)
              .dropLate();
      subjects.add(new Subject("prefixes", builder.build()));
      builder.keys(perWindow);
      subjects.add(new Subject("ring", builder.build()));
      subjects.add(new Subject("elastic ring", builder.elastic().build()));
      advance(now);
    }

    void play() {
      int perStep = events / MOMENTS;
      for (int i = 0; i < events; i++) {
        event();
        if (i % perStep == 0) {
          probe();
        }
        if (i == events / 3 || i == events / 2) {
          advance(now + T / 2);
        } else if (i == events / 5) {
          advance(now + T + T / 3);
        }
      }
      for (Subject subject : subjects) {
        report(subject);
      }
    }

    private void advance(long time) {
      now = time;
      subjects.forEach(subject -> subject.filter.advanceTo(at(time)));
    }

    /** Processes an event: its key is queried, then put at its time. */
    private void event() {
      long key = key();
      long time = time();
      // late ones are dropped
      boolean isLate = now - time > T;
      late += isLate ? 1 : 0;
      now = Math.max(now, time);
      Instant instant = at(time);
      boolean isWithin = within.contains(key, now);
      boolean mayLinger = lingering.contains(key, now);
      asked++;
      found += isWithin ? 1 : 0;
      between += mayLinger && !isWithin ? 1 : 0;
      boolean asks = random.nextBoolean();
      for (Subject subject : subjects) {
        WindowFilter filter = subject.filter;
        boolean isFound;
        if (asks || isLate) {
          // a put that is ahead moves the clock, and so must a query at its time
          filter.advanceTo(at(now));
          isFound = filter.mightContain(key);
          filter.put(key, instant);
        } else {
          isFound = !filter.putIfAbsent(key, instant);
        }
        subject.missed += isWithin && !isFound ? 1 : 0;
      }
      if (!isLate) {
        within.put(key, time, now);
        lingering.put(key, time, now);
      }
      recent[(int) (nextKey++ % recent.length)] = key;
    }

    /** Half of the keys are new, and most of the others come from the last window. */
    private long key() {
      if (random.nextInt(10) < 5 || nextKey == 0) {
        return nextKey;
      }
      if (random.nextInt(10) < 8) {
        return recent[(int) random.nextLong(Math.min(nextKey, recent.length))];
      }
      return random.nextLong(nextKey);
    }

    /** Most events are a little ahead of the clock, and the others late. */
    private long time() {
      return switch (random.nextInt(20)) {
        case 0, 1, 2 -> now - random.nextLong(T / 10);
        case 3 -> now - random.nextLong(T + T / 10);
        default -> now + random.nextLong(2 * T / events * WINDOWS * 20 / 16 + 2);
      };
    }

    /** Queries keys that have expired or were never put, to measure the current rate. */
    private void probe() {
      long[] absent = new long[PROBES];
      for (int i = 0; i < PROBES; i++) {
        long old = random.nextLong(nextKey);
        boolean hasExpired = i % 2 == 0 && !lingering.contains(old, now);
        absent[i] = hasExpired ? old : -1 - probes - i;
        expired += hasExpired ? 1 : 0;
      }
      probes += PROBES;
      for (Subject subject : subjects) {
        subject.expected += PROBES * subject.filter.expectedFpp();
        for (long key : absent) {
          subject.falsePositives += subject.filter.mightContain(key) ? 1 : 0;
        }
      }
    }

    private void report(Subject subject) {
      double stated = subject.expected / probes;
      BinomialInterval interval = BinomialInterval.of(subject.falsePositives, probes, Rates.ALPHA);
      System.out.printf(
          "%s, G = %d: %,d events in %.0f windows, %,d late, %,d of keys within T, %,d between;"
              + " %d missed; %,d absent keys, %,d of them expired: %.3f %% stated, %.3f %% found%n",
          subject.name,
          generations,
          asked,
          (double) now / T,
          late,
          found,
          between,
          subject.missed,
          probes,
          expired,
          100 * stated,
          100.0 * subject.falsePositives / probes);
      assertThat(subject.missed).as("missed by the %s", subject.name).isZero();
      assertThat(subject.filter.lateKeys()).isEqualTo(late);
      assertThat(stated)
          .as("stated by the %s: %s", subject.name, interval)
          .isBetween(interval.low(), interval.high());
    }
  }
}
