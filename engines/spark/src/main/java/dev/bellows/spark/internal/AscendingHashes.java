package dev.bellows.spark.internal;

/** Distinct hashes one after the other, ascending as unsigned numbers. */
interface AscendingHashes {
  /** Returns how many there are in all; of a union, an upper bound. */
  int count();

  /** Advances to the next hash; returns false after the last one. */
  boolean next();

  /** Returns the hash that {@link #next} went to. */
  long hash();

  /** Returns the hashes of either side, merged while they are read. */
  static AscendingHashes union(AscendingHashes a, AscendingHashes b) {
    return new AscendingHashes() {
      private boolean hasA = a.next();
      private boolean hasB = b.next();
      private long hash;

      /** At most this many. */
      @Override
      public int count() {
        return Math.addExact(a.count(), b.count());
      }

      @Override
      public boolean next() {
        if (!hasA && !hasB) {
          return false;
        }
        int order = !hasB ? -1 : !hasA ? 1 : Long.compareUnsigned(a.hash(), b.hash());
        hash = order <= 0 ? a.hash() : b.hash();
        hasA = order <= 0 ? a.next() : hasA;
        hasB = order >= 0 ? b.next() : hasB;
        return true;
      }

      @Override
      public long hash() {
        return hash;
      }
    };
  }

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
