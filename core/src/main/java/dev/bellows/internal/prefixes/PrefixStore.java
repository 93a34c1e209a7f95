package dev.bellows.internal.prefixes;

import static dev.bellows.internal.prefixes.PrefixChunk.BUCKET_BITS;

import dev.bellows.internal.base.Checks;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * A table of prefixes of hashes: a directory of chunks that are split when they are full, as the
 * package documentation describes. Thread-safe: queries take no lock, but retry if the version of a
 * chunk changes while they read it; writers lock one chunk, joins lock two.
 */
public final class PrefixStore {
  /**
   * How many bits deeper than average a chunk may be. Only hashes chosen by an attacker agree in
   * more bits.
   */
  static final int MOST_DEEPER = 5;

  /** The number of slots at which a chunk that cannot be split is covered. */
  private static final int MOST_SLOTS = 1 << 13;

  /** The number of slots at which a bucket is covered if its chunk cannot be split. */
  private static final int MOST_IN_BUCKET = 511;

  /** The number of equal prefixes at which they become sticky, unless they may have been copied. */
  private static final int STICKY = 255;

  /** The number of chunks that fit into the cache of a processor: those of 4 million keys. */
  private static final int NEAR_CHUNKS = 1 << 13;

  /**
   * The result of a put whose tag is outdated. No set of tags is equal to it, because the prefixes
   * of a hash differ in length, and there are fewer than 64 lengths.
   */
  public static final long OUTDATED = -1;

  private static final int FIRST_SLOTS = 8;
  private static final int SPLIT_AGAIN = 32;

  /** The number of removals after which a chunk is checked for unused room. */
  private static final int SETTLE_AGAIN = 8;

  /**
   * The number of directory entries per join after which the directory is halved, which amortizes
   * the work.
   */
  private static final int ENTRIES_PER_JOIN = 64;

  private static final VarHandle ENTRY = MethodHandles.arrayElementVarHandle(long[][].class);

  private final boolean isSet;
  private final Tags tags;

  // read and written by threads that hold the lock of a chunk, or of all chunks
  private int slack;
  private int chunkKeys;
  private volatile PrefixTally tally;

  /** The length up to which 8 equal prefixes may represent more, and are sticky. */
  private volatile int stickyLength;

  /** Held while all chunks are being replaced, or read as one state. */
  private final ReentrantLock replacing = new ReentrantLock(true);

  /** Held while entries of the directory, or the directory, are being replaced. */
  private final Object publishing = new Object();

  private volatile long[][] directory;

  /**
   * Called with the address of each chunk before a scan reads it, so that tests can change the
   * store at that point.
   */
  private volatile LongConsumer scanning = address -> {};

  private int chunks = 1;

  // written by threads that hold publishing
  private long splits;
  private long joins;
  private int joinsOfDirectory;

  /**
   * A head with the shape of most chunks. What a query derives from it need not wait for the head
   * of its chunk. Threads may read a stale value.
   */
  private long usual;

  /**
   * The meaning of the tags of a store, defined by its owner. A tag is a number of 0 to 6 bits that
   * is stored with each prefix, in its slot. All methods are called while chunks are locked, so
   * they must be short, throw nothing and be thread-safe.
   */
  @FunctionalInterface
  public interface Tags {
    /** No tags, which take no room. */
    Tags NONE = (one, other) -> 0;

    /** Returns the number of bits of a tag, 0 to 6; by default 0. The number is constant. */
    default int bits() {
      return 0;
    }

    /**
     * Returns the tag of a prefix that replaces two others. The operation is commutative,
     * associative and idempotent. If a prefix covers a longer one and the merged tag is its own,
     * the longer prefix is dropped.
     */
    int merge(int one, int other);

    /**
     * Returns whether prefixes with this tag are no longer needed. They are dropped from a chunk
     * before it is split and by {@link #dropDead}, and are omitted from copies, merges and files. A
     * dead tag must not be reused before {@link #dropDead} has processed all chunks.
     */
    default boolean isDead(int tag) {
      return false;
    }
  }

  /** The permitted treatment of prefixes that no chunk can hold unchanged. */
  public enum Allowed {
    /** An exception is thrown. */
    NOTHING,
    /** If too many agree in too many bits, shorter ones cover them. */
    COVERING,
    /** In addition, prefixes that are too short for a bucket are copied to several buckets. */
    COPYING_AND_COVERING
  }

  /**
   * Creates an empty store.
   *
   * @param isSet whether a put is not stored if a stored prefix covers it
   * @param slack the number of bits of a hash that a put stores beyond its bucket
   * @param chunkKeys the maximum number of prefixes of a chunk before it is split
   */
  public PrefixStore(boolean isSet, int slack, int chunkKeys) {
    this(isSet, slack, chunkKeys, Tags.NONE, new PrefixTally());
  }

  /**
   * Creates an empty set of prefixes with tags.
   *
   * @param slack the number of bits of a hash that a put stores beyond its bucket
   * @param chunkKeys the maximum number of prefixes of a chunk before it is split
   */
  public PrefixStore(int slack, int chunkKeys, Tags tags) {
    this(true, slack, chunkKeys, tags, new PrefixTally(tags.bits(), LongAdder::new));
  }

  /** Creates an empty store with an empty tally. */
  PrefixStore(boolean isSet, int slack, int chunkKeys, Tags tags, PrefixTally tally) {
    Checks.inRange(0, PrefixChunk.MAX_TAG_BITS, tags.bits(), "bits of tags");
    this.isSet = isSet;
    this.tags = tags;
    this.slack = slack;
    this.chunkKeys = chunkKeys;
    this.tally = tally;
    int width = PrefixChunk.slotWidth(slack + 1, tags.bits());
    this.directory = new long[][] {PrefixChunk.create(0, width, tags.bits(), FIRST_SLOTS)};
    this.usual = shapeOfMost(directory[0][0]);
  }

  /** Returns the most common shape of a chunk, given the head of a new one. */
  private long shapeOfMost(long head) {
    // between 2^d and 2^(d+1) chunks, most have depth d in the lower half of this range, else d + 1
    int depth = 31 - Integer.numberOfLeadingZeros(chunks + chunks / 3);
    return PrefixChunk.head(depth, PrefixChunk.width(head));
  }

  /** Returns an empty store with the same settings. */
  public PrefixStore empty() {
    return new PrefixStore(
        isSet, slack, chunkKeys, tags, new PrefixTally(tags.bits(), LongAdder::new));
  }

  /** Returns the number of prefixes of each length. */
  public PrefixTally tally() {
    return tally;
  }

  /** Returns the number of chunks. */
  public int chunks() {
    return chunks;
  }

  /** Returns the number of chunks that have been split. */
  public long splits() {
    synchronized (publishing) {
      return splits;
    }
  }

  /** Returns the number of pairs of chunks that have been joined. */
  public long joins() {
    synchronized (publishing) {
      return joins;
    }
  }

  /** See {@link #usual}. */
  long usual() {
    return usual;
  }

  // The directory.

  long[][] directory() {
    return directory;
  }

  private static int index(long[][] entries, long hash) {
    // in two steps, because a shift by 64 would be a shift by 0: the index of a single entry is 0
    return (int) (hash >>> 1 >>> (63 - Integer.numberOfTrailingZeros(entries.length)));
  }

  static long[] chunk(long[][] entries, long hash) {
    return (long[]) ENTRY.getAcquire(entries, index(entries, hash));
  }

  /** Returns the chunk of a hash. */
  long[] chunk(long hash) {
    return chunk(directory, hash);
  }

  private static long[][] doubled(long[][] entries) {
    long[][] twice = new long[2 * entries.length][];
    for (int i = 0; i < twice.length; i++) {
      twice[i] = (long[]) ENTRY.getAcquire(entries, i >>> 1);
    }
    return twice;
  }

  /** Halves the directory if no chunk needs its last bit; {@code publishing} is held. */
  private void halve() {
    long[][] entries = directory;
    if (entries.length == 1 || joinsOfDirectory < entries.length / ENTRIES_PER_JOIN) {
      return;
    }
    for (int i = 0; i < entries.length; i += 2) {
      if (entries[i] != entries[i + 1]) {
        return;
      }
    }
    long[][] half = new long[entries.length / 2][];
    for (int i = 0; i < half.length; i++) {
      half[i] = entries[2 * i];
    }
    directory = half;
    joinsOfDirectory = 0;
  }

  /**
   * Replaces a locked chunk, or two siblings, by one or two others; {@code publishing} is held.
   *
   * @param depth the depth of the chunk, or of the parent of the two
   */
  private void replace(
      long[] chunk, long[] sibling, int depth, long hash, long[] low, long[] high) {
    long[][] entries = directory;
    int span = entries.length >>> depth;
    int first = index(entries, hash) & -span;
    VarHandle.releaseFence();
    // no method is called from here on, so a stack overflow cannot leave a partial change
    for (int i = 0; i < span; i++) {
      entries[first + i] = i < span >>> 1 ? low : high;
    }
    chunk[0] = PrefixLock.REPLACED;
    sibling[0] = PrefixLock.REPLACED;
  }

  /** Replaces a locked chunk by another one of the same depth. */
  private void replace(long[] chunk, long head, long hash, long[] other) {
    synchronized (publishing) {
      replace(chunk, chunk, PrefixChunk.depth(head), hash, other, other);
    }
  }

  // Queries.

  /** Returns whether a prefix of the hash is in the store. */
  public boolean contains(long hash) {
    long[] chunk = chunk(hash);
    long head = PrefixLock.head(chunk);
    long shape = usual;
    int start = PrefixChunk.start(chunk, head, PrefixChunk.bucket(shape, hash));
    return contains(chunk, head, shape, hash, start);
  }

  /**
   * Returns whether a prefix of the hash is in the store, given the head of its chunk, which has
   * the usual shape, and the start of the bucket.
   */
  boolean contains(long[] chunk, long head, long shape, long hash, int start) {
    if (head >= 0 && PrefixChunk.sameShape(head, shape)) {
      try {
        int bucket = PrefixChunk.bucket(shape, hash);
        boolean found = PrefixChunk.contains(chunk, head, shape, hash, bucket, start);
        if (PrefixLock.isStill(chunk, head)) {
          return found;
        }
      } catch (ArrayIndexOutOfBoundsException e) {
        // the chunk is being changed: the slow path waits for that
      }
    }
    return containsInAny(chunk, hash);
  }

  /** The slow path: for a chunk of any shape, which may change while it is read. */
  private boolean containsInAny(long[] first, long hash) {
    long[] chunk = first;
    for (int spins = 0; ; spins++) {
      long head = PrefixLock.head(chunk);
      if (PrefixLock.isReadable(head)) {
        boolean found = false;
        boolean torn = false;
        try {
          found = PrefixChunk.contains(chunk, head, hash);
        } catch (ArrayIndexOutOfBoundsException e) {
          torn = true;
        }
        if (PrefixLock.isStill(chunk, head)) {
          if (torn) {
            throw new AssertionError("a chunk refers to words outside its array");
          }
          return found;
        }
      }
      PrefixLock.pause(spins);
      chunk = chunk(hash);
    }
  }

  /** Tests the hashes of {@code [from, to)} in groups, so that their cache misses overlap. */
  public int count(long[] hashes, int from, int to, boolean[] hits) {
    return chunks <= NEAR_CHUNKS
        ? countNear(hashes, from, to, hits)
        : new PrefixGroup().count(this, hashes, from, to, hits);
  }

  int countNear(long[] hashes, int from, int to, boolean[] hits) {
    int count = 0;
    for (int i = from; i < to; i++) {
      boolean hit = contains(hashes[i]);
      hits[i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  // Puts and removals.

  /**
   * Stores a prefix of the hash, in a store without tags, and returns whether it was stored. A set
   * does not store it if a prefix of the hash is already present, a removable store if sticky
   * prefixes represent it.
   */
  public boolean put(long hash) {
    while (true) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      long after = PrefixChunk.changed(head, 0, 0);
      boolean isStored = false;
      try {
        int bucket = PrefixChunk.bucket(head, hash);
        int start = PrefixChunk.start(chunk, head, bucket);
        int shortest = PrefixChunk.depth(head) + BUCKET_BITS;
        int length = Math.min(PrefixChunk.MAX_LENGTH, shortest + slack);
        long slot = PrefixChunk.slot(head, hash, length);
        boolean fits = length - shortest < PrefixChunk.width(head);
        if (isSet
            ? PrefixChunk.contains(chunk, head, head, hash, bucket, start)
            : isCounted(chunk, head, bucket, fits ? slot : 0)) {
          PrefixLock.unlock(chunk, head);
          return false;
        }
        if ((isTimeToSplit(head) || isFull(chunk, head, bucket))
            && makeRoom(chunk, head, hash, bucket)) {
          continue;
        }
        if (fits && PrefixChunk.hasRoom(chunk, head)) {
          // first, because this may fail: then nothing is stored
          tally.add(length, 1);
          after = PrefixChunk.insert(chunk, head, bucket, start, slot);
          isStored = true;
          PrefixLock.unlock(chunk, after);
        } else {
          storeInCopy(chunk, head, hash, length, 0, -1);
        }
        return true;
      } catch (Throwable e) {
        // no method call: the stack may be exhausted
        if (chunk[0] != PrefixLock.REPLACED) {
          chunk[0] = after;
        }
        if (!isStored) {
          throw e;
        }
        return true;
      }
    }
  }

  /**
   * Returns whether sticky prefixes represent a put: endings of its bucket, or equal ones.
   *
   * @param slot the slot of the put, or 0 if the slots of the chunk are too narrow for it
   */
  private boolean isCounted(long[] chunk, long head, int bucket, long slot) {
    if (PrefixChunk.packed(chunk, bucket) < PrefixChunk.FULL) {
      return false;
    }
    PrefixChunk.Bucket its = new PrefixChunk.Bucket(chunk, head, bucket);
    if (isSticky(its, head, PrefixChunk.ending(head))) {
      makeSticky(PrefixChunk.depth(head) + BUCKET_BITS);
      return true;
    }
    return slot != 0 && isSticky(its, head, slot);
  }

  /** Implements the sticky rule: returns whether equal prefixes represent any number of puts. */
  private boolean isSticky(PrefixChunk.Bucket bucket, long head, long slot) {
    int copied = Math.max(stickyLength, PrefixChunk.depth(head) + BUCKET_BITS);
    int limit = PrefixChunk.length(head, slot) <= copied ? PrefixRun.STICKY_ENDINGS : STICKY;
    return bucket.count() >= limit && bucket.count(slot) >= limit;
  }

  /**
   * Records, for copies and files, that prefixes of this length represent puts that are not stored.
   */
  private void makeSticky(int length) {
    if (stickyLength < length) {
      synchronized (publishing) {
        if (tally.copies() == 0) {
          tally.addCopies(1);
        }
        stickyLength = Math.max(stickyLength, length);
      }
    }
  }

  /**
   * Returns whether a chunk is due for a split. If a split did not help, it is due again some puts
   * later.
   */
  private boolean isTimeToSplit(long head) {
    int count = PrefixChunk.count(head);
    return count >= chunkKeys
        && (count == chunkKeys || count % SPLIT_AGAIN == 0 || count >= MOST_SLOTS);
  }

  /** Returns whether a bucket has its maximum number of slots. */
  private static boolean isFull(long[] chunk, long head, int bucket) {
    return PrefixChunk.spilled(head) >= MOST_IN_BUCKET - PrefixChunk.FULL
        && new PrefixChunk.Bucket(chunk, head, bucket).count() >= MOST_IN_BUCKET;
  }

  /**
   * Splits a chunk that has too many prefixes, or covers them. Returns false if there is no need
   * to.
   */
  private boolean makeRoom(long[] chunk, long head, long hash, int bucket) {
    if (tags.bits() > 0 && drop(chunk, head, hash) >= 0) {
      return true;
    }
    int balanced = 32 - Integer.numberOfLeadingZeros(chunks);
    if (PrefixChunk.depth(head) < Math.min(balanced + MOST_DEEPER, 30)
        && split(chunk, head, hash)) {
      return true;
    }
    boolean isFull = PrefixChunk.count(head) >= MOST_SLOTS;
    if (isFull || isFull(chunk, head, bucket)) {
      cover(chunk, head, hash, isFull ? PrefixRun.STICKY_ENDINGS : MOST_IN_BUCKET - 1);
      return true;
    }
    return false;
  }

  /** Returns the prefixes of a locked chunk. */
  private PrefixRun run(long[] chunk, long head, long hash) {
    return new PrefixRun(tags, PrefixChunk.count(head))
        .addAll(chunk, head, PrefixSource.first(hash, PrefixChunk.depth(head)));
  }

  /**
   * Splits a chunk in two by the next bit of its hashes. Returns false if a half could not hold its
   * prefixes, or if most of them are endings: copying these again and again would make no room.
   */
  private boolean split(long[] chunk, long head, long hash) {
    int depth = PrefixChunk.depth(head);
    PrefixRun all = run(chunk, head, hash);
    int endings = all.countBelow(depth + 1 + BUCKET_BITS);
    if (endings > all.count() / 4 && all.count() - endings < chunkKeys) {
      return false;
    }
    PrefixRun[] halves = all.halves(depth, PrefixSource.first(hash, depth));
    int[] changes = tally.changes();
    long[][] parts = new long[2][];
    int copies = 0;
    boolean hasSticky = false;
    for (int side = 0; side < 2; side++) {
      if (halves[side].slots(depth + 1) > PrefixChunk.MAX_SLOTS) {
        return false;
      }
      if (endings > 0) {
        halves[side] = halves[side].inBuckets(depth + 1, Integer.MAX_VALUE, isSet);
        halves[side].addTo(changes, 1);
        copies += halves[side].copies();
        hasSticky |= halves[side].hasSticky();
      }
      parts[side] = halves[side].chunk(depth + 1, slack + 1);
    }
    synchronized (publishing) {
      if (1 << depth == directory.length) {
        directory = doubled(directory);
        joinsOfDirectory = 0;
      }
      if (endings > 0) {
        all.addTo(changes, -1);
        tally.addAll(changes, true);
        tally.addAll(changes, false);
        // if there are more than 8 equal ones, some are dropped, but a positive number still shows
        // that there are copies
        tally.addCopies(copies);
        stickyLength = Math.max(stickyLength, hasSticky ? depth + 1 + BUCKET_BITS : 0);
      }
      // before any thread can see both halves
      chunks++;
      splits++;
      usual = shapeOfMost(parts[0][0]);
      replace(chunk, chunk, depth, hash, parts[0], parts[1]);
    }
    return true;
  }

  /**
   * Inserts a prefix into a copy of a chunk, which replaces the chunk.
   *
   * @param place the index in its bucket of the slot that the prefix replaces, or -1
   */
  private void storeInCopy(long[] chunk, long head, long hash, int length, int tag, int place) {
    int depth = PrefixChunk.depth(head);
    int bucket = PrefixChunk.bucket(head, hash);
    int width = length - depth - BUCKET_BITS + 1;
    long[] copy =
        width + tags.bits() <= PrefixChunk.width(head)
            ? PrefixChunk.resized(chunk, head, PrefixChunk.roomyWords(head))
            : run(chunk, head, hash).chunk(depth, width);
    if (place >= 0) {
      copy[0] = new PrefixChunk.Bucket(copy, copy[0], bucket).delete(place);
    }
    if (!PrefixChunk.hasRoom(copy, copy[0])) {
      copy = PrefixChunk.resized(copy, copy[0], PrefixChunk.roomyWords(copy[0]));
    }
    int start = PrefixChunk.start(copy, copy[0], bucket);
    long slot = PrefixChunk.slot(copy[0], hash, length) | tag;
    copy[0] = PrefixChunk.insert(copy, copy[0], bucket, start, slot);
    tally.add(PrefixTally.place(length, tag), 1);
    if (place >= 0) {
      long replaced = new PrefixChunk.Bucket(chunk, head, bucket).slot(place);
      tally.add(PrefixChunk.length(head, replaced), -1);
    }
    replace(chunk, head, hash, copy);
  }

  /** Covers the prefixes of all buckets that have more than this many. */
  private void cover(long[] chunk, long head, long hash, int most) {
    int depth = PrefixChunk.depth(head);
    PrefixRun all = run(chunk, head, hash);
    PrefixRun covered = all.inBuckets(depth, most, isSet);
    if (!isSet) {
      makeSticky(depth + BUCKET_BITS);
    }
    replace(chunk, head, hash, all, covered);
  }

  /** Replaces the prefixes of a locked chunk by others. Returns the head of the new chunk. */
  private long replace(long[] chunk, long head, long hash, PrefixRun all, PrefixRun others) {
    long[] other = others.chunk(PrefixChunk.depth(head), slack + 1);
    long after = other[0];
    int[] changes = tally.changes();
    others.addTo(changes, 1);
    all.addTo(changes, -1);
    // the tally of this chunk: when all chunks are replaced, so is their tally
    PrefixTally counts = tally;
    counts.addAll(changes, true);
    replace(chunk, head, hash, other);
    counts.addAll(changes, false);
    return after;
  }

  // Tags.

  /** Returns the set of the tags of all stored prefixes of the hash: bit t is set for tag t. */
  public long tags(long hash) {
    for (int spins = 0; ; spins++) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.head(chunk);
      if (PrefixLock.isReadable(head)) {
        long found = 0;
        boolean torn = false;
        try {
          found = PrefixChunk.tags(chunk, head, hash);
        } catch (ArrayIndexOutOfBoundsException e) {
          torn = true;
        }
        if (PrefixLock.isStill(chunk, head)) {
          if (torn) {
            throw new AssertionError("a chunk refers to words outside its array");
          }
          return found;
        }
      }
      PrefixLock.pause(spins);
    }
  }

  /**
   * Atomically puts a hash with a tag and returns the result that {@link #tags} would have had
   * before. Nothing is written if that set has a tag in common with {@code keep}, or if a prefix of
   * the hash already has this tag. Otherwise the longest prefix of the hash gets the tag instead of
   * its own if it has at least as many bits as a put stores; if not, a new prefix is stored in
   * addition.
   */
  public long put(long hash, int tag, long keep) {
    return put(hash, tag, keep, () -> true);
  }

  /**
   * Puts a hash with a tag, or changes nothing and returns {@link #OUTDATED} if the tags no longer
   * mean what the caller thought when it chose them.
   *
   * @param isCurrent returns whether the meaning of tags has not changed; called while the chunk is
   *     locked, so no {@link #dropDead} that begins after a change misses this put
   */
  public long put(long hash, int tag, long keep, BooleanSupplier isCurrent) {
    if (tag >>> tags.bits() != 0) {
      throw new IllegalArgumentException(
          "tag %d does not fit into %d bits".formatted(tag, tags.bits()));
    }
    while (true) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      long after = PrefixChunk.changed(head, 0, 0);
      boolean isStored = false;
      long found = 0;
      try {
        if (!isCurrent.getAsBoolean()) {
          PrefixLock.unlock(chunk, head);
          return OUTDATED;
        }
        int bucket = PrefixChunk.bucket(head, hash);
        found = PrefixChunk.tags(chunk, head, hash);
        if ((found & (keep | 1L << tag)) != 0) {
          PrefixLock.unlock(chunk, head);
          return found;
        }
        PrefixChunk.Bucket its = new PrefixChunk.Bucket(chunk, head, bucket);
        int longest = its.longest(hash);
        int shortest = PrefixChunk.depth(head) + BUCKET_BITS;
        int length = Math.min(PrefixChunk.MAX_LENGTH - tags.bits(), shortest + slack);
        int had = longest < 0 ? 0 : PrefixChunk.length(head, its.slot(longest));
        if (had >= length) {
          int tagBefore = PrefixChunk.tag(head, its.slot(longest));
          // first, because this may fail: then nothing is changed
          tally.add(PrefixTally.place(had, tag), 1);
          tally.add(PrefixTally.place(had, tagBefore), -1);
          after = its.setTag(longest, tag);
          isStored = true;
          PrefixLock.unlock(chunk, after);
          return found;
        }
        if ((isTimeToSplit(head) || isFull(chunk, head, bucket))
            && makeRoom(chunk, head, hash, bucket)) {
          continue;
        }
        boolean fits = length - shortest < PrefixChunk.width(head) - tags.bits();
        if (fits && PrefixChunk.hasRoom(chunk, head)) {
          tally.add(PrefixTally.place(length, tag), 1);
          int start = PrefixChunk.start(chunk, head, bucket);
          long slot = PrefixChunk.slot(head, hash, length) | tag;
          after = PrefixChunk.insert(chunk, head, bucket, start, slot);
          isStored = true;
          PrefixLock.unlock(chunk, after);
        } else {
          storeInCopy(chunk, head, hash, length, tag, -1);
        }
        return found;
      } catch (Throwable e) {
        // no method call: the stack may be exhausted
        if (chunk[0] != PrefixLock.REPLACED) {
          chunk[0] = after;
        }
        if (!isStored) {
          throw e;
        }
        return found;
      }
    }
  }

  /**
   * Drops all prefixes with {@linkplain Tags#isDead dead} tags from the chunk at an address,
   * releases their memory and joins chunks that have few prefixes left. To process all chunks,
   * start with address 0 and pass the returned address to the next call until it is 0. Each step
   * locks one or two chunks; other threads can read and write in the meantime.
   *
   * @return the address of the next chunk, or 0 after the last one
   */
  public long dropDead(long address) {
    while (true) {
      long[] chunk = chunk(address);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      try {
        long after = drop(chunk, head, address);
        if (after >= 0) {
          settle(chunk(address), after, address);
        }
        return PrefixChunk.behind(head, address);
      } finally {
        // no method call: the stack may be exhausted
        if (chunk[0] != PrefixLock.REPLACED) {
          chunk[0] = head;
        }
      }
    }
  }

  /**
   * Replaces a locked chunk by one without dead prefixes.
   *
   * @return the head of the new chunk, or -1 if there are no dead prefixes
   */
  private long drop(long[] chunk, long head, long hash) {
    PrefixRun all = run(chunk, head, hash);
    PrefixRun live = all.live();
    return live == all ? -1 : replace(chunk, head, hash, all, live);
  }

  /** Removes the longest prefix of the hash and returns whether there was one. */
  public boolean remove(long hash) {
    while (true) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      long after = PrefixChunk.changed(head, 0, 0);
      boolean isRemoved = false;
      try {
        PrefixChunk.Bucket bucket =
            new PrefixChunk.Bucket(chunk, head, PrefixChunk.bucket(head, hash));
        int place = bucket.longest(hash);
        long slot = place < 0 ? 0 : bucket.slot(place);
        if (place < 0 || isSticky(bucket, head, slot)) {
          PrefixLock.unlock(chunk, head);
          return false;
        }
        // first, because this may fail: then nothing is removed
        tally.add(PrefixChunk.length(head, slot), -1);
        after = bucket.delete(place);
        isRemoved = true;
        PrefixLock.unlock(chunk, after);
      } catch (Throwable e) {
        // no method call: the stack may be exhausted
        chunk[0] = after;
        if (!isRemoved) {
          throw e;
        }
        return true;
      }
      try {
        if (PrefixChunk.count(after) % SETTLE_AGAIN == 0) {
          settle(chunk, after, hash);
        }
      } catch (StackOverflowError | OutOfMemoryError e) {
        // the key is removed; a later removal will release the memory
      }
      return true;
    }
  }

  /**
   * Extends the longest prefix of a hash that was put to all bits that a put of it would store now.
   * If that prefix was stored for another hash, then a shorter or equal one was stored for this
   * hash, which matches the other hash too, so no key is lost. Sticky prefixes, which represent
   * several puts, are not changed.
   *
   * @return whether a prefix was extended
   */
  public boolean confirm(long hash) {
    while (true) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      try {
        PrefixChunk.Bucket bucket =
            new PrefixChunk.Bucket(chunk, head, PrefixChunk.bucket(head, hash));
        int place = bucket.longest(hash);
        long slot = place < 0 ? 0 : bucket.slot(place);
        int shortest = PrefixChunk.depth(head) + BUCKET_BITS;
        int length = Math.min(PrefixChunk.MAX_LENGTH, shortest + slack);
        boolean isShort =
            place >= 0 && PrefixChunk.length(head, slot) < length && !isSticky(bucket, head, slot);
        if (isShort) {
          storeInCopy(chunk, head, hash, length, 0, place);
        }
        return isShort;
      } finally {
        // no method call: the stack may be exhausted
        if (chunk[0] != PrefixLock.REPLACED) {
          chunk[0] = head;
        }
      }
    }
  }

  /**
   * Joins a chunk that has few prefixes with its sibling, and the result with its own sibling in
   * turn, or releases the room that the chunk does not need.
   */
  private void settle(long[] changed, long after, long hash) {
    long[] chunk = changed;
    long head = after;
    while (PrefixChunk.depth(head) > 0) {
      int depth = PrefixChunk.depth(head);
      long sibling = PrefixLock.head(chunk(hash ^ 1L << (64 - depth)));
      if (!fitTogether(head, sibling) || !join(hash, depth)) {
        break;
      }
      chunk = chunk(hash);
      head = PrefixLock.head(chunk);
    }
    if (isRoomy(chunk, head)) {
      shrink(chunk, hash);
    }
  }

  /**
   * Returns whether two siblings fit into one chunk with room to spare. A joined chunk is split
   * again only after puts of at least an eighth of its maximum number of keys, so a fluctuating
   * number of keys does not split and join it all the time.
   */
  private boolean fitTogether(long head, long sibling) {
    return PrefixChunk.depth(head) == PrefixChunk.depth(sibling)
        && PrefixChunk.count(head) + PrefixChunk.count(sibling) <= chunkKeys - chunkKeys / 8;
  }

  /**
   * Joins the chunk of a hash with its sibling. Returns false if they have changed in the meantime.
   */
  private boolean join(long hash, int depth) {
    long address = PrefixSource.first(hash, depth - 1);
    long middle = address | 1L << (64 - depth);
    long[] low = chunk(address);
    long[] high = chunk(middle);
    // the lower one first: all threads that lock several chunks use this order
    long lowHead = PrefixLock.lock(low);
    long highHead = -1;
    try {
      highHead = lowHead < 0 || low == high ? -1 : PrefixLock.lock(high);
      if (highHead < 0 || PrefixChunk.depth(lowHead) != depth || !fitTogether(lowHead, highHead)) {
        return false;
      }
      long[] joined =
          new PrefixRun(tags, PrefixChunk.count(lowHead) + PrefixChunk.count(highHead))
              .addAll(low, lowHead, address)
              .addAll(high, highHead, middle)
              .chunk(depth - 1, slack + 1);
      synchronized (publishing) {
        replace(low, high, depth - 1, hash, joined, joined);
        chunks--;
        joins++;
        joinsOfDirectory++;
        usual = shapeOfMost(joined[0]);
        halve();
      }
      return true;
    } finally {
      // no method call: the stack may be exhausted
      if (lowHead >= 0 && low[0] != PrefixLock.REPLACED) {
        low[0] = lowHead;
      }
      if (highHead >= 0 && high[0] != PrefixLock.REPLACED) {
        high[0] = highHead;
      }
    }
  }

  /**
   * Returns whether a chunk has far more room than a new chunk with the same slots would have. One
   * that was replaced has not: its head says nothing about its slots.
   */
  static boolean isRoomy(long[] chunk, long head) {
    if (head == PrefixLock.REPLACED) {
      return false;
    }
    int words = PrefixChunk.roomyWords(head);
    return chunk.length > words + words / 16;
  }

  /**
   * Replaces a chunk by a smaller array with the same slots, unless it has changed in the meantime.
   */
  private void shrink(long[] chunk, long hash) {
    long head = PrefixLock.lock(chunk);
    try {
      if (head >= 0 && isRoomy(chunk, head)) {
        replace(chunk, head, hash, PrefixChunk.resized(chunk, head, PrefixChunk.leastWords(head)));
      }
    } finally {
      // no method call: the stack may be exhausted
      if (head >= 0 && chunk[0] != PrefixLock.REPLACED) {
        chunk[0] = head;
      }
    }
  }

  // Operations on all prefixes.

  /**
   * Returns all prefixes of a store that is not replaced in the meantime. The prefixes of each
   * chunk are a consistent snapshot, and every put that returned before this call is included.
   */
  public PrefixSource prefixes() {
    return new Scan();
  }

  private final class Scan extends PrefixSource {
    private final LongConsumer beforeChunk = scanning;
    private long behind;
    private int next;
    private PrefixRun present = read(0);

    /** Returns the prefixes of the chunk of a hash, starting at that hash. */
    private PrefixRun read(long hash) {
      beforeChunk.accept(hash);
      long[] copy = consistentCopy(hash);
      behind = PrefixChunk.behind(copy[0], hash);
      PrefixRun all = run(copy, copy[0], hash).live();
      // a chunk that was joined in the meantime begins earlier
      next = all.indexOf(hash);
      return all;
    }

    @Override
    public boolean next() {
      while (next == present.count()) {
        if (behind == 0) {
          return false;
        }
        present = read(behind);
      }
      int index = next++;
      return found(present.bits(index), present.length(index), present.tag(index));
    }
  }

  /** Returns a consistent copy of the chunk of a hash, unlocked and without a version. */
  long[] chunkCopy(long hash) {
    scanning.accept(hash);
    long[] copy = consistentCopy(hash);
    copy[0] = PrefixChunk.withoutVersion(copy[0]);
    return copy;
  }

  /** Returns a copy of the chunk of a hash, which no thread changed in the meantime. */
  private long[] consistentCopy(long hash) {
    for (int spins = 0; ; spins++) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.head(chunk);
      if (PrefixLock.isReadable(head)) {
        long[] copy = chunk.clone();
        if (PrefixLock.isStill(chunk, head)) {
          // it may have been locked for a moment by a thread that changed nothing
          copy[0] = head;
          return copy;
        }
      }
      PrefixLock.pause(spins);
    }
  }

  /** Returns the smallest depth of a chunk. */
  public int leastDepth() {
    int[] least = {Integer.MAX_VALUE};
    forEachChunk((chunk, head) -> least[0] = Math.min(least[0], PrefixChunk.depth(head)));
    return least[0];
  }

  /** Passes all chunks with their heads to a consumer, in the order of their addresses. */
  private void forEachChunk(ObjLongConsumer<long[]> consumer) {
    long address = 0;
    do {
      long[] chunk = chunk(address);
      long head = PrefixLock.head(chunk);
      if (head != PrefixLock.REPLACED) {
        consumer.accept(chunk, head);
        address = PrefixChunk.behind(head, address);
      }
    } while (address != 0);
  }

  /** Returns the length up to which 8 equal prefixes may represent more. */
  int stickyLength() {
    return stickyLength;
  }

  /**
   * Adopts chunks in the order of their addresses. The store is empty, and no other thread uses it.
   *
   * @param bytes the number of bytes of the chunks
   * @param limit receives the number of bytes held so far, and may throw
   */
  private void adopt(List<long[]> all, long bytes, LongConsumer limit) {
    int deepest = all.stream().mapToInt(chunk -> PrefixChunk.depth(chunk[0])).max().orElseThrow();
    limit.accept(bytes + (4L << deepest));
    long[][] entries = new long[1 << deepest][];
    int at = 0;
    for (long[] chunk : all) {
      int span = entries.length >>> PrefixChunk.depth(chunk[0]);
      Arrays.fill(entries, at, at + span, chunk);
      at += span;
    }
    directory = entries;
    chunks = all.size();
    usual = shapeOfMost(entries[entries.length / 2][0]);
  }

  /**
   * Adopts chunks that were checked.
   *
   * @param counts the number of prefixes of each length
   */
  void adopt(
      List<long[]> all,
      long bytes,
      LongConsumer limit,
      long[] counts,
      long copies,
      int newStickyLength) {
    adopt(all, bytes, limit);
    stickyLength = newStickyLength;
    for (int length = 0; length < counts.length; length++) {
      if (counts[length] > 0) {
        tally.add(length, counts[length]);
      }
    }
    tally.addCopies(copies);
  }

  /** Sets the test hook that is called before a scan reads a chunk. */
  void whenScanning(LongConsumer called) {
    scanning = called;
  }

  /**
   * Fills this empty store with prefixes. A set omits those that others cover.
   *
   * @param expected the approximate number of prefixes
   * @param copies the number of them that are known to be copies
   * @param limit receives the number of bytes held so far, and may throw
   * @return this store, or another one with the same settings
   */
  public PrefixStore load(
      PrefixSource source, long expected, long copies, Allowed allowed, LongConsumer limit) {
    tally.addCopies(copies);
    PrefixLoader loader = new PrefixLoader(tags, chunkKeys, expected, isSet, allowed, limit, tally);
    PrefixSource all = isSet ? PrefixSource.merged(source, tags) : source;
    while (all.next()) {
      loader.add(all.bits(), all.length(), all.tag());
    }
    adopt(loader.end(), loader.bytes(), limit);
    // a merge may have kept fewer prefixes than there were copies on both sides
    tally.addCopies(Math.min(0, tally.total() - tally.copies()));
    // a file does not record which prefixes are sticky, and without copies none is
    boolean isFile = allowed != Allowed.COPYING_AND_COVERING;
    int repeated = isFile && copies > 0 ? loader.longestRepeated : 0;
    stickyLength = Math.max(repeated, loader.longestSticky);
    if (!loader.hasCovered) {
      return this;
    }
    // chunks as deep as those that a reader creates for this many prefixes
    return empty()
        .load(prefixes(), tally.total(), tally.copies(), allowed, limit)
        .withStickyOf(this);
  }

  private PrefixStore load(PrefixSource source, long expected, long copies) {
    return load(source, expected, copies, Allowed.COPYING_AND_COVERING, bytes -> {});
  }

  /**
   * Returns this store after making prefixes sticky that are sticky in another store which shares
   * prefixes with it. Without copies there are none, and a file would not record them.
   */
  private PrefixStore withStickyOf(PrefixStore other) {
    if (tally.copies() > 0) {
      stickyLength = Math.max(stickyLength, other.stickyLength);
    }
    return this;
  }

  /** Fills this empty store with the prefixes of two others, which must not change. */
  public PrefixStore loadUnion(PrefixStore one, PrefixStore other) {
    PrefixSource both = PrefixSource.both(one.prefixes(), other.prefixes());
    return loadMerged(both, one.tally.total() + other.tally.total(), one, other);
  }

  /**
   * Fills this empty store with the intersection of two others, which must not change: if a prefix
   * of one covers a prefix of the other, the longer of the two.
   */
  public PrefixStore loadIntersection(PrefixStore one, PrefixStore other) {
    Supplier<PrefixSource> common = () -> PrefixSource.common(one.prefixes(), other.prefixes());
    long expected = 0;
    for (PrefixSource all = common.get(); all.next(); ) {
      expected++;
    }
    return loadMerged(common.get(), expected, one, other);
  }

  private PrefixStore loadMerged(
      PrefixSource merged, long expected, PrefixStore one, PrefixStore other) {
    long copies = one.tally.copies() + other.tally.copies();
    return load(merged, expected, copies).withStickyOf(one).withStickyOf(other);
  }

  /**
   * Fills this empty store with the prefixes of another one, which must not change, cut to two
   * neighboring lengths so that the rate is as close to fpp as possible.
   */
  public PrefixStore loadCut(PrefixStore old, double fpp) {
    Checks.probability(fpp, "fpp");
    double now = old.tally.rate();
    if (now > fpp) {
      throw new IllegalArgumentException(
          ("the filter already has fpp %s, and bits that were dropped cannot be restored: "
                  + "use an fpp of %s or more")
              .formatted(now, now));
    }
    int length = 1;
    while (old.tally.rateAt(length) > fpp) {
      length++;
    }
    // a prefix with one bit less adds 2^-length to the rate
    long shorter = (long) Math.scalb(fpp - old.tally.rateAt(length), length);
    PrefixSource cut = PrefixSource.cut(old.prefixes(), length, shorter);
    return load(cut, old.tally.total(), old.tally.copies()).withStickyOf(old);
  }

  /** Fills this empty store with the prefixes of another one. */
  public PrefixStore loadCopy(PrefixStore other) {
    return other.whileNotReplaced(
        () -> {
          PrefixStore copy = load(other.prefixes(), other.tally.total(), 0);
          // after the scan, which may have overlapped with a split
          long most = copy.tally.total() - copy.tally.copies();
          copy.tally.addCopies(Math.min(most, other.tally.copies()));
          return copy.withStickyOf(other);
        });
  }

  /** Returns an independent store with the same prefixes. */
  public PrefixStore copy() {
    return whileNotReplaced(() -> empty().loadCopy(this));
  }

  /**
   * Calls a function while no thread replaces all chunks, and returns its result. Other threads can
   * put, remove and query in the meantime.
   */
  public <T> T whileNotReplaced(Supplier<T> reading) {
    replacing.lock();
    try {
      return reading.get();
    } finally {
      replacing.unlock();
    }
  }

  /** Returns the heap size in bytes: chunks, directory and counts, including object headers. */
  public long heapBytes() {
    return whileNotReplaced(
        () -> {
          long[] bytes = {tally.heapBytes() + 16 + 4L * directory.length};
          forEachChunk((chunk, head) -> bytes[0] += 16 + 8L * chunk.length);
          return bytes[0];
        });
  }

  /**
   * Replaces all prefixes by those of another store, which the function creates from this one while
   * no thread changes it. Writers wait; queries use the old prefixes until the new ones are in
   * place.
   */
  public void replaceBy(UnaryOperator<PrefixStore> change) {
    replacing.lock();
    boolean isReplaced = false;
    try {
      freezeAll();
      PrefixStore other = change.apply(this);
      slack = other.slack;
      chunkKeys = other.chunkKeys;
      tally = other.tally;
      stickyLength = other.stickyLength;
      chunks = other.chunks;
      usual = other.usual;
      long[][] frozen = directory;
      directory = other.directory;
      isReplaced = true;
      release(frozen, true);
    } finally {
      if (!isReplaced) {
        release(directory, false);
      }
      replacing.unlock();
    }
  }

  /** Locks all chunks for writers, in the order of their addresses. */
  private void freezeAll() {
    long address = 0;
    boolean isLast = false;
    while (!isLast) {
      long head = PrefixLock.freeze(chunk(address));
      // otherwise it was replaced, and its successor is found in the next iteration
      if (head >= 0) {
        address = PrefixChunk.behind(head, address);
        isLast = address == 0;
      }
    }
  }

  /** Releases the chunks that {@link #freezeAll} has locked so far. */
  private static void release(long[][] entries, boolean isReplaced) {
    for (long[] chunk : entries) {
      long head = PrefixLock.head(chunk);
      if (PrefixLock.isFrozen(head)) {
        // a plain store suffices: the content has not changed, and a replaced chunk sends threads
        // to the directory
        chunk[0] = isReplaced ? PrefixLock.REPLACED : PrefixChunk.unlocked(head);
      }
    }
  }

  /**
   * Removes the prefixes of keys that, as the caller guarantees, were put into this store too. No
   * other thread uses this store. If it is ambiguous which of several prefixes belongs to such a
   * key, all of them are kept.
   */
  public void subtract(PrefixSource others) {
    boolean has = others.next();
    while (has) {
      long bits = others.bits();
      int length = others.length();
      int times = 0;
      do {
        times++;
        has = others.next();
      } while (has && others.bits() == bits && others.length() == length);
      subtract(bits, length, times);
    }
  }

  /** A slot whose prefix covers the one to be removed, or is covered by it. */
  private record Match(int bucket, int place, int length, boolean isSticky) {}

  private void subtract(long bits, int length, int times) {
    long[] chunk = chunk(bits);
    if (length < PrefixChunk.depth(chunk[0])) {
      // it covers several chunks, and it is unknown which prefixes are its copies
      return;
    }
    List<Match> matches = matches(chunk, bits, length);
    long extending = matches.stream().filter(match -> match.length > length).count();
    if (extending > 0 && (extending != times || matches.size() > extending)) {
      return;
    }
    matches.stream()
        .sorted(Comparator.comparingInt(match -> -match.length))
        .limit(times)
        // sticky ones may represent all the others, and then no shorter one does
        .takeWhile(match -> !match.isSticky)
        // the last one first, so the others keep their places
        .sorted(Comparator.comparingInt(match -> -match.place))
        .forEach(
            match -> {
              chunk[0] = new PrefixChunk.Bucket(chunk, chunk[0], match.bucket).delete(match.place);
              tally.add(match.length, -1);
            });
    settle(chunk, chunk[0], bits);
  }

  private List<Match> matches(long[] chunk, long bits, int length) {
    long head = chunk[0];
    long address = PrefixSource.first(bits, PrefixChunk.depth(head));
    int missing = Math.max(0, PrefixChunk.depth(head) + BUCKET_BITS - length);
    int first = PrefixChunk.bucket(head, bits);
    List<Match> matches = new ArrayList<>();
    for (int bucket = first; bucket < first + (1 << missing); bucket++) {
      PrefixChunk.Bucket its = new PrefixChunk.Bucket(chunk, head, bucket);
      for (int i = 0; i < its.count(); i++) {
        long slot = its.slot(i);
        int slotLength = PrefixChunk.length(head, slot);
        long prefix = PrefixChunk.prefix(head, address, bucket, slot);
        int shorter = Math.min(length, slotLength);
        if (PrefixSource.first(prefix, shorter) == PrefixSource.first(bits, shorter)) {
          matches.add(new Match(bucket, i, slotLength, isSticky(its, head, slot)));
        }
      }
    }
    return matches;
  }
}
