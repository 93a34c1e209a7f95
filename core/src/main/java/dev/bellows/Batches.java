package dev.bellows;

import java.util.Objects;
import java.util.function.IntToLongFunction;

/** Hashes arrays of keys piece by piece and passes the hashes of each piece to a receiver. */
final class Batches {
  private static final int PIECE = 512;

  private Batches() {}

  /** Receives the hashes of a piece. */
  @FunctionalInterface
  interface Receiver {
    /**
     * Receives the first {@code length} elements of {@code hashes}, which are the hashes of the
     * keys starting at index {@code from}, and returns the count for this piece.
     */
    int receive(int from, long[] hashes, int length);
  }

  static int count(Membership filter, int keys, boolean[] hits, IntToLongFunction hashOf) {
    Objects.checkFromToIndex(0, keys, hits.length);
    boolean[] answers = new boolean[Math.min(keys, PIECE)];
    return inPieces(
        0,
        keys,
        hashOf,
        (from, hashes, length) -> {
          int count = filter.countMightContainHashes(hashes, 0, length, answers);
          System.arraycopy(answers, 0, hits, from, length);
          return count;
        });
  }

  static int put(KeyFilter filter, int keys, IntToLongFunction hashOf) {
    return inPieces(0, keys, hashOf, (from, hashes, length) -> filter.putHashes(hashes, 0, length));
  }

  /**
   * Passes the hashes of the keys in {@code [from, to)} to the receiver and returns the sum of its
   * results.
   */
  static int inPieces(int from, int to, IntToLongFunction hashOf, Receiver receiver) {
    long[] hashes = new long[Math.min(to - from, PIECE)];
    int sum = 0;
    int length;
    // advance by the length of the piece, not by PIECE, so that the index cannot overflow
    for (int at = from; at < to; at += length) {
      length = Math.min(hashes.length, to - at);
      for (int i = 0; i < length; i++) {
        hashes[i] = hashOf.applyAsLong(at + i);
      }
      sum += receiver.receive(at, hashes, length);
    }
    return sum;
  }
}
