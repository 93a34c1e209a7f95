package dev.bellows.window;

import dev.bellows.internal.base.Prose;
import java.time.Duration;

/** Durations as people say them. */
final class Spans {
  private Spans() {}

  /** {@code 24 hours}, {@code 90 seconds}: the largest unit of which there are whole ones. */
  static String of(Duration span) {
    long millis = span.toMillis();
    String[] units = {"day", "hour", "minute", "second"};
    long[] sizes = {86_400_000, 3_600_000, 60_000, 1000};
    for (int i = 0; i < units.length; i++) {
      // 24 hours is what people call a day's window
      if (millis % sizes[i] == 0 && millis >= (i == 0 ? 2 : 1) * sizes[i]) {
        return Prose.plural(millis / sizes[i], units[i]);
      }
    }
    return Prose.plural(millis, "millisecond");
  }
}
