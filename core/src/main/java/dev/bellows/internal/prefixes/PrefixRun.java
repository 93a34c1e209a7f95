package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKETS;
import static dev.bellows.internal.prefixes.PrefixChunk.BUCKET_BITS;
import static dev.bellows.internal.prefixes.PrefixChunk.MAX_ENDINGS;

import java.util.Arrays;

/** Some prefixes in their order, which may become those of one chunk. */
final class PrefixRun {
  private long[] bits = new long[16];
  private byte[] lengths = new byte[16];
  private int count;

  /** The prefixes of a chunk that does not change, with zeros for the bits that choose it. */
  static PrefixRun of(long[] chunk, long head) {
    PrefixRun run = new PrefixRun();
    PrefixWalk walk = new PrefixWalk(chunk, head);
    while (walk.next()) {
      run.add(
          PrefixHead.prefix(head, 0, walk.bucket, walk.slot), PrefixHead.length(head, walk.slot));
    }
    return run;
  }

  void add(long newBits, int length) {
    if (count == bits.length) {
      bits = Arrays.copyOf(bits, 2 * count);
      lengths = Arrays.copyOf(lengths, 2 * count);
    }
    bits[count] = newBits;
    lengths[count++] = (byte) length;
  }

  private void add(long newBits, int length, int times) {
    for (int i = 0; i < times; i++) {
      add(newBits, length);
    }
  }

  /** Adds so many prefixes of the length of each of these, or takes them away. */
  void addTo(PrefixTally tally, int times) {
    int[] counts = new int[PrefixChunk.MAX_LENGTH + 1];
    for (int i = 0; i < count; i++) {
      counts[lengths[i]] += times;
    }
    for (int length = 0; length < counts.length; length++) {
      if (counts[length] != 0) {
        tally.add(length, counts[length]);
      }
    }
  }

  int count() {
    return count;
  }

  long bits(int index) {
    return bits[index];
  }

  int length(int index) {
    return lengths[index];
  }

  int longest() {
    int longest = 0;
    for (int i = 0; i < count; i++) {
      longest = Math.max(longest, lengths[i]);
    }
    return longest;
  }

  /** The slots that they take in a chunk of a depth. */
  long slots(int depth) {
    long slots = 0;
    int repeated = 0;
    for (int i = 0; i < count; i++) {
      repeated = isRepeated(i) ? repeated + 1 : 0;
      int missing = depth + BUCKET_BITS - lengths[i];
      slots += missing <= 0 ? 1 : repeated < MAX_ENDINGS ? 1L << missing : 0;
    }
    return slots;
  }

  /** Whether a prefix equals the one before it. */
  boolean isRepeated(int index) {
    return index > 0 && bits[index] == bits[index - 1] && lengths[index] == lengths[index - 1];
  }

  /** Whether all prefixes reach to the buckets of a depth. */
  boolean reaches(int depth) {
    for (int i = 0; i < count; i++) {
      if (lengths[i] < depth + BUCKET_BITS) {
        return false;
      }
    }
    return true;
  }

  /** A chunk of prefixes that all reach to its buckets. */
  long[] chunk(int depth, int leastWidth) {
    int width = Math.max(leastWidth, longest() - depth - BUCKET_BITS + 1);
    long[] chunk = PrefixChunk.create(depth, width, PrefixChunk.roomFor(count));
    for (int i = 0; i < count; i++) {
      long slot = PrefixHead.slot(chunk[0], bits[i], lengths[i]);
      chunk = PrefixChunk.appended(chunk, PrefixHead.bucket(chunk[0], bits[i]), slot);
    }
    return chunk;
  }

  /**
   * Prefixes of a chunk that match all that these match, and hashes near them, in few slots: only
   * hashes that were chosen fill a bucket.
   *
   * <p>Where a bucket has too many, a set cuts its prefixes until half as many are left. A
   * removable filter cannot, because every put is counted: there {@link PrefixChunk#MAX_ENDINGS}
   * prefixes without bits replace them, which cover the bucket and stay.
   *
   * @param most the most slots of a bucket that stays as it is
   */
  PrefixRun covered(int depth, int most, boolean isSet) {
    int end = depth + BUCKET_BITS;
    long address = PrefixSource.first(bits[0], depth);
    int[] wide = wide(depth);
    PrefixRun covered = new PrefixRun();
    int next = 0;
    for (int bucket = 0; bucket < BUCKETS; bucket++) {
      long its = address | (long) bucket << (64 - end);
      while (next < count && bits[next] == its && lengths[next] < end) {
        next++;
      }
      int from = next;
      while (next < count && PrefixSource.first(bits[next], end) == its) {
        next++;
      }
      if (wide[bucket] + next - from <= most) {
        covered.add(its, end, wide[bucket]);
        for (int i = from; i < next; i++) {
          covered.add(bits[i], lengths[i]);
        }
      } else if (isSet) {
        cut(from, next, end, most / 2, covered);
      } else {
        covered.add(its, end, MAX_ENDINGS);
      }
    }
    return covered;
  }

  /** How many prefixes that do not reach to a bucket cover it, of many equal ones only some. */
  private int[] wide(int depth) {
    int[] wide = new int[BUCKETS];
    int repeated = 0;
    for (int i = 0; i < count; i++) {
      repeated = isRepeated(i) ? repeated + 1 : 0;
      int missing = depth + BUCKET_BITS - lengths[i];
      if (missing > 0 && repeated < MAX_ENDINGS) {
        int first = PrefixHead.bucket(PrefixHead.of(depth, 1), bits[i]);
        for (int bucket = first; bucket < first + (1 << missing); bucket++) {
          wide[bucket]++;
        }
      }
    }
    return wide;
  }

  /**
   * Cuts prefixes, none of which covers another, to the most bits in which at most so many differ.
   */
  private void cut(int from, int to, int least, int most, PrefixRun cut) {
    int[] agreeing = new int[Long.SIZE + 1];
    for (int i = from + 1; i < to; i++) {
      agreeing[Long.numberOfLeadingZeros(bits[i - 1] ^ bits[i])]++;
    }
    int length = least;
    int different = 1;
    while (length < PrefixChunk.MAX_LENGTH && different + agreeing[length] <= most) {
      different += agreeing[length++];
    }
    for (int i = from; i < to; i++) {
      int kept = Math.min(length, lengths[i]);
      long first = PrefixSource.first(bits[i], kept);
      if (i == from || cut.bits[cut.count - 1] != first) {
        cut.add(first, kept);
      }
    }
  }
}
