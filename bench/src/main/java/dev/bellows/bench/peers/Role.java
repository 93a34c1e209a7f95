package dev.bellows.bench.peers;

/** What a contender is asked to be in an operation. */
public enum Role {
  /** A filter over longs, sized for its keys. */
  LONGS("Longs"),
  /** A filter over text. */
  TEXTS("Texts"),
  /** A filter over arrays of 16 bytes. */
  BYTES("Bytes"),
  /** A filter over longs that takes keys back. */
  COUNTING("Counting"),
  /** A filter over longs that was not told how many come. */
  GROWING("Growing"),
  /** A filter over ids below 2^30 that was not told how many come. */
  IDS("Ids"),
  /** A filter over longs in 2^27 counters with 20 hashes. */
  THRESHOLDS("Thresholds"),
  /** A filter over ranges of numbers. */
  RANGES("Ranges"),
  /** A filter over longs that holds its rate from the first key on. */
  ELASTIC("Elastic"),
  /** Two filters that become their union. */
  UNION("Whole"),
  /** Two filters that become their intersection. */
  INTERSECTION("Whole"),
  /** A filter that becomes one of half its size. */
  FOLD("Whole"),
  /** A filter that is written to memory. */
  WRITE("Whole"),
  /** A filter that is read from memory. */
  READ("Whole"),
  /** Memory that is copied to fresh memory. */
  COPY("Whole");

  private final String className;

  Role(String className) {
    this.className = className;
  }

  /** The simple name of the nested class that plays it. */
  String className() {
    return className;
  }

  /** Whether it is played by a {@link LongsFilter}. */
  public boolean overLongs() {
    return !overObjects() && !className.equals("Whole");
  }

  /** Whether it is played by a {@link KeyedFilter}. */
  public boolean overObjects() {
    return this == TEXTS || this == BYTES;
  }

  /** Whether absent keys tell its false positive rate. */
  public boolean hasRate() {
    return this == LONGS || overObjects() || this == COUNTING || this == GROWING;
  }
}
