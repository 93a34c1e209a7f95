package dev.bellows.internal.prefixes;

import java.util.Arrays;

/**
 * The operations on one chunk. A chunk is an array of words rather than an object, because an
 * object would cost every query another cache miss; the package documentation has a drawing. The
 * parameter {@code head} is word 0 as it was when it was read or locked; in a locked chunk the word
 * itself only indicates that it is locked. No method acquires the lock.
 */
final class PrefixChunk {
  static final int BUCKET_BITS = 9;
  static final int BUCKETS = 1 << BUCKET_BITS;

  /**
   * The maximum number of bits of a prefix, which must fit into a word with the one bit that
   * follows it.
   */
  static final int MAX_LENGTH = 63;

  /** The maximum number of bits of a tag, so that a set of tags fits into a word. */
  static final int MAX_TAG_BITS = 6;

  /** The maximum number of slots in a chunk. */
  static final int MAX_SLOTS = 0x3FFF;

  /**
   * The maximum number of packed slots in a bucket. A bucket that has this many may have spilled
   * slots.
   */
  static final int FULL = 3;

  static final int GROUP_BITS = 6;
  private static final int GROUPS = BUCKETS >>> GROUP_BITS;
  private static final int COUNTS = 2;
  private static final int SLOTS = COUNTS + 2 * GROUPS;
  private static final int SLOTS_AT = SLOTS << 6;

  /** The maximum number of packed slots at which the fields of the index do not overflow. */
  private static final int INDEXED = 511;

  private static final long FIELDS = 0x0040_2010_0804_0201L;

  /** The maximum width of slots of which three fit into a word. */
  private static final int NARROW = 64 / FULL;

  /** The lowest bits of three neighboring slots, by width. */
  private static final long[] REPEATED = new long[NARROW + 1];

  static {
    for (int width = 1; width <= NARROW; width++) {
      REPEATED[width] = 1 | (1L << width) | (1L << (2 * width));
    }
  }

  private static final int WIDTH_AT = 6;
  private static final int TAG_BITS_AT = 12;
  private static final int PACKED_AT = 16;
  private static final int SPILLED_AT = 27;
  private static final int VERSION_AT = 41;
  private static final int VERSION_END = 62;
  private static final long FIELD = 0x3F;
  private static final long SHAPE = (1L << PACKED_AT) - 1;

  private PrefixChunk() {}

  // The head.

  /** Returns the head of an empty chunk without tags. */
  static long head(int depth, int width) {
    return ((long) width << WIDTH_AT) | depth;
  }

  /** Returns the number of leading bits that all hashes of the chunk share. */
  static int depth(long head) {
    return (int) (head & FIELD);
  }

  /**
   * Returns the number of bits of a slot: those of the longest prefix beyond its bucket, one more,
   * and those of a tag.
   */
  static int width(long head) {
    return (int) ((head >>> WIDTH_AT) & FIELD);
  }

  /** Returns the number of bits of a tag, which are the lowest of a slot. */
  static int tagBits(long head) {
    return (int) (head >>> TAG_BITS_AT) & 0xF;
  }

  static int packed(long head) {
    return (int) (head >>> PACKED_AT) & 0x7FF;
  }

  static int spilled(long head) {
    return (int) (head >>> SPILLED_AT) & MAX_SLOTS;
  }

  /** Returns the number of all slots. */
  static int count(long head) {
    return packed(head) + spilled(head);
  }

  /** Returns the unlocked head with this many more slots and the next version. */
  static long changed(long head, int packed, int spilled) {
    long counted = head + ((long) packed << PACKED_AT) + ((long) spilled << SPILLED_AT);
    return unlocked(counted + (1L << VERSION_AT));
  }

  /** Returns the unlocked head with the same version. */
  static long unlocked(long head) {
    return head & ((1L << VERSION_END) - 1);
  }

  /** Returns the unlocked head with the first version. */
  static long withoutVersion(long head) {
    return head & ((1L << VERSION_AT) - 1);
  }

  /** Returns whether two heads have the same depth, width and number of tag bits. */
  static boolean sameShape(long head, long other) {
    return ((head ^ other) & SHAPE) == 0;
  }

  /** Returns the address of the chunk after the one of this hash; 0 after the last one. */
  static long behind(long head, long hash) {
    int depth = depth(head);
    return depth == 0 ? 0 : PrefixSource.first(hash, depth) + (1L << (64 - depth));
  }

  // Prefixes and slots.

  static int bucket(long head, long hash) {
    return (int) (hash << depth(head) >>> (64 - BUCKET_BITS));
  }

  /**
   * Returns the slot of the prefix of this length, with tag 0. The prefix must be long enough to
   * determine its bucket.
   */
  static long slot(long head, long hash, int length) {
    int beyond = length - depth(head) - BUCKET_BITS;
    long bits = (hash << depth(head) << BUCKET_BITS >>> (63 - beyond)) & -2L;
    return (bits | 1) << Math.max(0, width(head) - 1 - beyond);
  }

  /** Returns the slot of an ending, with tag 0. */
  static long ending(long head) {
    return 1L << (width(head) - 1);
  }

  /** Returns the bits of a hash that correspond to a slot. */
  static long wanted(long head, long hash) {
    return hash << depth(head) << BUCKET_BITS >>> (64 - width(head));
  }

  /** Returns a slot with the tag 0. */
  static long untagged(long head, long slot) {
    return slot & -1L << tagBits(head);
  }

  /** Returns the tag of a slot. */
  static int tag(long head, long slot) {
    return (int) (slot & ~(-1L << tagBits(head)));
  }

  /**
   * Returns whether a slot with tag 0 holds a prefix of the hash with these {@linkplain #wanted
   * bits}.
   */
  static boolean matches(long slot, long wanted) {
    return (slot ^ wanted) >>> Long.numberOfTrailingZeros(slot) >>> 1 == 0;
  }

  /** Returns the length of the prefix in a slot. */
  static int length(long head, long slot) {
    long bare = untagged(head, slot);
    return depth(head) + BUCKET_BITS + width(head) - 1 - Long.numberOfTrailingZeros(bare);
  }

  /** Returns the prefix in a slot, aligned to the top of the word. */
  static long prefix(long head, long address, int bucket, long slot) {
    long bare = untagged(head, slot);
    long beyond = (bare & (bare - 1)) << (64 - width(head)) >>> BUCKET_BITS;
    return address | ((((long) bucket << (64 - BUCKET_BITS)) | beyond) >>> depth(head));
  }

  /**
   * Returns whether one slot precedes another, both with tag 0: slots are ordered by the bits of
   * their prefixes, and the shorter of equal ones comes first.
   */
  static boolean precedes(long slot, long other) {
    long bits = slot & (slot - 1);
    long others = other & (other - 1);
    return bits != others ? bits < others : slot > other;
  }

  // New chunks.

  /**
   * Returns an empty chunk with room for this many slots if few of them are spilled.
   *
   * @param width the number of bits of a slot, including those of its tag
   */
  static long[] create(int depth, int width, int tagBits, int slots) {
    long[] chunk = new long[words(width, slots)];
    chunk[0] = head(depth, width) | (long) tagBits << TAG_BITS_AT;
    return chunk;
  }

  /**
   * Returns the number of bits of a slot for a prefix and its tag; the slot fits into a word
   * together with its bucket.
   */
  static int slotWidth(int bare, int tagBits) {
    return Math.min(bare + tagBits, Long.SIZE - BUCKET_BITS);
  }

  /** Returns the number of words of a chunk with room for this many slots. */
  static int words(int width, int slots) {
    // one more bit, so that even an empty last bucket begins within the array
    return SLOTS + ((slots * width) >>> 6) + 1;
  }

  /** Returns the number of slots to make room for if there are this many. */
  static int roomFor(int slots) {
    return slots + 4 + (slots >>> 4);
  }

  /** Returns whether another slot fits into the array, packed or spilled. */
  static boolean hasRoom(long[] chunk, long head) {
    int spill = (spilled(head) + 1) * spillWidth(head);
    return SLOTS_AT + packed(head) * width(head) + spill < chunk.length << 6;
  }

  /** Returns the number of words of an array with the usual room for one more slot. */
  static int roomyWords(long head) {
    return words(head, roomFor(count(head) + 1));
  }

  /** Returns the number of words of an array with room for exactly one more slot. */
  static int leastWords(long head) {
    return words(head, count(head) + 1);
  }

  private static int words(long head, int slots) {
    // the next one may be spilled too
    return words(width(head), slots + (spilled(head) + 1) * BUCKET_BITS / width(head) + 1);
  }

  /** Returns the same slots in an array of another length. */
  static long[] resized(long[] chunk, long head, int words) {
    long[] other = new long[words];
    int packedWords = (packed(head) * width(head) + 63) >>> 6;
    System.arraycopy(chunk, 1, other, 1, SLOTS - 1 + packedWords);
    // spilled slots are at the end, downwards: whole words of them, and the top of one more
    int spillBits = spilled(head) * spillWidth(head);
    int whole = spillBits >>> 6;
    System.arraycopy(chunk, chunk.length - whole, other, words - whole, whole);
    long top = ~(-1L >>> spillBits);
    int last = words - whole - 1;
    other[last] = (other[last] & ~top) | (chunk[chunk.length - whole - 1] & top);
    other[0] = withoutVersion(head);
    return other;
  }

  /**
   * Fills an empty chunk with sorted slots. Returns the chunk, or a larger one if too many slots
   * are spilled.
   *
   * @param buckets the bucket of each slot
   */
  static long[] filled(long[] empty, int[] buckets, long[] slots, int count) {
    int width = width(empty[0]);
    int packed = 0;
    for (int i = 0; i < count; i++) {
      packed += i < FULL || buckets[i - FULL] != buckets[i] ? 1 : 0;
    }
    long head = empty[0] + ((long) packed << PACKED_AT) + ((long) (count - packed) << SPILLED_AT);
    int bits = SLOTS_AT + packed * width + (count - packed) * spillWidth(head);
    long[] chunk = bits < empty.length << 6 ? empty : new long[words(head, roomFor(count))];
    chunk[0] = head;
    int at = SLOTS_AT;
    int spilled = 0;
    for (int i = 0; i < count; i++) {
      int bucket = buckets[i];
      long slot = slots[i];
      if (i >= FULL && buckets[i - FULL] == bucket) {
        setSpilled(chunk, head, spilled++, ((long) bucket << width) | slot);
        continue;
      }
      int word = at >>> 6;
      chunk[word] |= slot << at;
      if ((at & 63) + width > 64) {
        chunk[word + 1] |= slot >>> -at;
      }
      at += width;
      int counts = COUNTS + 2 * (bucket >>> GROUP_BITS);
      chunk[counts + 1] ^= chunk[counts] & 1L << bucket;
      chunk[counts] ^= 1L << bucket;
    }
    chunk[1] = index(chunk);
    return chunk;
  }

  // Queries.

  /** Returns whether a prefix of the hash is in the chunk. */
  static boolean contains(long[] chunk, long head, long hash) {
    if (tagBits(head) > 0) {
      return tags(chunk, head, hash) != 0;
    }
    int bucket = bucket(head, hash);
    return contains(chunk, head, head, hash, bucket, start(chunk, head, bucket));
  }

  /**
   * Returns whether a prefix of the hash is in its bucket, which begins at {@code start}, in a
   * chunk without tags.
   *
   * @param shape the head, or another one of the same shape that is available earlier
   */
  static boolean contains(long[] chunk, long head, long shape, long hash, int bucket, int start) {
    int packed = packed(chunk, bucket);
    int width = width(shape);
    long wanted = wanted(shape, hash);
    long found =
        width <= NARROW
            ? matches(word(chunk, SLOTS_AT + start * width), width, wanted)
                & ~(-1L << (packed * width))
            : matchesOfWide(chunk, width, start, packed, wanted);
    // both conditions at once, because neither is predictable
    if ((found | (FULL - packed)) == 0) {
      return containsSpilled(chunk, head, bucket, wanted);
    }
    // no branch, which would have to wait for the slots
    return Long.bitCount(found) != 0;
  }

  /** Returns the set of the tags of all prefixes of the hash, as one bit for each. */
  static long tags(long[] chunk, long head, long hash) {
    int bucket = bucket(head, hash);
    int start = start(chunk, head, bucket);
    int packed = packed(chunk, bucket);
    int width = width(head);
    long wanted = wanted(head, hash);
    if (width <= NARROW && packed < FULL) {
      int tagBits = tagBits(head);
      long ofTags = REPEATED[width] * ~(-1L << tagBits);
      long slots = word(chunk, SLOTS_AT + start * width) & ~ofTags;
      // as in a chunk without tags: most queries find nothing
      long lowest = REPEATED[width];
      long differ =
          (slots ^ (wanted * lowest)) & ~ofTags & ~(slots ^ (slots - (lowest << tagBits)));
      long found = (differ - lowest) & ~differ & (lowest << (width - 1));
      if ((found & ~(-1L << (packed * width))) == 0) {
        return 0;
      }
    }
    long found = 0;
    for (int i = 0; i < packed; i++) {
      found |= tagSet(head, slot(chunk, width, start + i), wanted);
    }
    if (packed == FULL) {
      int spilled = spilled(head);
      for (int i = firstSpilled(chunk, head, bucket);
          i < spilled && spilledBucket(chunk, head, i) == bucket;
          i++) {
        found |= tagSet(head, spilledSlot(chunk, head, i), wanted);
      }
    }
    return found;
  }

  private static long tagSet(long head, long slot, long wanted) {
    return matches(untagged(head, slot), wanted) ? 1L << tag(head, slot) : 0;
  }

  private static int matchesOfWide(long[] chunk, int width, int start, int packed, long wanted) {
    int i = 0;
    while (i < packed && !matches(slot(chunk, width, start + i), wanted)) {
      i++;
    }
    return packed - i;
  }

  /**
   * Compares three slots at once and returns the highest bits of those that match. Slots above a
   * matching or empty one may be reported as matching although they do not.
   */
  private static long matches(long slots, int width, long wanted) {
    long lowest = REPEATED[width];
    // without the one bit after each prefix and everything below it
    long differ = (slots ^ (wanted * lowest)) & ~(slots ^ (slots - lowest));
    return (differ - lowest) & ~differ & (lowest << (width - 1));
  }

  private static boolean containsSpilled(long[] chunk, long head, int bucket, long wanted) {
    int spilled = spilled(head);
    for (int i = firstSpilled(chunk, head, bucket); i < spilled; i++) {
      if (spilledBucket(chunk, head, i) != bucket) {
        return false;
      }
      if (matches(spilledSlot(chunk, head, i), wanted)) {
        return true;
      }
    }
    return false;
  }

  /** Returns the number of packed slots before those of a bucket. */
  static int start(long[] chunk, long head, int bucket) {
    int group = bucket >>> GROUP_BITS;
    long before = ~(-1L << bucket);
    int start = 0;
    if (packed(head) <= INDEXED) {
      // group 0 has no field: there is nothing before it
      start = (int) (chunk[1] >>> (BUCKET_BITS * (group - 1))) & INDEXED & (-group >> 31);
    } else {
      for (int i = 0; i < group; i++) {
        start += packedOf(chunk, i, -1);
      }
    }
    return start + packedOf(chunk, group, before);
  }

  /** Returns the number of packed slots in some buckets of a group. */
  private static int packedOf(long[] chunk, int group, long buckets) {
    int at = COUNTS + 2 * group;
    return Long.bitCount(chunk[at] & buckets) + 2 * Long.bitCount(chunk[at + 1] & buckets);
  }

  /** Returns the number of packed slots in a bucket. */
  static int packed(long[] chunk, int bucket) {
    int at = COUNTS + 2 * (bucket >>> GROUP_BITS);
    return (int) ((chunk[at] >>> bucket) & 1) + 2 * (int) ((chunk[at + 1] >>> bucket) & 1);
  }

  /** Returns which of the 64 buckets starting at this one have slots, as one bit for each. */
  static long filledBuckets(long[] chunk, int bucket) {
    int at = COUNTS + 2 * (bucket >>> GROUP_BITS);
    return chunk[at] | chunk[at + 1];
  }

  /** Returns the packed slot with this index. */
  static long slot(long[] chunk, int width, int index) {
    return bits(chunk, SLOTS_AT + index * width, width);
  }

  /**
   * Reads the words that a query of a bucket reads before the slots, to bring them into the cache.
   */
  static long touch(long[] chunk, int bucket) {
    int at = COUNTS + 2 * (bucket >>> GROUP_BITS);
    return chunk[0] | chunk[1] | chunk[at] | chunk[at + 1];
  }

  /** Returns the word with the first bits of the packed slot with this index. */
  static int wordOf(long head, int index) {
    return SLOTS + ((index * width(head)) >>> 6);
  }

  // Changes. They are all or nothing, and do not write the head of the chunk.

  /**
   * Inserts a slot, for which there must be room, and returns the new head.
   *
   * @param start the index at which the bucket begins
   */
  static long insert(long[] chunk, long head, int bucket, int start, long slot) {
    int width = width(head);
    int packed = packed(chunk, bucket);
    int place = 0;
    long bare = untagged(head, slot);
    while (place < packed && precedes(untagged(head, slot(chunk, width, start + place)), bare)) {
      place++;
    }
    if (packed == FULL) {
      return insertSpilled(chunk, head, bucket, start, place, slot);
    }
    int group = bucket >>> GROUP_BITS;
    int at = COUNTS + 2 * group;
    long changed = changed(head, 1, 0);
    int from = SLOTS_AT + (start + place) * width;
    moveUp(chunk, from, SLOTS_AT + packed(head) * width, width, slot);
    // no method is called from here on
    chunk[at + 1] ^= chunk[at] & 1L << bucket;
    chunk[at] ^= 1L << bucket;
    chunk[1] += FIELDS >>> (BUCKET_BITS * group) << (BUCKET_BITS * group);
    return changed;
  }

  /** Inserts a slot into a full bucket, whose last slot is then spilled. */
  private static long insertSpilled(
      long[] chunk, long head, int bucket, int start, int place, long slot) {
    int width = width(head);
    long last = place < FULL ? slot(chunk, width, start + FULL - 1) : slot;
    long bare = untagged(head, last);
    int index = firstSpilled(chunk, head, bucket);
    while (index < spilled(head)
        && spilledBucket(chunk, head, index) == bucket
        && precedes(untagged(head, spilledSlot(chunk, head, index)), bare)) {
      index++;
    }
    int end = chunk.length << 6;
    int spillWidth = spillWidth(head);
    long changed = changed(head, 0, 1);
    int word = wordOf(head, start);
    long[] before = Arrays.copyOfRange(chunk, word, wordOf(head, start + FULL) + 1);
    try {
      if (place < FULL) {
        int from = SLOTS_AT + (start + place) * width;
        moveUp(chunk, from, SLOTS_AT + (start + FULL - 1) * width, width, slot);
      }
      int to = end - index * spillWidth;
      long entry = ((long) bucket << width) | last;
      moveDown(chunk, end - spilled(head) * spillWidth, to, spillWidth, entry);
    } catch (Throwable e) {
      // no method call: the stack may be exhausted
      for (int j = 0; j < before.length; j++) {
        chunk[word + j] = before[j];
      }
      throw e;
    }
    return changed;
  }

  /** The sorted slots of one bucket. Valid as long as the chunk does not change. */
  static final class Bucket {
    private final long[] chunk;
    private final long head;
    private final int bucket;
    private final int start;
    private final int firstSpilled;
    private final int count;

    Bucket(long[] chunk, long head, int bucket) {
      int packed = packed(chunk, bucket);
      boolean isFull = packed == FULL && spilled(head) > 0;
      this.chunk = chunk;
      this.head = head;
      this.bucket = bucket;
      this.start = start(chunk, head, bucket);
      this.firstSpilled = isFull ? firstSpilled(chunk, head, bucket) : 0;
      this.count = isFull ? packed + firstSpilled(chunk, head, bucket + 1) - firstSpilled : packed;
    }

    int count() {
      return count;
    }

    long slot(int i) {
      return i < FULL
          ? PrefixChunk.slot(chunk, width(head), start + i)
          : spilledSlot(chunk, head, firstSpilled + i - FULL);
    }

    /** Returns the number of slots that equal this one. */
    int count(long slot) {
      int equal = 0;
      for (int i = 0; i < count; i++) {
        equal += slot(i) == slot ? 1 : 0;
      }
      return equal;
    }

    /** Returns the index of the slot with the longest prefix of the hash, or -1. */
    int longest(long hash) {
      long wanted = wanted(head, hash);
      int longest = -1;
      long best = 0;
      for (int i = 0; i < count; i++) {
        long slot = untagged(head, slot(i));
        if (matches(slot, wanted) && (longest < 0 || (slot & -slot) < (best & -best))) {
          longest = i;
          best = slot;
        }
      }
      return longest;
    }

    /** Changes the tag of a slot and returns the new head. */
    long setTag(int i, int tag) {
      int at =
          i < FULL
              ? SLOTS_AT + (start + i) * width(head)
              : (chunk.length << 6) - (firstSpilled + i - FULL + 1) * spillWidth(head);
      int to = at + tagBits(head);
      long changed = changed(head, 0, 0);
      moveDown(chunk, to, to, tagBits(head), tag);
      return changed;
    }

    /** Deletes a slot and returns the new head. */
    long delete(int i) {
      if (count > FULL) {
        return deleteSpilled(i);
      }
      int width = width(head);
      int from = SLOTS_AT + (start + i + 1) * width;
      int group = bucket >>> GROUP_BITS;
      int at = COUNTS + 2 * group;
      long fields = packed(head) == INDEXED + 1 ? index(chunk) : chunk[1];
      long changed = changed(head, -1, 0);
      moveDown(chunk, from, SLOTS_AT + packed(head) * width, width, 0);
      // no method is called from here on
      chunk[at + 1] ^= ~chunk[at] & 1L << bucket;
      chunk[at] ^= 1L << bucket;
      chunk[1] = fields - (FIELDS >>> (BUCKET_BITS * group) << (BUCKET_BITS * group));
      return changed;
    }

    /** Deletes a slot of a bucket with spilled slots, the first of which may replace it. */
    private long deleteSpilled(int i) {
      int width = width(head);
      long next = spilledSlot(chunk, head, firstSpilled);
      int end = chunk.length << 6;
      int spillWidth = spillWidth(head);
      int index = i < FULL ? firstSpilled : firstSpilled + i - FULL;
      long changed = changed(head, 0, -1);
      int word = wordOf(head, start);
      long[] before = Arrays.copyOfRange(chunk, word, wordOf(head, start + FULL) + 1);
      try {
        if (i < FULL) {
          int from = SLOTS_AT + (start + i + 1) * width;
          moveDown(chunk, from, SLOTS_AT + (start + FULL) * width, width, next);
        }
        int from = end - spilled(head) * spillWidth;
        moveUp(chunk, from, end - (index + 1) * spillWidth, spillWidth, 0);
      } catch (Throwable e) {
        // no method call: the stack may be exhausted
        for (int j = 0; j < before.length; j++) {
          chunk[word + j] = before[j];
        }
        throw e;
      }
      return changed;
    }
  }

  /**
   * Returns the head of a chunk that was read from a file, and sets its index from its buckets.
   * Throws if the slots that it claims do not fit into the array.
   */
  static long head(int depth, int width, int tagBits, int packed, int spilled, long[] chunk) {
    if (chunk.length < SLOTS + 1 || width <= tagBits || width > FIELD) {
      throw new IllegalArgumentException(
          "a chunk of %d words cannot have slots of %d bits".formatted(chunk.length, width));
    }
    int found = 0;
    for (int group = 0; group < GROUPS; group++) {
      found += packedOf(chunk, group, -1);
    }
    long bits = SLOTS_AT + (long) packed * width + (long) spilled * (width + BUCKET_BITS);
    if (packed != found
        || spilled < 0
        || packed + spilled > MAX_SLOTS
        || bits >= (long) chunk.length << 6) {
      throw new IllegalArgumentException(
          "a chunk of %d words cannot have %d packed and %d spilled slots of %d bits"
              .formatted(chunk.length, packed, spilled, width));
    }
    chunk[1] = index(chunk);
    return changed(head(depth, width) | (long) tagBits << TAG_BITS_AT, packed, spilled);
  }

  /** Returns the index of all groups, counted from their buckets. */
  private static long index(long[] chunk) {
    long fields = 0;
    long before = 0;
    for (int group = 0; group < GROUPS - 1; group++) {
      before += packedOf(chunk, group, -1);
      // 512 does not fit into a field and is carried until a slot is deleted
      fields += before << (BUCKET_BITS * group);
    }
    return fields;
  }

  // Spilled slots. Each has the number of its bucket in its highest bits; they are stored from the
  // end of the array downwards.

  private static int spillWidth(long head) {
    return width(head) + BUCKET_BITS;
  }

  private static long spilledEntry(long[] chunk, long head, int index) {
    int width = spillWidth(head);
    return bits(chunk, (chunk.length << 6) - (index + 1) * width, width);
  }

  private static void setSpilled(long[] chunk, long head, int index, long entry) {
    int to = (chunk.length << 6) - index * spillWidth(head);
    moveDown(chunk, to, to, spillWidth(head), entry);
  }

  static long spilledSlot(long[] chunk, long head, int index) {
    return spilledEntry(chunk, head, index) & ~(-1L << width(head));
  }

  static int spilledBucket(long[] chunk, long head, int index) {
    return (int) (spilledEntry(chunk, head, index) >>> width(head));
  }

  /** Returns the index at which the spilled slots of a bucket begin, or would begin. */
  private static int firstSpilled(long[] chunk, long head, int bucket) {
    int first = 0;
    int end = spilled(head);
    while (first < end) {
      int middle = (first + end) >>> 1;
      if (spilledBucket(chunk, head, middle) < bucket) {
        first = middle + 1;
      } else {
        end = middle;
      }
    }
    return first;
  }

  // Bits across word boundaries.

  /** Returns the 64 bits starting at this one; those beyond the array are undefined. */
  private static long word(long[] words, int bit) {
    int word = bit >>> 6;
    // bits read beyond the last word are not used
    long next = words[Math.min(word + 1, words.length - 1)];
    return (words[word] >>> bit) | (next << 1 << ~bit);
  }

  /** Returns up to 64 bits. */
  private static long bits(long[] words, int bit, int width) {
    return word(words, bit) & (-1L >>> -width);
  }

  /**
   * Moves the bits {@code [from, to)} down by at most a word and fills the gap above them. Calls no
   * method.
   */
  private static void moveDown(long[] words, int from, int to, int by, long gap) {
    int at = to - by;
    if (by == Long.SIZE) {
      for (int i = (from >>> 6) - 1; i < at >>> 6; i++) {
        words[i] = words[i + 1];
      }
      words[at >>> 6] = gap;
      return;
    }
    if (from < to) {
      int start = from - by;
      int first = start >>> 6;
      int last = (at - 1) >>> 6;
      long below = words[first] & ~(-1L << start);
      long above = (at & 63) == 0 ? 0 : words[last] & (-1L << at);
      for (int i = first; i < last; i++) {
        words[i] = (words[i] >>> by) | (words[i + 1] << -by);
      }
      long next = last + 1 < words.length ? words[last + 1] << -by : 0;
      words[last] = (words[last] >>> by) | next;
      words[first] = (words[first] & (-1L << start)) | below;
      words[last] = ((at & 63) == 0 ? words[last] : words[last] & ~(-1L << at)) | above;
    }
    int word = at >>> 6;
    words[word] = (words[word] & ~((-1L >>> -by) << at)) | (gap << at);
    int inFirst = 64 - (at & 63);
    if (inFirst < by) {
      words[word + 1] = (words[word + 1] & (-1L << (by - inFirst))) | (gap >>> inFirst);
    }
  }

  /**
   * Moves the bits {@code [from, to)} up by at most a word and fills the gap below them. Calls no
   * method.
   */
  private static void moveUp(long[] words, int from, int to, int by, long gap) {
    if (by == Long.SIZE) {
      for (int i = to >>> 6; i > from >>> 6; i--) {
        words[i] = words[i - 1];
      }
      words[from >>> 6] = gap;
      return;
    }
    if (from < to) {
      int start = from + by;
      int end = to + by;
      int first = start >>> 6;
      int last = (end - 1) >>> 6;
      long below = words[first] & ~(-1L << start);
      long above = (end & 63) == 0 ? 0 : words[last] & (-1L << end);
      for (int i = last; i > first; i--) {
        words[i] = (words[i] << by) | (words[i - 1] >>> -by);
      }
      long previous = first > 0 ? words[first - 1] >>> -by : 0;
      words[first] = (((words[first] << by) | previous) & (-1L << start)) | below;
      words[last] = ((end & 63) == 0 ? words[last] : words[last] & ~(-1L << end)) | above;
    }
    int word = from >>> 6;
    words[word] = (words[word] & ~((-1L >>> -by) << from)) | (gap << from);
    int inFirst = 64 - (from & 63);
    if (inFirst < by) {
      words[word + 1] = (words[word + 1] & (-1L << (by - inFirst))) | (gap >>> inFirst);
    }
  }
}
