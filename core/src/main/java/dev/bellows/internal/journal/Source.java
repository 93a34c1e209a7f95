package dev.bellows.internal.journal;

/**
 * Which folder a replica follows, and how far.
 *
 * @param id the id of the folder; 0 for none
 * @param epoch the version of the last removal there
 * @param version all changes before it have arrived
 * @param ahead some changes up to here have arrived; at least the version
 */
public record Source(long id, long epoch, long version, long ahead) {
  /** Follows nothing. */
  public static final Source NONE = new Source(0, 0, 0, 0);

  /** The words that it takes. */
  public static final int WORDS = 4;

  void toWords(long[] words, int at) {
    words[at] = id;
    words[at + 1] = epoch;
    words[at + 2] = version;
    words[at + 3] = ahead;
  }

  /** The state in its words. */
  public static Source ofWords(long[] words, int at) {
    return new Source(words[at], words[at + 1], words[at + 2], words[at + 3]);
  }
}
