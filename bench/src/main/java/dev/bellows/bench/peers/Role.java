package dev.bellows.bench.peers;

/** The role of a contender in an operation. */
public enum Role {
  /** A filter over longs, sized for its keys. */
  LONGS("Plain"),
  /** A filter over text. */
  TEXTS("Plain"),
  /** A filter over arrays of 16 bytes. */
  BYTES("Plain"),
  /** A filter over longs whose keys can be removed. */
  COUNTING("Counting"),
  /** A filter over longs, with an unknown number of keys. */
  GROWING("Growing"),
  /** A filter over ids below 2^30, with an unknown number of keys. */
  IDS("Ids"),
  /** A filter over longs in 2^27 counters with 20 hashes. */
  THRESHOLDS("Thresholds"),
  /** A filter over ranges of numbers. */
  RANGES("Ranges"),
  /** A filter over longs that holds its rate from the first key on. */
  ELASTIC("Elastic"),
  /** A filter over longs that is built from all of its keys at once, at a rate of 1/256. */
  STATIC("Static"),
  /** A filter over longs that come evenly within one window of time, and expire. */
  EXPIRING("Expiring"),
  /** Two filters that become their union. */
  UNION("Plain"),
  /** Two filters that become their intersection. */
  INTERSECTION("Plain"),
  /** A filter that becomes one of half its size. */
  FOLD("Plain"),
  /** A filter that is written to memory. */
  WRITE("Plain"),
  /** A filter that is read from memory. */
  READ("Plain"),
  /** Memory that is copied to fresh memory. */
  COPY("Plain");

  private final String className;

  Role(String className) {
    this.className = className;
  }

  /** Returns the simple name of the nested class that plays it. */
  String className() {
    return className;
  }

  /** Returns whether it is about single keys that are longs. */
  public boolean overLongs() {
    return !overObjects() && compareTo(UNION) < 0;
  }

  /** Returns whether it is about single keys that are texts or arrays. */
  public boolean overObjects() {
    return this == TEXTS || this == BYTES;
  }

  /** Returns whether absent keys determine its false positive rate. */
  public boolean hasRate() {
    return this == LONGS || overObjects() || this == COUNTING || this == GROWING || this == STATIC;
  }
}
