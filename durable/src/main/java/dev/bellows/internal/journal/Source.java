package dev.bellows.internal.journal;

/**
 * The folder that a replica follows, and the changes that have arrived from it.
 *
 * @param id the id of the folder; 0 for none
 * @param epoch the version of the last removal there
 * @param version the version up to which all changes have arrived
 * @param ahead the highest version up to which some changes have arrived; at least {@code version}
 */
public record Source(long id, long epoch, long version, long ahead) {
  /** The source of a filter that follows no folder. */
  public static final Source NONE = new Source(0, 0, 0, 0);

  /** The number of words of an encoded source. */
  public static final int WORDS = 4;

  long[] toWords() {
    return new long[] {id, epoch, version, ahead};
  }

  /** Returns the source that is encoded in these words. */
  public static Source ofWords(long[] words, int at) {
    return new Source(words[at], words[at + 1], words[at + 2], words[at + 3]);
  }
}
