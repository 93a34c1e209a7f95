package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKETS;
import static dev.bellows.internal.prefixes.PrefixChunk.BUCKET_BITS;

import dev.bellows.internal.prefixes.PrefixStore.Tags;
import java.util.Arrays;

/**
 * A sorted list of prefixes: an unpacked chunk, or one that is yet to be packed. Prefixes that are
 * too short to determine a bucket cover several buckets.
 */
final class PrefixRun {
  /** The number of equal endings at which they become sticky. */
  static final int STICKY_ENDINGS = 8;

  private final Tags tags;
  private long[] bits;
  private byte[] lengths;

  /** The tags of the prefixes, if they have any. */
  private byte[] ofTags;

  private int count;

  /** The number of copies that this run, rather than an earlier one, has created. */
  private int copies;

  /** Whether sticky prefixes were copied. */
  private boolean hasSticky;

  PrefixRun(Tags tags, int expected) {
    this.tags = tags;
    this.bits = new long[expected];
    this.lengths = new byte[expected];
    this.ofTags = new byte[isTagged() ? expected : 0];
  }

  private boolean isTagged() {
    return tags.bits() > 0;
  }

  /** Adds the prefixes of the chunk at an address. The chunk must not change in the meantime. */
  PrefixRun addAll(long[] chunk, long head, long address) {
    ensureRoom(PrefixChunk.count(head));
    int width = PrefixChunk.width(head);
    int spilled = PrefixChunk.spilled(head);
    int index = 0;
    int spill = 0;
    for (int group = 0; group < BUCKETS; group += Long.SIZE) {
      for (long left = PrefixChunk.filledBuckets(chunk, group); left != 0; left &= left - 1) {
        int bucket = group + Long.numberOfTrailingZeros(left);
        int packed = PrefixChunk.packed(chunk, bucket);
        for (int i = 0; i < packed; i++) {
          add(head, address, bucket, PrefixChunk.slot(chunk, width, index++));
        }
        while (packed == PrefixChunk.FULL
            && spill < spilled
            && PrefixChunk.spilledBucket(chunk, head, spill) == bucket) {
          add(head, address, bucket, PrefixChunk.spilledSlot(chunk, head, spill++));
        }
      }
    }
    return this;
  }

  /** Adds the prefix in a slot. */
  private void add(long head, long address, int bucket, long slot) {
    long prefix = PrefixChunk.prefix(head, address, bucket, slot);
    add(prefix, PrefixChunk.length(head, slot), PrefixChunk.tag(head, slot));
  }

  void add(long newBits, int length, int tag) {
    ensureRoom(1);
    bits[count] = newBits;
    if (isTagged()) {
      ofTags[count] = (byte) tag;
    }
    lengths[count++] = (byte) length;
  }

  private void add(long newBits, int length, int tag, int times) {
    for (int i = 0; i < times; i++) {
      add(newBits, length, tag);
    }
  }

  /** Adds the prefixes {@code [from, to)} of another run. */
  private void addAll(PrefixRun other, int from, int to) {
    int added = to - from;
    ensureRoom(added);
    System.arraycopy(other.bits, from, bits, count, added);
    System.arraycopy(other.lengths, from, lengths, count, added);
    if (isTagged()) {
      System.arraycopy(other.ofTags, from, ofTags, count, added);
    }
    count += added;
  }

  private void ensureRoom(int more) {
    if (count + more > bits.length) {
      int room = Math.max(count + more, 2 * count);
      bits = Arrays.copyOf(bits, room);
      lengths = Arrays.copyOf(lengths, room);
      ofTags = isTagged() ? Arrays.copyOf(ofTags, room) : ofTags;
    }
  }

  /** Returns the prefixes that are not {@linkplain Tags#isDead dead}; this run if none is dead. */
  PrefixRun live() {
    if (!isTagged()) {
      return this;
    }
    PrefixRun live = new PrefixRun(tags, count);
    for (int i = 0; i < count; i++) {
      if (!tags.isDead(tag(i))) {
        live.add(bits[i], lengths[i], tag(i));
      }
    }
    return live.count == count ? this : live;
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

  /** Returns the tag of a prefix; 0 if there are none. */
  int tag(int index) {
    return isTagged() ? ofTags[index] & 0xFF : 0;
  }

  int copies() {
    return copies;
  }

  boolean hasSticky() {
    return hasSticky;
  }

  /** Returns the index of the first prefix whose bits are not less than these. */
  int indexOf(long first) {
    int index = 0;
    while (index < count && Long.compareUnsigned(bits[index], first) < 0) {
      index++;
    }
    return index;
  }

  int longest() {
    int longest = 0;
    for (int i = 0; i < count; i++) {
      longest = Math.max(longest, lengths[i]);
    }
    return longest;
  }

  /**
   * Adds the number of prefixes of each length and tag, multiplied by {@code times}, to these
   * counts.
   */
  void addTo(int[] counts, int times) {
    for (int i = 0; i < count; i++) {
      counts[PrefixTally.place(lengths[i], tag(i))] += times;
    }
  }

  /**
   * Returns whether all prefixes are long enough to determine a bucket of a chunk of this depth.
   */
  boolean reaches(int depth) {
    return countBelow(depth + BUCKET_BITS) == 0;
  }

  /** Returns the number of prefixes that have fewer bits. */
  int countBelow(int length) {
    int below = 0;
    for (int i = 0; i < count; i++) {
      below += lengths[i] < length ? 1 : 0;
    }
    return below;
  }

  /** Returns the maximum number of slots that they take in a chunk of this depth. */
  long slots(int depth) {
    long slots = 0;
    int repeated = 0;
    for (int i = 0; i < count; i++) {
      repeated = isRepeated(i) ? repeated + 1 : 0;
      int missing = depth + BUCKET_BITS - lengths[i];
      slots += missing <= 0 ? 1 : repeated < STICKY_ENDINGS ? 1L << missing : 0;
    }
    return slots;
  }

  /** Returns whether a prefix equals the one before it. */
  private boolean isRepeated(int index) {
    return index > 0 && bits[index] == bits[index - 1] && lengths[index] == lengths[index - 1];
  }

  /**
   * Returns a chunk with these prefixes, all of which must be long enough to determine a bucket.
   *
   * @param leastWidth the minimum number of bits of a slot, excluding those of its tag
   */
  long[] chunk(int depth, int leastWidth) {
    int bare = Math.max(leastWidth, longest() - depth - BUCKET_BITS + 1);
    int width = PrefixChunk.slotWidth(bare, tags.bits());
    long[] chunk = PrefixChunk.create(depth, width, tags.bits(), PrefixChunk.roomFor(count));
    long head = chunk[0];
    int[] buckets = new int[count];
    long[] slots = new long[count];
    for (int i = 0; i < count; i++) {
      buckets[i] = PrefixChunk.bucket(head, bits[i]);
      slots[i] = PrefixChunk.slot(head, bits[i], lengths[i]) | tag(i);
    }
    return PrefixChunk.filled(chunk, buckets, slots, count);
  }

  /** Returns the prefixes of the lower and of the upper half of the hashes at an address. */
  PrefixRun[] halves(int depth, long address) {
    long middle = address | 1L << (63 - depth);
    int both = 0;
    while (both < count && lengths[both] <= depth) {
      both++;
    }
    int border = indexOf(middle);
    PrefixRun low = new PrefixRun(tags, border);
    PrefixRun high = new PrefixRun(tags, both + count - border);
    int tag = both == 0 ? 0 : tag(0);
    for (int i = 1; i < both; i++) {
      tag = tags.merge(tag, tag(i));
    }
    int kept = Math.min(both, isTagged() ? 1 : STICKY_ENDINGS);
    low.add(address, depth + 1, tag, kept);
    high.add(middle, depth + 1, tag, kept);
    high.copies = high.count;
    low.addAll(this, both, border);
    high.addAll(this, border, count);
    return new PrefixRun[] {low, high};
  }

  /**
   * Returns the prefixes as they are stored in the buckets of a chunk: those that are too short
   * become endings of all buckets that they cover, and buckets with more than {@code most} prefixes
   * are covered.
   */
  PrefixRun inBuckets(int depth, int most, boolean isSet) {
    int end = depth + BUCKET_BITS;
    PrefixRun result = new PrefixRun(tags, count);
    int[] tagOf = new int[isTagged() ? BUCKETS : 0];
    int[] endings = result.endings(this, depth, tagOf);
    long address = count == 0 ? 0 : PrefixSource.first(bits[0], depth);
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
      boolean isCovered = endings[bucket] + next - from > most;
      if (isCovered && !isSet) {
        result.add(its, end, 0, STICKY_ENDINGS);
        result.hasSticky = true;
        continue;
      }
      int first = result.count;
      result.add(its, end, isTagged() ? tagOf[bucket] : 0, endings[bucket]);
      if (isCovered) {
        result.addCut(this, from, next, end, most / 2, first);
      } else {
        result.addAll(this, from, next);
      }
    }
    return result;
  }

  /**
   * Returns the number of endings that each bucket gets from prefixes that are too short, and
   * counts the copies. If prefixes have tags, a bucket gets at most one ending.
   *
   * @param tagOf receives the tag of the ending of each bucket
   */
  private int[] endings(PrefixRun all, int depth, int[] tagOf) {
    int[] endings = new int[BUCKETS];
    int repeated = 0;
    for (int i = 0; i < all.count; i++) {
      repeated = all.isRepeated(i) ? repeated + 1 : 0;
      int missing = depth + BUCKET_BITS - all.lengths[i];
      if (missing > 0 && repeated < STICKY_ENDINGS) {
        int first = PrefixChunk.bucket(PrefixChunk.head(depth, 1), all.bits[i]);
        int added = 0;
        for (int bucket = first; bucket < first + (1 << missing); bucket++) {
          boolean isMerged = isTagged() && endings[bucket] > 0;
          if (isTagged()) {
            tagOf[bucket] = isMerged ? tags.merge(tagOf[bucket], all.tag(i)) : all.tag(i);
          }
          endings[bucket] += isMerged ? 0 : 1;
          added += isMerged ? 0 : 1;
        }
        copies += Math.max(0, added - 1);
        hasSticky |= repeated == STICKY_ENDINGS - 1;
      }
    }
    return endings;
  }

  /**
   * Adds the prefixes of one bucket, cut to the greatest length at which at most {@code most}
   * different ones remain. Of equal prefixes only the shortest is kept, with the merged tag.
   *
   * @param first the index at which the prefixes of the bucket begin in this run
   */
  private void addCut(PrefixRun all, int from, int to, int least, int most, int first) {
    int[] agreeing = new int[Long.SIZE + 1];
    for (int i = from + 1; i < to; i++) {
      agreeing[Long.numberOfLeadingZeros(all.bits[i - 1] ^ all.bits[i])]++;
    }
    int length = least;
    int different = 1;
    while (length < PrefixChunk.MAX_LENGTH && different + agreeing[length] <= most) {
      different += agreeing[length++];
    }
    for (int i = from; i < to; i++) {
      int kept = Math.min(length, all.lengths[i]);
      long cut = PrefixSource.first(all.bits[i], kept);
      if (count == first || bits[count - 1] != cut) {
        add(cut, kept, all.tag(i));
      } else if (isTagged()) {
        ofTags[count - 1] = (byte) tags.merge(tag(count - 1), all.tag(i));
      }
    }
  }
}
