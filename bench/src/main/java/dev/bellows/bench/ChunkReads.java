package dev.bellows.bench;

import dev.bellows.growth.FingerprintPlan;
import java.util.SplittableRandom;

/**
 * The memory accesses of a query in chunks, without computation: for each hash the directory, the
 * first word of its chunk, one word of the counts of buckets and one of the slots, which depends on
 * it, with next to no computation. No filter of this form can be faster. Its answers are random.
 */
final class ChunkReads implements Grower {
  /** The words of a chunk of a fingerprint filter that is as full as the mean. */
  private static final int WORDS = 104;

  private static final int MOST_KEYS = FingerprintPlan.of(FPP).chunkKeys();
  private static final int FIRST = 2;
  private static final int INDEX_WORDS = 16;
  private static final int SLOT_WORDS = WORDS - FIRST - INDEX_WORDS - 1;
  private static final int GROUP = 32;

  private long keys;
  private long[][] directory = new long[0][];
  private int shift;

  /** What was read before it is needed: kept, because the compiler drops reads otherwise. */
  long seen;

  @Override
  public void putAll(long[] hashes, int from, int to) {
    keys += to - from;
  }

  private void build() {
    if (directory.length > 0) {
      return;
    }
    // as many chunks as the filter has: the power of two at which none is over its keys
    int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, (keys - 1) / MOST_KEYS));
    SplittableRandom random = new SplittableRandom(20);
    directory = new long[1 << bits][WORDS];
    for (long[] chunk : directory) {
      for (int i = 1; i < WORDS; i++) {
        chunk[i] = random.nextLong();
      }
      chunk[0] = WORDS - 1;
    }
    shift = Long.SIZE - bits;
  }

  private static int index(long hash) {
    return FIRST + ((((int) hash & 0xFFFF) * INDEX_WORDS) >>> 16);
  }

  private static int slots(long head, long hash) {
    return (int) head - ((((int) hash & 0xFFFF) * SLOT_WORDS) >>> 16);
  }

  private static int ask(long[] chunk, long hash) {
    long head = chunk[0];
    int depending = (int) chunk[index(hash)] & 1;
    return (int) (chunk[slots(head, hash) - depending] >>> hash) & 1;
  }

  @Override
  public int countSingly(long[] hashes) {
    build();
    int count = 0;
    for (long hash : hashes) {
      count += ask(directory[(int) (hash >>> shift)], hash);
    }
    return count;
  }

  @Override
  public int countInBatches(long[] hashes, boolean[] hits) {
    build();
    long[][] chunks = new long[GROUP][];
    int count = 0;
    for (int start = 0; start + GROUP <= hashes.length; start += GROUP) {
      for (int i = 0; i < GROUP; i++) {
        chunks[i] = directory[(int) (hashes[start + i] >>> shift)];
      }
      long any = 0;
      for (int i = 0; i < GROUP; i++) {
        any |= chunks[i][0];
      }
      for (int i = 0; i < GROUP; i++) {
        long hash = hashes[start + i];
        any |= chunks[i][index(hash)] | chunks[i][slots(WORDS - 1, hash)];
      }
      seen = any;
      for (int i = 0; i < GROUP; i++) {
        int hit = ask(chunks[i], hashes[start + i]);
        hits[start + i] = hit != 0;
        count += hit;
      }
    }
    return count;
  }
}
