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

  /** Returns the words with commas between them, and the last one after a conjunction. */
  public static String list(List<String> words, String conjunction) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " " + conjunction + " " + words.get(last);
  }
}
