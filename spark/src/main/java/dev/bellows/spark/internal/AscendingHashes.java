package dev.bellows.spark.internal;

/** Distinct hashes one after the other, ascending as unsigned numbers. */
interface AscendingHashes {
  /** Returns how many there are in all. */
  int count();

  /** Goes to the next hash; false behind the last one. */
  boolean next();

  /** Returns the hash that {@link #next} went to. */
  long hash();

  /** Those of a sorted array. */
  static AscendingHashes of(long[] sorted) {
    return new AscendingHashes() {
      private int at = -1;

      @Override
      public int count() {
        return sorted.length;
      }

      @Override
      public boolean next() {
        return ++at < sorted.length;
      }

      @Override
      public long hash() {
        return sorted[at];
      }
    };
  }
}
