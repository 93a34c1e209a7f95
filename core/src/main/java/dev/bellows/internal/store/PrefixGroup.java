package dev.bellows.internal.store;

/** The chunks of some hashes, brought near all at once. */
final class PrefixGroup {
  static final int SIZE = 32;

  final long[][] chunks = new long[SIZE][];

  /** What was seen there: kept, because the compiler drops reads that lead nowhere. */
  long seen;

  void touch(long[][] entries, long usual, long[] hashes, int start, int length) {
    for (int i = 0; i < length; i++) {
      chunks[i] =
          (long[])
              PrefixStore.ENTRY.getAcquire(entries, PrefixStore.index(entries, hashes[start + i]));
    }
    long any = 0;
    for (int i = 0; i < length; i++) {
      any |= PrefixChunk.touch(chunks[i], usual, hashes[start + i]);
    }
    seen = any;
  }
}
