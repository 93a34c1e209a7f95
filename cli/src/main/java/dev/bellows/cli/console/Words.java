package dev.bellows.cli.console;

import java.util.List;

/** Lists of words in sentences. */
public final class Words {
  private Words() {}

  /** Returns the words with commas between them, and the last one after a conjunction. */
  public static String list(List<String> words, String conjunction) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " " + conjunction + " " + words.get(last);
  }
}
