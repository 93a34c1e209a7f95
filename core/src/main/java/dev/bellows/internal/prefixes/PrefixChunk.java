package dev.bellows.internal.prefixes;

import java.util.Arrays;

/**
 * Up to some hundred prefixes of hashes that share their first bits, in one array: the operations
 * on it. The bits of a hash after those of the chunk ({@code depth}) choose one of 512 buckets;
 * what a prefix has beyond these is kept in a slot, with a one behind its last bit, so that slots
 * of one width hold prefixes of any length.
 *
 * <pre>
 * word 0          depth, width of a slot, number of slots and of spilled ones; version and lock
 * word 1          how many slots lie before bucket 64, 128, ... 448, in 9 bits each, if at most 511
 * words 2 to 17   how many slots each bucket has here, 0 to 3: for 64 buckets a word with the lower
 *                 bits of these numbers and one with the higher bits
 * words 18 ...    the slots, from there upwards
 * ... last        the fourth and further slots of a bucket, spilled, from the end downwards
 * </pre>
 *
 * Slots of a bucket are in the order of {@link PrefixHead#precedes}, the spilled ones last. Where a
 * slot is follows from counting bits, without a search. Nothing here takes the lock: {@link
 * PrefixStore} does.
 */
final class PrefixChunk {
  static final int BUCKET_BITS = 9;
  static final int BUCKETS = 1 << BUCKET_BITS;

  /** A prefix has at most this many bits, so that it fits into a word with the one behind it. */
  static final int MAX_LENGTH = 63;

  /** The most slots that a chunk can have. */
  static final int MAX_SLOTS = 0x3FFF;

  /**
   * A chunk that has so many slots and cannot be split is {@linkplain PrefixRun#covered covered}.
   */
  static final int MOST_SLOTS = 1 << 13;

  /** The most slots of a bucket, if its chunk cannot be split; beyond, the bucket is covered. */
  static final int MOST_IN_BUCKET = 511;

  /** The most prefixes of one hash: they are not counted further then, and stay. */
  static final int MAX_EQUAL = 255;

  /** The most equal prefixes without bits that a split copies; then they stay. */
  static final int MAX_ENDINGS = 8;

  /** A bucket with so many slots may have more, spilled. */
  static final int FULL = 3;

  static final int COUNTS = 2;
  static final int GROUP_BITS = 6;
  static final int GROUPS = BUCKETS >>> GROUP_BITS;
  private static final int SLOTS = COUNTS + 2 * GROUPS;
  private static final int SLOTS_AT = SLOTS << 6;
  private static final int INDEXED = 511;
  private static final long FIELDS = 0x0040_2010_0804_0201L;
  private static final int NARROW = 64 / FULL;

  /** By width: the lowest bits of three slots beside each other. */
  private static final long[] REPEATED = new long[NARROW + 1];

  static {
    for (int width = 1; width <= NARROW; width++) {
      REPEATED[width] = 1 | (1L << width) | (1L << (2 * width));
    }
  }

  private PrefixChunk() {}

  /** An empty chunk with room for this many slots, if few of them are spilled. */
  static long[] create(int depth, int width, int slots) {
    long[] chunk = new long[words(width, slots)];
    chunk[0] = PrefixHead.of(depth, width);
    return chunk;
  }

  /** The words of a chunk with this many slots. */
  static int words(int width, int slots) {
    // a bit behind all others, so that even an empty last bucket begins within the array
    return SLOTS + ((slots * width) >>> 6) + 1;
  }

  /** How many slots to make room for where there are some already. */
  static int roomFor(int slots) {
    return slots + 4 + (slots >>> 4);
  }

  /** Whether a prefix of the hash is in the chunk. */
  static boolean contains(long[] chunk, long head, long hash) {
    int bucket = PrefixHead.bucket(head, hash);
    return contains(chunk, head, head, hash, bucket, start(chunk, head, bucket));
  }

  /**
   * Whether a prefix of the hash is in its bucket, which begins at {@code start}.
   *
   * @param shape the head, or another one of the same shape that is known sooner
   */
  static boolean contains(long[] chunk, long head, long shape, long hash, int bucket, int start) {
    int here = here(chunk, bucket);
    int width = PrefixHead.width(shape);
    long wanted = PrefixHead.wanted(shape, hash);
    long found =
        width <= NARROW
            ? matches(BitRuns.word(chunk, SLOTS_AT + start * width), width, wanted)
                & ~(-1L << (here * width))
            : matchesOfWide(chunk, width, start, here, wanted);
    // both at once, because neither can be predicted
    if ((found | (FULL - here)) == 0) {
      return PrefixSpill.contains(chunk, head, bucket, wanted);
    }
    // no branch: that would wait for the slots
    return Long.bitCount(found) != 0;
  }

  private static int matchesOfWide(long[] chunk, int width, int start, int here, long wanted) {
    int i = 0;
    while (i < here && !PrefixHead.matches(get(chunk, width, start + i), wanted)) {
      i++;
    }
    return here - i;
  }

  /**
   * The highest bits of those of three slots that match, all compared at once. Above one that does,
   * and above one that is empty, others may be said to match.
   */
  private static long matches(long slots, int width, long wanted) {
    long lowest = REPEATED[width];
    // without the one behind each prefix and what is below
    long differ = (slots ^ (wanted * lowest)) & ~(slots ^ (slots - lowest));
    return (differ - lowest) & ~differ & (lowest << (width - 1));
  }

  /** Which slot of its bucket is the longest prefix of the hash, or -1. */
  static int longest(long[] chunk, long head, long hash) {
    int bucket = PrefixHead.bucket(head, hash);
    return longest(chunk, head, bucket, start(chunk, head, bucket), PrefixHead.wanted(head, hash));
  }

  private static int longest(long[] chunk, long head, int bucket, int start, long wanted) {
    int longest = -1;
    long best = 0;
    int run = run(chunk, head, bucket);
    int spill = spill(chunk, head, bucket, run);
    for (int i = 0; i < run; i++) {
      long slot = get(chunk, head, start, spill, i);
      if (PrefixHead.matches(slot, wanted) && (longest < 0 || (slot & -slot) < (best & -best))) {
        longest = i;
        best = slot;
      }
    }
    return longest;
  }

  /** How many slots lie before those of a bucket, without the spilled ones. */
  static int start(long[] chunk, long head, int bucket) {
    int group = bucket >>> GROUP_BITS;
    long before = ~(-1L << bucket);
    int start = 0;
    if (PrefixHead.here(head) <= INDEXED) {
      // nothing is before group 0, which has no field
      start = (int) (chunk[1] >>> (BUCKET_BITS * (group - 1))) & INDEXED & (-group >> 31);
    } else {
      for (int i = 0; i < group; i++) {
        start += slots(chunk, i, -1);
      }
    }
    return start + slots(chunk, group, before);
  }

  /** How many slots some buckets of a group have. */
  private static int slots(long[] chunk, int group, long buckets) {
    int at = COUNTS + 2 * group;
    return Long.bitCount(chunk[at] & buckets) + 2 * Long.bitCount(chunk[at + 1] & buckets);
  }

  /** How many slots a bucket has that are not spilled. */
  static int here(long[] chunk, int bucket) {
    int at = COUNTS + 2 * (bucket >>> GROUP_BITS);
    return (int) ((chunk[at] >>> bucket) & 1) + 2 * (int) ((chunk[at + 1] >>> bucket) & 1);
  }

  /** How many slots a bucket has. */
  static int run(long[] chunk, long head, int bucket) {
    int here = here(chunk, bucket);
    return here < FULL ? here : here + PrefixSpill.run(chunk, head, bucket);
  }

  /** Where the spilled slots of a bucket begin, if it has some. */
  static int spill(long[] chunk, long head, int bucket, int run) {
    return run <= FULL ? 0 : PrefixSpill.first(chunk, head, bucket);
  }

  /** A slot of a bucket. */
  static long get(long[] chunk, long head, int bucket, int i) {
    int spill = i < FULL ? 0 : PrefixSpill.first(chunk, head, bucket);
    return get(chunk, head, start(chunk, head, bucket), spill, i);
  }

  /** A slot of a bucket that begins at {@code start} and whose spilled slots at {@code spill}. */
  static long get(long[] chunk, long head, int start, int spill, int i) {
    return i < FULL
        ? get(chunk, PrefixHead.width(head), start + i)
        : PrefixSpill.slot(chunk, head, spill + i - FULL);
  }

  /** The slot with this index, which is not spilled. */
  static long get(long[] chunk, int width, int index) {
    return BitRuns.get(chunk, SLOTS_AT + index * width, width);
  }

  private static void set(long[] chunk, int width, int index, long slot) {
    BitRuns.set(chunk, SLOTS_AT + index * width, width, slot);
  }

  /** Reads what a query of a bucket reads before the slots. */
  static long touch(long[] chunk, int bucket) {
    int at = COUNTS + 2 * (bucket >>> GROUP_BITS);
    return chunk[0] | chunk[1] | chunk[at] | chunk[at + 1];
  }

  /** The word with the first bits of the slot with this index. */
  static int word(long head, int index) {
    return SLOTS + ((index * PrefixHead.width(head)) >>> 6);
  }

  /** Whether another slot fits into the array, spilled or not. */
  static boolean hasRoom(long[] chunk, long head) {
    int width = PrefixHead.width(head);
    int spill = (PrefixHead.spilled(head) + 1) * (width + BUCKET_BITS);
    return SLOTS_AT + PrefixHead.here(head) * width + spill < chunk.length << 6;
  }

  /** The same prefixes in an array with room for more, in slots of this width. */
  static long[] enlarged(long[] chunk, long head, int newWidth) {
    int width = PrefixHead.width(head);
    // the next one may be spilled too
    int slots =
        roomFor(PrefixHead.count(head) + 1)
            + (PrefixHead.spilled(head) + 1) * BUCKET_BITS / newWidth;
    long[] larger = create(PrefixHead.depth(head), newWidth, slots);
    if (newWidth != width) {
      PrefixWalk walk = new PrefixWalk(chunk, head);
      while (walk.next()) {
        append(larger, walk.bucket, walk.slot << (newWidth - width));
      }
      return larger;
    }
    int words = SLOTS + ((PrefixHead.here(head) * width) >>> 6);
    System.arraycopy(chunk, 1, larger, 1, words);
    PrefixSpill.copy(chunk, larger, head);
    larger[0] = PrefixHead.withoutVersion(head);
    return larger;
  }

  /** The chunk with one slot more; those that are there must precede it. */
  static long[] appended(long[] chunk, int bucket, long slot) {
    long head = chunk[0];
    long[] larger = hasRoom(chunk, head) ? chunk : enlarged(chunk, head, PrefixHead.width(head));
    append(larger, bucket, slot);
    return larger;
  }

  private static void append(long[] chunk, int bucket, long slot) {
    long head = chunk[0];
    if (here(chunk, bucket) < FULL) {
      set(chunk, PrefixHead.width(head), PrefixHead.here(head), slot);
      countUp(chunk, bucket);
      chunk[0] = PrefixHead.appended(head, false);
    } else {
      PrefixSpill.insert(chunk, head, PrefixHead.spilled(head), bucket, slot);
      chunk[0] = PrefixHead.appended(head, true);
    }
  }

  private static void countUp(long[] chunk, int bucket) {
    int group = bucket >>> GROUP_BITS;
    int at = COUNTS + 2 * group;
    chunk[at + 1] ^= chunk[at] & 1L << bucket;
    chunk[at] ^= 1L << bucket;
    chunk[1] += FIELDS >>> (BUCKET_BITS * group) << (BUCKET_BITS * group);
  }

  /**
   * Inserts a slot where there is room for it and returns the head that belongs to the result; the
   * head of the chunk stays as it is. Whatever is thrown, the content is the old one then.
   *
   * @param start where the bucket begins
   */
  static long insert(long[] chunk, long head, int bucket, int start, long slot) {
    int width = PrefixHead.width(head);
    int here = here(chunk, bucket);
    int place = 0;
    while (place < here && PrefixHead.precedes(get(chunk, width, start + place), slot)) {
      place++;
    }
    if (here == FULL) {
      return insertSpilled(chunk, head, bucket, start, place, slot);
    }
    int from = SLOTS_AT + (start + place) * width;
    int group = bucket >>> GROUP_BITS;
    int at = COUNTS + 2 * group;
    long changed = PrefixHead.changed(head, 1, 0);
    BitRuns.moveUp(chunk, from, SLOTS_AT + PrefixHead.here(head) * width, width);
    // nothing is called from here on
    int word = from >>> 6;
    chunk[word] = (chunk[word] & ~((-1L >>> -width) << from)) | (slot << from);
    int inFirst = 64 - (from & 63);
    if (inFirst < width) {
      chunk[word + 1] = (chunk[word + 1] & (-1L << (width - inFirst))) | (slot >>> inFirst);
    }
    chunk[at + 1] ^= chunk[at] & 1L << bucket;
    chunk[at] ^= 1L << bucket;
    chunk[1] += FIELDS >>> (BUCKET_BITS * group) << (BUCKET_BITS * group);
    return changed;
  }

  /** Inserts a slot into a bucket that is full, the last of whose slots is spilled then. */
  private static long insertSpilled(
      long[] chunk, long head, int bucket, int start, int place, long slot) {
    int width = PrefixHead.width(head);
    long last = place < FULL ? get(chunk, width, start + FULL - 1) : slot;
    int index = PrefixSpill.place(chunk, head, bucket, last);
    long changed = PrefixHead.changed(head, 0, 1);
    int word = word(head, start);
    long[] before = Arrays.copyOfRange(chunk, word, word(head, start + FULL) + 1);
    try {
      if (place < FULL) {
        int from = SLOTS_AT + (start + place) * width;
        BitRuns.moveUp(chunk, from, SLOTS_AT + (start + FULL - 1) * width, width);
        set(chunk, width, start + place, slot);
      }
      PrefixSpill.insert(chunk, head, index, bucket, last);
    } catch (Throwable e) {
      // no call: the stack may be exhausted
      for (int j = 0; j < before.length; j++) {
        chunk[word + j] = before[j];
      }
      throw e;
    }
    return changed;
  }

  /**
   * Deletes a slot of a bucket and returns the head that belongs to the result; the head of the
   * chunk stays as it is. Whatever is thrown, the content is the old one then.
   */
  static long delete(long[] chunk, long head, int bucket, int i) {
    int width = PrefixHead.width(head);
    int start = start(chunk, head, bucket);
    int run = run(chunk, head, bucket);
    if (run > FULL) {
      return deleteSpilled(chunk, head, bucket, start, i);
    }
    int from = SLOTS_AT + (start + i + 1) * width;
    int group = bucket >>> GROUP_BITS;
    int at = COUNTS + 2 * group;
    long fields = PrefixHead.here(head) == INDEXED + 1 ? index(chunk) : chunk[1];
    long changed = PrefixHead.changed(head, -1, 0);
    BitRuns.moveDown(chunk, from, SLOTS_AT + PrefixHead.here(head) * width, width);
    // nothing is called from here on
    chunk[at + 1] ^= ~chunk[at] & 1L << bucket;
    chunk[at] ^= 1L << bucket;
    chunk[1] = fields - (FIELDS >>> (BUCKET_BITS * group) << (BUCKET_BITS * group));
    return changed;
  }

  /** Deletes a slot of a bucket that has spilled ones, the first of which may take its place. */
  private static long deleteSpilled(long[] chunk, long head, int bucket, int start, int i) {
    int width = PrefixHead.width(head);
    int first = PrefixSpill.first(chunk, head, bucket);
    long next = PrefixSpill.slot(chunk, head, first);
    long changed = PrefixHead.changed(head, 0, -1);
    int word = word(head, start);
    long[] before = Arrays.copyOfRange(chunk, word, word(head, start + FULL) + 1);
    try {
      if (i < FULL) {
        int from = SLOTS_AT + (start + i + 1) * width;
        BitRuns.moveDown(chunk, from, SLOTS_AT + (start + FULL) * width, width);
        set(chunk, width, start + FULL - 1, next);
      }
      PrefixSpill.delete(chunk, head, i < FULL ? first : first + i - FULL);
    } catch (Throwable e) {
      // no call: the stack may be exhausted
      for (int j = 0; j < before.length; j++) {
        chunk[word + j] = before[j];
      }
      throw e;
    }
    return changed;
  }

  /** The slots before each group, counted from those of the buckets. */
  private static long index(long[] chunk) {
    long fields = 0;
    long before = 0;
    for (int group = 0; group < GROUPS - 1; group++) {
      before += slots(chunk, group, -1);
      // 512, which has no field, is carried until one of them is deleted
      fields += before << (BUCKET_BITS * group);
    }
    return fields;
  }

  /** Whether a bucket begins with so many prefixes without bits that they stay forever. */
  static boolean staysCovered(long[] chunk, long head, int bucket, int start) {
    int run = run(chunk, head, bucket);
    return run >= MAX_ENDINGS
        && get(chunk, head, start, spill(chunk, head, bucket, run), MAX_ENDINGS - 1)
            == PrefixHead.ending(head);
  }

  /** Whether there are as many slots equal to one as there may be. */
  static boolean isSaturated(long[] chunk, long head, int bucket, long slot, int mostOfOthers) {
    int most = slot == PrefixHead.ending(head) ? MAX_ENDINGS : mostOfOthers;
    int run = run(chunk, head, bucket);
    if (run < most) {
      return false;
    }
    int start = start(chunk, head, bucket);
    int spill = spill(chunk, head, bucket, run);
    int equal = 0;
    for (int i = 0; i < run; i++) {
      equal += get(chunk, head, start, spill, i) == slot ? 1 : 0;
    }
    return equal >= most;
  }
}
