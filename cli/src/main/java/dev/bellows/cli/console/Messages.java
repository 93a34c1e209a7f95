package dev.bellows.cli.console;

import dev.bellows.internal.base.Prose;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages, and lists of words in them. */
public final class Messages {
  private Messages() {}

  /**
   * Returns a message with values in it, as {@link String#format} inserts them in any locale; one
   * without values is taken as it is.
   */
  public static String of(String message, @Nullable Object... values) {
    return values.length == 0 ? message : Prose.format(message, values);
  }

  /**
   * Returns a span of time, e.g. {@code 1d3h} or {@code 10m12.8s}, with two units or more digits.
   */
  public static String span(long millis) {
    if (millis < 1000) {
      return millis + "ms";
    }
    long tenths = (millis + 99) / 100;
    long seconds = tenths / 10;
    String rest = tenths % 10 == 0 ? "" : "." + tenths % 10;
    long[] parts = {seconds / 86_400, seconds / 3600 % 24, seconds / 60 % 60};
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < parts.length; i++) {
      text.append(parts[i] == 0 ? "" : parts[i] + "dhm".substring(i, i + 1));
    }
    boolean hasSeconds = seconds % 60 > 0 || !rest.isEmpty();
    return hasSeconds
        ? text.append(seconds % 60).append(rest).append('s').toString()
        : text.toString();
  }

  /** Returns the words with commas between them, and the last one after a conjunction. */
  public static String list(List<String> words, String conjunction) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " " + conjunction + " " + words.get(last);
  }
}
