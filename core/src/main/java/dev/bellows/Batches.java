package dev.bellows;

import java.util.Objects;
import java.util.function.IntToLongFunction;

/** Hashes arrays of keys in pieces and passes each piece on as an array of hashes. */
final class Batches {
  private static final int PIECE = 512;

  private Batches() {}

  static int count(Membership filter, int keys, boolean[] hits, IntToLongFunction hashOf) {
    Objects.checkFromToIndex(0, keys, hits.length);
    long[] hashes = new long[Math.min(keys, PIECE)];
    boolean[] answers = new boolean[hashes.length];
    int count = 0;
    for (int from = 0; from < keys; from += PIECE) {
      int length = hash(from, keys, hashes, hashOf);
      count += filter.countMightContainHashes(hashes, 0, length, answers);
      System.arraycopy(answers, 0, hits, from, length);
    }
    return count;
  }

  static int put(KeyFilter filter, int keys, IntToLongFunction hashOf) {
    long[] hashes = new long[Math.min(keys, PIECE)];
    int changed = 0;
    for (int from = 0; from < keys; from += PIECE) {
      changed += filter.putHashes(hashes, 0, hash(from, keys, hashes, hashOf));
    }
    return changed;
  }

  private static int hash(int from, int keys, long[] hashes, IntToLongFunction hashOf) {
    int length = Math.min(hashes.length, keys - from);
    for (int i = 0; i < length; i++) {
      hashes[i] = hashOf.applyAsLong(from + i);
    }
    return length;
  }
}
