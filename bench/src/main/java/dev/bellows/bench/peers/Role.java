package dev.bellows.bench.peers;

/** The role of a contender in an operation. */
public enum Role {
  /** A filter over longs, sized for its keys. */
  LONGS,
  /** A filter over text. */
  TEXTS,
  /** A filter over arrays of 16 bytes. */
  BYTES,
  /** A filter over longs whose keys can be removed. */
  COUNTING,
  /** A filter over longs, with an unknown number of keys. */
  GROWING,
  /** A filter over ids below 2^30, with an unknown number of keys. */
  IDS,
  /** A filter over longs in 2^27 counters with 20 hashes. */
  THRESHOLDS,
  /** A filter over ranges of numbers. */
  RANGES,
  /** A filter over longs that holds its rate from the first key on. */
  ELASTIC,
  /** A filter over longs that is built from all of its keys at once, at a rate of 1/256. */
  STATIC,
  /** A filter over longs that come evenly within one window of time, and expire. */
  EXPIRING,
  /** Two filters that become their union. */
  UNION,
  /** Two filters that become their intersection. */
  INTERSECTION,
  /** A filter that becomes one of half its size. */
  FOLD,
  /** A filter that is written to memory. */
  WRITE,
  /** A filter that is read from memory. */
  READ,
  /** Memory that is copied to fresh memory. */
  COPY;

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
