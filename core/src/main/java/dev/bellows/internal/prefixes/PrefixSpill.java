package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKET_BITS;

/**
 * The slots of a {@link PrefixChunk} that found no place among those of their bucket, a few in a
 * hundred: each with the number of its bucket on top, in order, from the end of the array
 * downwards.
 */
final class PrefixSpill {
  private PrefixSpill() {}

  private static int width(long head) {
    return PrefixHead.width(head) + BUCKET_BITS;
  }

  private static long get(long[] chunk, long head, int index) {
    int width = width(head);
    return BitRuns.get(chunk, (chunk.length << 6) - (index + 1) * width, width);
  }

  private static void set(long[] chunk, long head, int index, long entry) {
    int width = width(head);
    BitRuns.set(chunk, (chunk.length << 6) - (index + 1) * width, width, entry);
  }

  static long slot(long[] chunk, long head, int index) {
    return get(chunk, head, index) & ~(-1L << PrefixHead.width(head));
  }

  static int bucket(long[] chunk, long head, int index) {
    return (int) (get(chunk, head, index) >>> PrefixHead.width(head));
  }

  /** Where those of a bucket begin, or would begin. */
  static int first(long[] chunk, long head, int bucket) {
    int first = 0;
    int end = PrefixHead.spilled(head);
    while (first < end) {
      int middle = (first + end) >>> 1;
      if (bucket(chunk, head, middle) < bucket) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  /** How many a bucket has. */
  static int run(long[] chunk, long head, int bucket) {
    return PrefixHead.spilled(head) == 0
        ? 0
        : first(chunk, head, bucket + 1) - first(chunk, head, bucket);
  }

  /** Whether a bucket has one that matches. */
  static boolean contains(long[] chunk, long head, int bucket, long wanted) {
    int spilled = PrefixHead.spilled(head);
    for (int i = first(chunk, head, bucket); i < spilled; i++) {
      if (bucket(chunk, head, i) != bucket) {
        return false;
      }
      if (PrefixHead.matches(slot(chunk, head, i), wanted)) {
        return true;
      }
    }
    return false;
  }

  /** Where a slot of a bucket belongs. */
  static int place(long[] chunk, long head, int bucket, long slot) {
    int place = first(chunk, head, bucket);
    int end = first(chunk, head, bucket + 1);
    while (place < end && PrefixHead.precedes(slot(chunk, head, place), slot)) {
      place++;
    }
    return place;
  }

  /** Inserts a slot where there is room for it, all or nothing; the head stays as it is. */
  static void insert(long[] chunk, long head, int index, int bucket, long slot) {
    int width = width(head);
    int spilled = PrefixHead.spilled(head);
    long entry = ((long) bucket << PrefixHead.width(head)) | slot;
    if (width == Long.SIZE) {
      for (int i = chunk.length - 1 - spilled; i < chunk.length - 1 - index; i++) {
        chunk[i] = chunk[i + 1];
      }
      chunk[chunk.length - 1 - index] = entry;
      return;
    }
    int end = chunk.length << 6;
    BitRuns.moveDown(chunk, end - spilled * width, end - index * width, width);
    // nothing is called from here on
    int bit = end - (index + 1) * width;
    int word = bit >>> 6;
    chunk[word] = (chunk[word] & ~((-1L >>> -width) << bit)) | (entry << bit);
    int inFirst = 64 - (bit & 63);
    if (inFirst < width) {
      chunk[word + 1] = (chunk[word + 1] & (-1L << (width - inFirst))) | (entry >>> inFirst);
    }
  }

  /** Deletes a slot, all or nothing; the head stays as it is. */
  static void delete(long[] chunk, long head, int index) {
    int width = width(head);
    int spilled = PrefixHead.spilled(head);
    if (width == Long.SIZE) {
      for (int i = chunk.length - 1 - index; i > chunk.length - spilled; i--) {
        chunk[i] = chunk[i - 1];
      }
      return;
    }
    int end = chunk.length << 6;
    BitRuns.moveUp(chunk, end - spilled * width, end - (index + 1) * width, width);
  }

  /** Copies all to a larger chunk with slots of the same width. */
  static void copy(long[] chunk, long[] larger, long head) {
    int spilled = PrefixHead.spilled(head);
    int words = (spilled * width(head)) >>> 6;
    System.arraycopy(chunk, chunk.length - words, larger, larger.length - words, words);
    // slots may reach into the word before these
    for (int i = (words << 6) / width(head); i < spilled; i++) {
      set(larger, head, i, get(chunk, head, i));
    }
  }
}
