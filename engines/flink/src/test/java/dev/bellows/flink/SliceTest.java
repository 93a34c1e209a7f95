package dev.bellows.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A slice without Flink: its laws, whatever the order of events. */
class SliceTest {
  private static final long WINDOW = 100_000;

  private static Settings settings(long lateness, double fpp) {
    return new Settings(WINDOW, lateness, fpp, 1, new byte[0]);
  }

  private static long hash(long id) {
    return HashScheme.DEFAULT.hash(id);
  }

  /** Flink's part of the work: timers that fire with the watermark. */
  private static final class Driven {
    Slice slice;
    int cleared;
    private final Settings settings;
    private long watermark = Long.MIN_VALUE;

    Driven(Settings settings) {
      this.settings = settings;
      this.slice = new Slice(settings);
    }

    void advanceTo(long to) {
      watermark = to;
      while (slice.timer() <= watermark && slice.timer() < Long.MAX_VALUE) {
        slice.advanceTo(watermark);
        slice.settle();
        if (slice.isOver()) {
          slice = new Slice(settings);
          cleared++;
        } else {
          assertThat(slice.due()).isGreaterThan(watermark);
          slice.setTimer(slice.due());
        }
      }
      slice.advanceTo(watermark);
    }

    boolean passes(Visit visit) {
      slice.advanceTo(watermark);
      assertThat(slice.isLate(visit.time)).isFalse();
      boolean isNew = slice.add(hash(visit.id), visit.time);
      if (isNew && slice.due() < slice.timer()) {
        slice.setTimer(slice.due());
      }
      return isNew;
    }
  }

  private static int[] run(
      Visit.Script script, int events, int watermarkEvery, Settings settings, boolean restarts)
      throws IOException {
    Driven driven = new Driven(settings);
    int[] counts = new int[events];
    long max = Long.MIN_VALUE;
    for (int i = 0; i < events; i++) {
      Visit visit = script.visit(i);
      max = Math.max(max, visit.time);
      counts[i] = driven.passes(visit) ? 1 : 0;
      if (i % watermarkEvery == watermarkEvery - 1) {
        driven.advanceTo(max - script.disorder() - 1);
      }
      if (restarts && i % 5003 == 0) {
        driven.slice = i % 2 == 0 ? driven.slice.copy() : read(settings, bytes(driven.slice));
      }
    }
    return counts;
  }

  private static byte[] bytes(Slice slice) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    slice.writeTo(new DataOutputStream(out));
    return out.toByteArray();
  }

  private static Slice read(Settings settings, byte[] bytes) throws IOException {
    return Slice.read(settings, new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  private static long known(Settings settings) {
    return settings.window() + settings.lateness() + settings.filterWindow() / 15 + 1;
  }

  @Test
  void noDuplicatePassesAndFewNewOnesAreDropped() throws IOException {
    Settings settings = settings(0, 1e-3);
    Visit.Script script = new Visit.Script(1, 9_000, 5_000);
    int[] counts = run(script, 100_000, 100, settings, true);
    Exactly result = Exactly.of(script, counts, WINDOW, known(settings) + 5_000 + 1_000);
    result.requireRate(1e-3);
    assertThat(result.passed()).isGreaterThan(45_000);
  }

  /** Watermarks that come once in three windows, so that most events are ahead of the clock. */
  @Test
  void whatIsAheadOfTheClockIsKeptExactly() throws IOException {
    Settings settings = settings(0, 1e-3);
    Visit.Script script = new Visit.Script(2, 9_000, 90_000);
    int[] counts = run(script, 100_000, 30_000, settings, true);
    Exactly.of(script, counts, WINDOW, 4 * WINDOW).requireRate(1e-3);
  }

  @Test
  void withoutAWatermarkEverythingIsExact() throws IOException {
    Settings settings = settings(0, 0.5);
    Visit.Script script = new Visit.Script(3, 9_000, 90_000);
    int[] counts = run(script, 30_000, Integer.MAX_VALUE, settings, false);
    assertThat(Exactly.of(script, counts, WINDOW, WINDOW - 1).dropped()).isZero();
  }

  @Test
  void anEventFromTheFutureExpiresNothing() {
    Driven driven = new Driven(settings(0, 1e-3));
    assertThat(driven.passes(new Visit(0, 7, 1_000))).isTrue();
    driven.advanceTo(1_000);
    for (long time : new long[] {Long.MAX_VALUE, 1L << 60, 50 * WINDOW}) {
      assertThat(driven.passes(new Visit(0, 8, time))).isTrue();
      assertThat(driven.passes(new Visit(0, 8, time))).isFalse();
      assertThat(driven.passes(new Visit(0, 7, time))).as("at another time").isTrue();
    }
    assertThat(driven.passes(new Visit(0, 7, 1_000 + WINDOW - 1))).isFalse();
    assertThat(driven.passes(new Visit(0, 8, 1_000 + WINDOW - 1))).isTrue();
    driven.advanceTo(50 * WINDOW);
    assertThat(driven.slice.aheadKeys()).isEqualTo(2);
    assertThat(driven.passes(new Visit(0, 8, 50 * WINDOW + 1))).isFalse();
  }

  @Test
  void anEventFromThePastIsKeptWhileThereIsNoWatermark() {
    Driven driven = new Driven(settings(0, 1e-3));
    assertThat(driven.passes(new Visit(0, 7, Long.MIN_VALUE))).isTrue();
    assertThat(driven.passes(new Visit(0, 7, Long.MIN_VALUE))).isFalse();
    driven.advanceTo(0);
    assertThat(driven.cleared).isOne();
  }

  @Test
  void lateMeansTheSameAsInFlinksWindows() {
    Slice slice = new Slice(settings(500, 1e-3));
    assertThat(slice.isLate(Long.MIN_VALUE)).isFalse();
    slice.advanceTo(10_000);
    assertThat(slice.isLate(9_501)).isFalse();
    assertThat(slice.isLate(9_500)).isTrue();
    slice.advanceTo(9_000);
    assertThat(slice.isLate(9_500)).as("clocks do not run back").isTrue();
  }

  /** Two events with an allowed lateness, in both orders, at all distances around the window. */
  @Test
  void theWindowIsExtendedByTheAllowedLateness() {
    for (long distance : new long[] {0, 1, WINDOW / 2, WINDOW - 1}) {
      for (boolean reversed : new boolean[] {false, true}) {
        Driven driven = new Driven(settings(30_000, 1e-6));
        long first = 1_000_000;
        long second = reversed ? first - distance : first + distance;
        driven.advanceTo(Math.min(first, second) - 1);
        assertThat(driven.passes(new Visit(0, 7, first))).isTrue();
        // the last watermark at which the second one is not late
        driven.advanceTo(second + 30_000 - 1);
        assertThat(driven.passes(new Visit(0, 7, second))).isFalse();
      }
    }
  }

  @Test
  void anIdPassesAgainAfterTheStatedTime() {
    Settings settings = settings(30_000, 1e-6);
    SplittableRandom times = new SplittableRandom(4);
    for (int i = 0; i < 200; i++) {
      long time = times.nextLong(1L << 40);
      Driven driven = new Driven(settings);
      driven.advanceTo(time - 1);
      driven.passes(new Visit(0, 7, time));
      // keeps the slice from being cleared
      driven.passes(new Visit(0, 8, time + WINDOW / 2));
      driven.advanceTo(time + known(settings));
      assertThat(driven.passes(new Visit(0, 7, time + known(settings) + 1))).isTrue();
    }
  }

  @Test
  void slicesThatReceiveNothingAreCleared() {
    Driven driven = new Driven(settings(0, 1e-3));
    driven.advanceTo(0);
    driven.passes(new Visit(0, 1, 10));
    driven.passes(new Visit(0, 2, 5_000));
    driven.advanceTo(5_000 + WINDOW - 1);
    assertThat(driven.cleared).isZero();
    driven.advanceTo(5_000 + WINDOW);
    assertThat(driven.cleared).isOne();
    driven.passes(new Visit(0, 3, 10 * WINDOW));
    driven.advanceTo(Long.MAX_VALUE);
    assertThat(driven.cleared).isEqualTo(2);
  }

  @Test
  void aCopyDoesNotChangeWithItsOriginal() throws IOException {
    Settings settings = settings(0, 1e-3);
    Driven driven = new Driven(settings);
    driven.advanceTo(0);
    for (int id = 0; id < 5_000; id++) {
      driven.passes(new Visit(0, id, id % 3 == 0 ? 20 * WINDOW + id : 1 + id));
    }
    Slice copy = driven.slice.copy();
    byte[] before = bytes(copy);
    assertThat(before).isEqualTo(bytes(driven.slice));
    for (int id = 0; id < 5_000; id++) {
      driven.passes(new Visit(0, id, 15 * WINDOW + id));
      driven.passes(new Visit(0, 10_000 + id, 1 + id));
    }
    driven.advanceTo(20 * WINDOW);
    assertThat(bytes(copy)).isEqualTo(before);
    Slice read = read(settings, before);
    assertThat(bytes(read)).isEqualTo(before);
    assertThat(read.timer()).isEqualTo(copy.timer());
    assertThat(read.due()).isEqualTo(copy.due());
    assertThat(read.add(hash(1), 2)).isFalse();
    assertThat(read.add(hash(3), 20 * WINDOW)).isFalse();
  }

  @Test
  void damagedBytesAreRefused() throws IOException {
    Settings settings = settings(0, 1e-3);
    Driven driven = new Driven(settings);
    driven.advanceTo(0);
    driven.passes(new Visit(0, 1, 1));
    driven.passes(new Visit(0, 2, 20 * WINDOW));
    byte[] bytes = bytes(driven.slice);
    for (int length = 0; length < bytes.length; length++) {
      byte[] part = java.util.Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> read(settings, part)).isInstanceOf(IOException.class);
    }
    for (int bit = 8 * (bytes.length - 64); bit < 8 * bytes.length; bit++) {
      byte[] other = bytes.clone();
      other[bit / 8] ^= (byte) (1 << bit % 8);
      assertThatThrownBy(() -> read(settings, other)).isInstanceOf(IOException.class);
    }
  }

  /** Numbers that no slice has, in each field; none of them may allocate what it announces. */
  @Test
  void hostileNumbersAreRefused() throws IOException {
    Settings settings = settings(0, 1e-3);
    Driven driven = new Driven(settings);
    driven.advanceTo(0);
    driven.passes(new Visit(0, 1, 1));
    driven.passes(new Visit(0, 2, 20 * WINDOW));
    byte[] bytes = bytes(driven.slice);
    int hashes = 3 * Long.BYTES;
    int times = hashes + Integer.BYTES + Long.BYTES;
    int filter = times + Integer.BYTES + Long.BYTES;
    for (int at : new int[] {hashes, times, filter}) {
      for (int number : new int[] {-1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 28}) {
        byte[] other = bytes.clone();
        ByteBuffer.wrap(other).putInt(at, number);
        assertThatThrownBy(() -> read(settings, other)).isInstanceOf(IOException.class);
      }
    }
    for (long clock : new long[] {Long.MIN_VALUE, Long.MIN_VALUE + 1, 0, Long.MAX_VALUE}) {
      byte[] other = bytes.clone();
      ByteBuffer.wrap(other).putLong(0, clock);
      assertThatThrownBy(() -> read(settings, other)).isInstanceOf(IOException.class);
    }
    byte[] ahead = bytes.clone();
    ByteBuffer.wrap(ahead).putLong(Long.BYTES, 20 * WINDOW);
    assertThatThrownBy(() -> read(settings, ahead)).isInstanceOf(IOException.class);
    Settings other = new Settings(2 * WINDOW, 0, 1e-3, 1, new byte[0]);
    assertThatThrownBy(() -> read(other, bytes)).isInstanceOf(IOException.class);
    assertThat(bytes(read(settings, bytes))).isEqualTo(bytes);
  }

  /** Times around the first and the last one that a filter takes. */
  @Test
  void extremeTimesAreTakenOrLate() {
    for (long lateness : new long[] {0, 1L << 40}) {
      for (long first : new long[] {-Settings.MOST_MILLIS, lateness - Settings.MOST_MILLIS}) {
        Driven driven = new Driven(settings(lateness, 1e-3));
        for (long watermark = first - 2; watermark <= first + 2; watermark++) {
          driven.advanceTo(watermark);
          for (long time : new long[] {watermark + 1, watermark - lateness + 1}) {
            driven.passes(new Visit(0, watermark, time));
            assertThat(driven.passes(new Visit(0, watermark, time))).isFalse();
          }
        }
      }
      Driven driven = new Driven(settings(lateness, 1e-3));
      long last = Settings.MOST_MILLIS - WINDOW;
      driven.advanceTo(last);
      assertThat(driven.slice.isLate(0)).isTrue();
      assertThat(driven.passes(new Visit(0, 1, Long.MAX_VALUE))).isTrue();
      assertThat(driven.passes(new Visit(0, 1, Long.MAX_VALUE))).isFalse();
      // e.g. of nanoseconds: nothing is ahead of the clock then, and no timer comes again
      driven.passes(new Visit(0, 2, Settings.MOST_MILLIS));
      for (long watermark : new long[] {last + 1, 1L << 60, Long.MAX_VALUE - 1}) {
        driven.advanceTo(watermark);
        assertThat(driven.slice.isLate(last - lateness)).isTrue();
        driven.slice.settle();
        assertThat(driven.slice.aheadKeys()).isZero();
      }
    }
  }

  @Test
  void settingsOutOfTheirRangesAreRefused() {
    Deduplicate<Visit> of = Deduplicate.by(Visit::id);
    assertThatThrownBy(of::settings).hasMessageContaining("within(Duration)");
    assertThatThrownBy(of.within(Duration.ofMillis(14))::settings)
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(of.within(Duration.ofNanos(20_000_001))::settings)
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(of.within(Duration.ofSeconds(Long.MAX_VALUE))::settings)
        .isInstanceOf(IllegalArgumentException.class);
    of.within(Duration.ofHours(24)).settings();
    for (double fpp : new double[] {0, 1, Double.NaN, 1e-13}) {
      assertThatThrownBy(of.fpp(fpp)::settings).isInstanceOf(IllegalArgumentException.class);
    }
    of.fpp(1e-4);
    for (int slices : new int[] {0, -1, 1000, 1 << 21}) {
      assertThatThrownBy(of.slices(slices)::settings).isInstanceOf(IllegalArgumentException.class);
    }
    of.slices(1024);
    assertThatThrownBy(of.allowedLateness(Duration.ofMillis(-1))::settings)
        .isInstanceOf(IllegalArgumentException.class);
    of.allowedLateness(Duration.ZERO).settings();
    assertThatThrownBy(of.secret(new byte[15])::settings)
        .isInstanceOf(IllegalArgumentException.class);
  }
}
