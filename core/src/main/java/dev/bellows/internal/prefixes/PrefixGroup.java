package dev.bellows.internal.prefixes;

/**
 * A batch of queries in steps, so that their cache misses overlap: what each step reads follows
 * from the one before, for all hashes, and its reads do not wait for each other. Steps that read
 * memory do little else, because a processor looks only some hundred instructions ahead.
 */
final class PrefixGroup {
  static final int SIZE = 32;

  private final long[][] chunks = new long[SIZE][];

  /** The heads as they were when the places of the slots were taken from the counts. */
  private final long[] heads = new long[SIZE];

  /** How many slots lie before those of the bucket. */
  private final int[] starts = new int[SIZE];

  /** The first word of these slots, and a word of the spilled ones where there may be some. */
  private final int[] near = new int[SIZE];

  private final int[] far = new int[SIZE];

  /** What was seen there: kept, because the compiler drops reads that lead nowhere. */
  long seen;

  /** Tests the hashes of {@code [from, to)}. */
  int count(PrefixStore store, long[] hashes, int from, int to, boolean[] hits) {
    int count = 0;
    int length;
    for (int start = from; start < to; start += length) {
      length = Math.min(SIZE, to - start);
      long usual = store.usual();
      touch(store.directory(), usual, hashes, start, length);
      for (int i = 0; i < length; i++) {
        boolean hit = store.contains(chunks[i], heads[i], usual, hashes[start + i], starts[i]);
        hits[start + i] = hit;
        count += hit ? 1 : 0;
      }
    }
    return count;
  }

  private void touch(long[][] entries, long usual, long[] hashes, int from, int length) {
    for (int i = 0; i < length; i++) {
      chunks[i] = PrefixStore.chunk(entries, hashes[from + i]);
    }
    long any = 0;
    for (int i = 0; i < length; i++) {
      any |= PrefixChunk.touch(chunks[i], PrefixChunk.bucket(usual, hashes[from + i]));
    }
    for (int i = 0; i < length; i++) {
      long[] chunk = chunks[i];
      long head = PrefixLock.head(chunk);
      int bucket = PrefixChunk.bucket(usual, hashes[from + i]);
      int start = PrefixChunk.start(chunk, head, bucket);
      heads[i] = head;
      starts[i] = start;
      // in a chunk that changes, or of another shape, they may lead out of it
      int last = chunk.length - 1;
      int word = Math.min(PrefixChunk.wordOf(usual, start), last - 1);
      near[i] = word;
      far[i] = PrefixChunk.packed(chunk, bucket) == PrefixChunk.FULL ? last : word;
    }
    for (int i = 0; i < length; i++) {
      long[] chunk = chunks[i];
      any |= chunk[near[i]] | chunk[near[i] + 1] | chunk[far[i]];
    }
    seen = any;
  }
}
