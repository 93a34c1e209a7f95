package dev.bellows.internal.store;

/**
 * Up to some hundred prefixes of hashes that share their first bits, in one array: the operations
 * on it. The bits of a hash after those of the chunk ({@code depth}) choose one of 512 buckets;
 * what a prefix has beyond these is kept in a slot, with a one behind its last bit, so that slots
 * of one width hold prefixes of any length.
 *
 * <pre>
 * word 0        depth, width of a slot, number of slots; version and lock
 * word 1        how many slots lie before bucket 64, 128, ... 448, in 9 bits each, if at most 511
 * words 2 ...   for each bucket a one for each of its slots, then a zero
 * ... last      the slots, from the end of the array downwards
 * </pre>
 *
 * Slots of a bucket are in the order of {@link #precedes}. A one of slot i in bucket b is bit i +
 * b. Nothing here takes the lock: {@link PrefixStore} does.
 */
final class PrefixChunk {
  static final int BUCKET_BITS = 9;
  static final int BUCKETS = 1 << BUCKET_BITS;

  /** A prefix has at most this many bits, so that it fits into a word with the one behind it. */
  static final int MAX_LENGTH = 63;

  /** The most slots of a chunk that cannot be split because its hashes agree in too many bits. */
  static final int MAX_SLOTS = 0x3FFF;

  /** The most prefixes of one hash: they are not counted further then, and stay. */
  static final int MAX_EQUAL = 255;

  /** The most equal prefixes without bits that a split copies; then they stay. */
  static final int MAX_ENDINGS = 8;

  static final int HEADER = 2;
  private static final int GROUP_BITS = 6;
  private static final int INDEXED = 511;
  private static final long FIELDS = 0x0040_2010_0804_0201L;
  private static final int WIDTH_AT = 6;
  private static final int COUNT_AT = 12;
  private static final int VERSION_AT = 28;
  private static final long FIELD = 0x3F;
  private static final int AT_ONCE = 2;
  private static final int NARROW = 64 / AT_ONCE;

  private PrefixChunk() {}

  /** An empty chunk with room for this many slots. */
  static long[] create(int depth, int width, int slots) {
    long[] chunk = new long[words(width, slots)];
    chunk[0] = ((long) width << WIDTH_AT) | depth;
    return chunk;
  }

  /** The words of a chunk with this many slots. */
  static int words(int width, int slots) {
    return HEADER + ((slots + BUCKETS + 63) >>> 6) + ((slots * width + 63) >>> 6);
  }

  /** How many slots to make room for where there are some already. */
  static int roomFor(int slots) {
    return slots + 4 + (slots >>> 4);
  }

  static int depth(long head) {
    return (int) (head & FIELD);
  }

  /** The bits of a slot: those of its longest prefix beyond the bucket, and one. */
  static int width(long head) {
    return (int) ((head >>> WIDTH_AT) & FIELD);
  }

  static int count(long head) {
    return (int) (head >>> COUNT_AT) & 0xFFFF;
  }

  /** The head with another number of slots and the next version; not locked. */
  static long changed(long head, int count) {
    long fixed = head & ((1L << COUNT_AT) - 1);
    return ((((head >>> VERSION_AT) + 1) << VERSION_AT) & Long.MAX_VALUE)
        | ((long) count << COUNT_AT)
        | fixed;
  }

  static int bucket(long head, long hash) {
    return (int) (hash << depth(head) >>> (64 - BUCKET_BITS));
  }

  /** The slot of the prefix of this length, which must reach at least to the bucket. */
  static long slot(long head, long hash, int length) {
    int width = width(head);
    int beyond = length - depth(head) - BUCKET_BITS;
    long bits = (hash << depth(head) << BUCKET_BITS >>> (63 - beyond)) & -2L;
    return (bits | 1) << Math.max(0, width - 1 - beyond);
  }

  /** The length of the prefix in a slot. */
  static int length(long head, long slot) {
    return depth(head) + BUCKET_BITS + width(head) - 1 - Long.numberOfTrailingZeros(slot);
  }

  /** The prefix in a slot, its bits from the top of the word. */
  static long prefix(long head, long address, int bucket, long slot) {
    long beyond = (slot & (slot - 1)) << (64 - width(head)) >>> BUCKET_BITS;
    return address | ((((long) bucket << (64 - BUCKET_BITS)) | beyond) >>> depth(head));
  }

  /** The order of slots: by the bits of the prefix, and of equal ones the shorter first. */
  static boolean precedes(long slot, long other) {
    long bits = slot & (slot - 1);
    long others = other & (other - 1);
    return bits != others ? bits < others : slot > other;
  }

  /**
   * Whether a slot holds a prefix of the hash whose slot would be {@code wanted}, if it is long.
   */
  private static boolean matches(long slot, long wanted) {
    return (slot ^ wanted) >>> Long.numberOfTrailingZeros(slot) >>> 1 == 0;
  }

  /** The bits of a hash at the places of a slot. */
  private static long wanted(long head, long hash) {
    return hash << depth(head) << BUCKET_BITS >>> (64 - width(head));
  }

  /** Whether a prefix of the hash is in the chunk. */
  static boolean contains(long[] chunk, long head, long hash) {
    int bucket = bucket(head, hash);
    return contains(chunk, head, hash, bucket, start(chunk, head, bucket));
  }

  /** Whether a prefix of the hash is in its bucket, which begins at {@code start}. */
  static boolean contains(long[] chunk, long head, long hash, int bucket, int start) {
    int index = start - bucket;
    long wanted = wanted(head, hash);
    int width = width(head);
    int run = ones(chunk, start);
    if (width <= NARROW && run <= AT_ONCE) {
      return matchesAny(window(chunk, width, index), width, run, wanted);
    }
    for (int i = run; i > 0; i--) {
      if (matches(get(chunk, width, index++), wanted)) {
        return true;
      }
    }
    return false;
  }

  /** Two slots of at most 32 bits from this index, the first one on top of the word. */
  private static long window(long[] chunk, int width, int index) {
    int bit = (chunk.length << 6) - index * width;
    int word = (bit - 1) >>> 6;
    long high = chunk[word] << -bit;
    // of slots that begin on top of their word, nothing of the word below is there
    long low = chunk[word - 1] >>> 1 >>> (bit - 1);
    return high | low;
  }

  /**
   * Whether one of the first {@code run} of two slots matches: both are compared, because how many
   * there are cannot be predicted. Nine of ten buckets have no more.
   */
  private static boolean matchesAny(long window, int width, int run, long wanted) {
    int down = 64 - width;
    long first = window >>> down;
    long second = window << width >>> down;
    // negative where a slot differs or is not of the run
    int none = -difference(first, wanted) | (run - 1);
    none &= -difference(second, wanted) | (run - 2);
    return (none >>> 31) == 0;
  }

  /** Zero if a slot of at most 32 bits matches. */
  private static int difference(long slot, long wanted) {
    return (int) ((slot ^ wanted) >>> Long.numberOfTrailingZeros(slot) >>> 1);
  }

  /** The index of the longest prefix of the hash in the chunk, or -1. */
  static int longest(long[] chunk, long head, long hash) {
    int bucket = bucket(head, hash);
    int start = start(chunk, head, bucket);
    long wanted = wanted(head, hash);
    int longest = -1;
    long best = 0;
    for (int i = 0, run = ones(chunk, start); i < run; i++) {
      long slot = get(chunk, width(head), start - bucket + i);
      if (matches(slot, wanted) && (longest < 0 || (slot & -slot) < (best & -best))) {
        longest = start - bucket + i;
        best = slot;
      }
    }
    return longest;
  }

  /** Where a bucket begins among the ones and zeros. */
  static int start(long[] chunk, long head, int bucket) {
    int start = 0;
    int rank = bucket;
    if (count(head) <= INDEXED) {
      int group = bucket >>> GROUP_BITS;
      start = (group << GROUP_BITS) + before(chunk[1], group);
      rank = bucket & ((1 << GROUP_BITS) - 1);
    }
    if (rank == 0) {
      return start;
    }
    int word = HEADER + (start >>> 6);
    long zeros = ~chunk[word] & (-1L << start);
    // a group lies in two or three words, and in which of them a bucket cannot be predicted
    for (int i = 0; i < 2; i++) {
      int ones = Long.bitCount(zeros);
      int goesOn = (ones - rank) >> 31;
      long next = ~chunk[Math.min(word + 1, chunk.length - 1)];
      zeros ^= (zeros ^ next) & goesOn;
      rank -= ones & goesOn;
      word -= goesOn;
    }
    for (int count = Long.bitCount(zeros); count < rank; count = Long.bitCount(zeros)) {
      rank -= count;
      zeros = ~chunk[++word];
    }
    return ((word - HEADER) << 6) + BitRuns.select(zeros, rank - 1) + 1;
  }

  /** The slots before a group of buckets. */
  private static int before(long fields, int group) {
    // nothing is before group 0, which has no field
    return (int) (fields >>> (BUCKET_BITS * (group - 1))) & INDEXED & (-group >> 31);
  }

  /** How many ones follow each other from here. */
  static int ones(long[] chunk, int start) {
    int word = HEADER + (start >>> 6);
    int ones = Long.numberOfTrailingZeros(~(chunk[word] >> start));
    int left = 64 - (start & 63);
    if (ones < left) {
      return ones;
    }
    ones = left;
    int more;
    do {
      more = Long.numberOfTrailingZeros(~chunk[++word]);
      ones += more;
    } while (more == 64);
    return ones;
  }

  /** Reads where the bucket and the slot of a hash are likely to be. */
  static long touch(long[] chunk, long hash) {
    long head = chunk[0];
    int bucket = bucket(head, hash);
    int slot = (bucket * count(head)) >>> BUCKET_BITS;
    int word = chunk.length - 1 - ((slot * width(head)) >>> 6);
    int index = Math.min(HEADER + ((slot + bucket) >>> 6), chunk.length - 1);
    return chunk[Math.max(word, 0)] + chunk[index];
  }

  /** The slot with this index. */
  static long get(long[] chunk, int width, int index) {
    int bit = (chunk.length << 6) - (index + 1) * width;
    int word = bit >>> 6;
    long low = chunk[word] >>> bit;
    // of a slot that ends with its word, nothing of the next one is below the mask
    long high = chunk[Math.min(word + 1, chunk.length - 1)] << 1 << (~bit & 63);
    return (low | high) & ((1L << width) - 1);
  }

  private static void set(long[] chunk, int width, int index, long slot) {
    int bit = (chunk.length << 6) - (index + 1) * width;
    int word = bit >>> 6;
    long mask = (1L << width) - 1;
    chunk[word] = (chunk[word] & ~(mask << bit)) | (slot << bit);
    int inFirst = 64 - (bit & 63);
    if (inFirst < width) {
      chunk[word + 1] = (chunk[word + 1] & (-1L << (width - inFirst))) | (slot >>> inFirst);
    }
  }

  /** Whether another slot fits into the array. */
  static boolean hasRoom(long[] chunk, long head) {
    return words(width(head), count(head) + 1) <= chunk.length;
  }

  /** The same prefixes in an array with room for more, in slots of this width. */
  static long[] enlarged(long[] chunk, long head, int newWidth) {
    int count = count(head);
    int width = width(head);
    long[] larger = create(depth(head), newWidth, roomFor(count + 1));
    if (newWidth != width) {
      PrefixWalk walk = new PrefixWalk(chunk, head);
      while (walk.next()) {
        append(larger, walk.bucket, walk.slot << (newWidth - width));
      }
      return larger;
    }
    int index = (count + BUCKETS + 63) >>> 6;
    System.arraycopy(chunk, 1, larger, 1, HEADER - 1 + index);
    int slots = (count * width + 63) >>> 6;
    System.arraycopy(chunk, chunk.length - slots, larger, larger.length - slots, slots);
    larger[0] |= (long) count << COUNT_AT;
    return larger;
  }

  /** Appends a slot; those that are there must precede it. */
  static void append(long[] chunk, int bucket, long slot) {
    int count = count(chunk[0]);
    int bit = count + bucket;
    chunk[HEADER + (bit >>> 6)] |= 1L << bit;
    set(chunk, width(chunk[0]), count, slot);
    chunk[0] += 1L << COUNT_AT;
    step(chunk, bucket, 1);
  }

  /** Counts a slot of a bucket, or takes one away. */
  private static void step(long[] chunk, int bucket, int by) {
    int group = bucket >>> GROUP_BITS;
    chunk[1] += by * (FIELDS >>> (BUCKET_BITS * group) << (BUCKET_BITS * group));
  }

  /**
   * Inserts a slot where there is room for it and returns the head that belongs to the result; the
   * head of the chunk stays as it is.
   *
   * @param start where the bucket begins
   */
  static long insert(long[] chunk, long head, int bucket, int start, long slot) {
    int width = width(head);
    int count = count(head);
    int index = start - bucket;
    for (int i = ones(chunk, start); i > 0; i--) {
      if (!precedes(get(chunk, width, index), slot)) {
        break;
      }
      index++;
    }
    int end = chunk.length << 6;
    BitRuns.moveDown(chunk, end - count * width, end - index * width, width);
    set(chunk, width, index, slot);
    insertOne(chunk, index + bucket, count + BUCKETS);
    return counted(chunk, head, bucket, 1);
  }

  /** Deletes a slot and returns the head that belongs to the result. */
  static long delete(long[] chunk, long head, int bucket, int index) {
    int width = width(head);
    int count = count(head);
    int end = chunk.length << 6;
    BitRuns.moveUp(chunk, end - count * width, end - (index + 1) * width, width);
    deleteOne(chunk, index + bucket, count + BUCKETS);
    return counted(chunk, head, bucket, -1);
  }

  private static long counted(long[] chunk, long head, int bucket, int by) {
    int count = count(head) + by;
    if (count == INDEXED && by < 0) {
      reindex(chunk);
    } else if (count <= INDEXED) {
      step(chunk, bucket, by);
    }
    return changed(head, count);
  }

  /** Counts the slots before each group from the ones of the buckets. */
  private static void reindex(long[] chunk) {
    long fields = 0;
    int bit = 0;
    for (int bucket = 0; bucket < BUCKETS - (1 << GROUP_BITS); bucket++) {
      bit += ones(chunk, bit) + 1;
      if (((bucket + 1) & ((1 << GROUP_BITS) - 1)) == 0) {
        int group = (bucket + 1) >>> GROUP_BITS;
        fields |= (long) (bit - bucket - 1) << (BUCKET_BITS * (group - 1));
      }
    }
    chunk[1] = fields;
  }

  /** Inserts a one before a bit of the first {@code bits} ones and zeros. */
  private static void insertOne(long[] chunk, int before, int bits) {
    int last = HEADER + (bits >>> 6);
    int word = HEADER + (before >>> 6);
    long above = chunk[word] & (-1L << before);
    long carry = above >>> 63;
    chunk[word] = (chunk[word] ^ above) | (above << 1) | (1L << before);
    while (word < last) {
      long next = chunk[++word];
      chunk[word] = (next << 1) | carry;
      carry = next >>> 63;
    }
  }

  /** Deletes a bit of the first {@code bits} ones and zeros. */
  private static void deleteOne(long[] chunk, int at, int bits) {
    int last = HEADER + ((bits - 1) >>> 6);
    int word = HEADER + (at >>> 6);
    long below = chunk[word] & ~(-1L << at);
    long above = (chunk[word] >>> 1) & (-1L << at);
    while (word < last) {
      chunk[word] = below | above | (chunk[word + 1] << 63);
      word++;
      below = 0;
      above = chunk[word] >>> 1;
    }
    // what lies behind the last bit belongs to nobody, and is zero
    chunk[word] = below | above;
  }

  /** Whether a bucket begins with so many prefixes without bits that they stay for ever. */
  static boolean staysCovered(long[] chunk, long head, int bucket, int start) {
    return ones(chunk, start) >= MAX_ENDINGS
        && get(chunk, width(head), start - bucket + MAX_ENDINGS - 1) == ending(head);
  }

  /** The slot of a prefix without bits beyond its bucket. */
  private static long ending(long head) {
    return 1L << (width(head) - 1);
  }

  /** Whether there are as many slots equal to one as there may be. */
  static boolean isSaturated(long[] chunk, long head, int bucket, long slot, int mostOfOthers) {
    int most = slot == ending(head) ? MAX_ENDINGS : mostOfOthers;
    if (count(head) < most) {
      return false;
    }
    int start = start(chunk, head, bucket);
    int equal = 0;
    for (int i = 0, run = ones(chunk, start); i < run; i++) {
      equal += get(chunk, width(head), start - bucket + i) == slot ? 1 : 0;
    }
    return equal >= most;
  }
}
