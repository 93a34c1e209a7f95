package dev.bellows.window;

import dev.bellows.internal.base.Prose;
import java.time.Duration;

/** Formats durations for humans. */
final class Spans {
  private Spans() {}

  /**
   * Returns a duration in the largest unit that divides it, e.g. {@code 24 hours} or {@code 90
   * seconds}.
   */
  static String of(Duration span) {
    long millis = span.toMillis();
    String[] units = {"day", "hour", "minute", "second"};
    long[] sizes = {86_400_000, 3_600_000, 60_000, 1000};
    for (int i = 0; i < units.length; i++) {
      // a single day is written as 24 hours
      if (millis % sizes[i] == 0 && millis >= (i == 0 ? 2 : 1) * sizes[i]) {
        return Prose.plural(millis / sizes[i], units[i]);
      }
    }
    return Prose.plural(millis, "millisecond");
  }
}
