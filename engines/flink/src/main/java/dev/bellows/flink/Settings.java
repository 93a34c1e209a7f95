package dev.bellows.flink;

import dev.bellows.HashScheme;
import dev.bellows.window.WindowFilter;
import java.io.Serializable;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;

/**
 * What a job says about its de-duplication. State can only be used with the settings that it was
 * written with: they decide where a key is found.
 *
 * @param window the window in milliseconds, T
 * @param lateness how far an event may be behind the watermark, in milliseconds, L
 * @param fpp the share of new events that may be dropped
 * @param slices the parts of the key space, a power of 2
 * @param secret the key of SipHash, or empty for the default hash
 */
@SuppressWarnings("ArrayRecordComponent")
record Settings(long window, long lateness, double fpp, int slices, byte[] secret)
    implements Serializable {
  /** The parts of a filter's window: 15 are the most, and ids expire up to one part late. */
  static final int GENERATIONS = 15;

  /** The largest number of slices. */
  static final int MOST_SLICES = 1 << 20;

  /** The times that a filter takes lie within this many milliseconds of 1970. */
  static final long MOST_MILLIS = 1L << 51;

  Settings {
    if (window < GENERATIONS || window > MOST_MILLIS / 4) {
      throw new IllegalArgumentException(
          "within %s is not in [%s, %s]"
              .formatted(
                  Duration.ofMillis(window),
                  Duration.ofMillis(GENERATIONS),
                  Duration.ofMillis(MOST_MILLIS / 4)));
    }
    if (lateness < 0 || lateness > MOST_MILLIS / 4) {
      throw new IllegalArgumentException(
          "the allowed lateness %s is not in [%s, %s]"
              .formatted(
                  Duration.ofMillis(lateness), Duration.ZERO, Duration.ofMillis(MOST_MILLIS / 4)));
    }
    if (slices < 1 || slices > MOST_SLICES || Integer.bitCount(slices) != 1) {
      throw new IllegalArgumentException(
          "the number of slices must be a power of 2 up to %d: %d".formatted(MOST_SLICES, slices));
    }
  }

  /** Whether a time may be in milliseconds. */
  static boolean isTime(long time) {
    return time >= -MOST_MILLIS && time <= MOST_MILLIS;
  }

  /** The hash scheme of all slices. */
  HashScheme scheme() {
    return secret.length == 0 ? HashScheme.DEFAULT : HashScheme.sipHash(secret);
  }

  /** The window of a slice's filter: 2 T + L. */
  long filterWindow() {
    return 2 * window + lateness;
  }

  /** An empty filter of one slice. */
  WindowFilter filter() {
    return WindowFilter.builder()
        .window(Duration.ofMillis(filterWindow()))
        .generations(GENERATIONS)
        .fpp(fpp)
        .hashScheme(scheme())
        .keepFirst()
        .dropLate()
        .build();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Settings settings
        && window == settings.window
        && lateness == settings.lateness
        && Double.compare(fpp, settings.fpp) == 0
        && slices == settings.slices
        && Arrays.equals(secret, settings.secret);
  }

  @Override
  public int hashCode() {
    return Objects.hash(window, lateness, fpp, slices);
  }

  /** Without the secret. */
  @Override
  public String toString() {
    return "within %s, allowed lateness %s, fpp %s, %d slices"
        .formatted(Duration.ofMillis(window), Duration.ofMillis(lateness), fpp, slices);
  }
}
