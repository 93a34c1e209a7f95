package dev.bellows.internal.prefixes;

/**
 * A batch of queries that is processed in steps, so that cache misses overlap. Each step reads, for
 * all hashes of the batch, the words that the previous step has located; these reads do not depend
 * on each other. Steps that read memory do little else, because a processor looks only a few
 * hundred instructions ahead.
 */
final class PrefixGroup {
  static final int SIZE = 32;

  private final long[][] chunks = new long[SIZE][];

  /** The heads as they were when the slots were located. */
  private final long[] heads = new long[SIZE];

  /** The number of slots before those of the bucket. */
  private final int[] starts = new int[SIZE];

  /** The first word of these slots, or a word of the spilled ones if there may be any. */
  private final int[] near = new int[SIZE];

  private final int[] far = new int[SIZE];

  /** The values read, which are kept because the compiler would eliminate unused reads. */
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
      // in a chunk that is changing or has another shape, indices may be out of range
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
