package dev.bellows.internal.prefixes;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Prefixes of hashes in chunks that split when they are full (extendible hashing): the first bits
 * of a hash choose the chunk through a directory of references. Safe from any thread: queries take
 * no lock and repeat a chunk whose version changed meanwhile; who changes a chunk locks that chunk
 * alone.
 *
 * <p>A put stores {@code slack} bits of the hash beyond those that choose chunk and bucket at that
 * time, and a split takes one of them from every prefix.
 */
public final class PrefixStore {
  /**
   * How many bits deeper than the mean a chunk may be: hashes that agree in more are no accident.
   */
  static final int MOST_DEEPER = 5;

  /**
   * What a chunk takes beside its words: the header of its array and its place in the directory.
   */
  static final int CHUNK_BYTES = 20;

  /** So many chunks, of 4 million keys, are in the cache of a processor. */
  private static final int NEAR_CHUNKS = 1 << 13;

  private static final int FIRST_SLOTS = 8;
  private static final int SPLIT_AGAIN = 32;

  // who reads or changes these three holds the lock of a chunk, or of all
  private int slack;
  private int chunkKeys;
  private volatile PrefixTally tally;

  /**
   * Of prefixes with at most this many bits, {@link PrefixChunk#MAX_ENDINGS} equal ones may stand
   * for more, and stay.
   */
  private volatile int staying;

  /** Held while all chunks are being replaced, or read as one state. */
  private final ReentrantLock replacing = new ReentrantLock(true);

  /** Held while entries of the directory, or the directory, are being replaced. */
  private final Object publishing = new Object();

  private volatile long[][] directory;

  /**
   * Called with the first hash of each chunk before a scan reads it; tests change the store here.
   */
  private volatile LongConsumer scanning = address -> {};

  private int chunks = 1;

  /**
   * A head with the shape of most chunks. What a query works out of it need not wait for the head
   * of its chunk; any thread may read an old one.
   */
  private long usual;

  /** What may be done to prefixes that no chunk can hold as they are. */
  public enum Allowed {
    /** They are refused. */
    NOTHING,
    /**
     * Where too many agree in too many bits, shorter ones {@linkplain PrefixRun#covered cover}
     * them.
     */
    COVERING,
    /** The same, and those that are too short for a bucket are copied to several. */
    COPYING_AND_COVERING
  }

  /** An empty store. */
  public PrefixStore(int slack, int chunkKeys) {
    this(slack, chunkKeys, new PrefixTally());
  }

  /** An empty store with an empty tally. */
  PrefixStore(int slack, int chunkKeys, PrefixTally tally) {
    this(slack, chunkKeys, new long[][] {PrefixChunk.create(0, slack + 1, FIRST_SLOTS)}, 1, tally);
  }

  private PrefixStore(int slack, int chunkKeys, long[][] directory, int chunks, PrefixTally tally) {
    this.slack = slack;
    this.chunkKeys = chunkKeys;
    this.directory = directory;
    this.chunks = chunks;
    this.tally = tally;
    this.usual = shapeOfMost();
  }

  private long shapeOfMost() {
    // of 2^d to 2^(d+1) chunks most are at depth d up to the middle, and at d + 1 from there
    int depth = 31 - Integer.numberOfLeadingZeros(chunks + chunks / 3);
    return PrefixHead.of(depth, slack + 1);
  }

  /** The bits of a hash that a put stores beyond those that choose its bucket. */
  public int slack() {
    return slack;
  }

  /** The most prefixes of a chunk. */
  public int chunkKeys() {
    return chunkKeys;
  }

  /** How many prefixes there are of each length. */
  public PrefixTally tally() {
    return tally;
  }

  /** See {@link #usual}. */
  long usual() {
    return usual;
  }

  long[][] directory() {
    return directory;
  }

  long[] chunk(long hash) {
    return PrefixDirectory.chunk(directory, hash);
  }

  /** Whether a prefix of the hash is in the store. */
  public boolean contains(long hash) {
    long[] chunk = chunk(hash);
    long head = PrefixLock.head(chunk);
    long shape = usual;
    int start = PrefixChunk.start(chunk, head, PrefixHead.bucket(shape, hash));
    return contains(chunk, head, shape, hash, start);
  }

  /**
   * The same, if the head of its chunk was read and says that the bucket begins at {@code start},
   * in a chunk of the usual shape.
   */
  boolean contains(long[] chunk, long head, long shape, long hash, int start) {
    if (head >= 0 && PrefixHead.sameShape(head, shape)) {
      try {
        int bucket = PrefixHead.bucket(shape, hash);
        boolean found = PrefixChunk.contains(chunk, head, shape, hash, bucket, start);
        if (PrefixLock.isStill(chunk, head)) {
          return found;
        }
      } catch (ArrayIndexOutOfBoundsException e) {
        // it changes: the other way waits for that
      }
    }
    return containsInAny(chunk, hash);
  }

  /** The same for a chunk of any shape, which may change meanwhile. */
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
            throw new AssertionError("a chunk leads out of its array");
          }
          return found;
        }
      }
      PrefixLock.pause(spins);
      chunk = chunk(hash);
    }
  }

  /** Tests the hashes of {@code [from, to)}; cache misses of a group overlap. */
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

  /**
   * Stores a prefix of the hash; true iff it was stored. Where hashes were chosen that agree in so
   * many bits that no split would part them, shorter prefixes cover them.
   *
   * @param always whether it is stored although a prefix of the hash is there
   */
  public boolean put(long hash, boolean always) {
    while (true) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      long after = PrefixHead.changed(head, 0, 0);
      boolean isStored = false;
      try {
        int bucket = PrefixHead.bucket(head, hash);
        int start = PrefixChunk.start(chunk, head, bucket);
        int length = lengthOfPut(head);
        long slot = PrefixHead.slot(head, hash, length);
        if (always
            ? isCounted(chunk, head, bucket, start, slot, length)
            : PrefixChunk.contains(chunk, head, head, hash, bucket, start)) {
          PrefixLock.unlock(chunk, head);
          return false;
        }
        if ((isTimeToSplit(head) || isFull(chunk, head, bucket))
            && makeRoom(chunk, head, hash, bucket, always)) {
          continue;
        }
        int width = length - PrefixHead.depth(head) - PrefixChunk.BUCKET_BITS + 1;
        if (width <= PrefixHead.width(head) && PrefixChunk.hasRoom(chunk, head)) {
          // first, because it may fail: then nothing is stored
          tally.add(length, 1);
          after = PrefixChunk.insert(chunk, head, bucket, start, slot);
          isStored = true;
          PrefixLock.unlock(chunk, after);
        } else {
          enlarge(chunk, head, hash, bucket, start, length);
        }
        return true;
      } catch (Throwable e) {
        // no call: the stack may be exhausted
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

  private int lengthOfPut(long head) {
    return Math.min(
        PrefixChunk.MAX_LENGTH, PrefixHead.depth(head) + PrefixChunk.BUCKET_BITS + slack);
  }

  /** Whether a removable filter does not store a put, because prefixes that stay stand for it. */
  private boolean isCounted(long[] chunk, long head, int bucket, int start, long slot, int length) {
    int shortest = PrefixHead.depth(head) + PrefixChunk.BUCKET_BITS;
    if (PrefixChunk.staysCovered(chunk, head, bucket, start)) {
      stay(shortest);
      return true;
    }
    return length - shortest < PrefixHead.width(head)
        && PrefixChunk.isSaturated(chunk, head, bucket, slot, PrefixChunk.MAX_EQUAL);
  }

  /** Prefixes of this length stand for puts that are not stored: copies and files know it. */
  private void stay(int length) {
    if (staying < length) {
      synchronized (publishing) {
        if (tally.copies() == 0) {
          tally.addCopies(1);
        }
        staying = Math.max(staying, length);
      }
    }
  }

  /** Splits a chunk that has many prefixes, or covers them; false if there is no need to. */
  private boolean makeRoom(long[] chunk, long head, long hash, int bucket, boolean always) {
    if (maySplit(head) && split(chunk, head, hash)) {
      return true;
    }
    boolean isFull = PrefixHead.count(head) >= PrefixChunk.MOST_SLOTS;
    if (isFull || isFull(chunk, head, bucket)) {
      int most = isFull ? PrefixChunk.MAX_ENDINGS : PrefixChunk.MOST_IN_BUCKET - 1;
      cover(chunk, head, hash, most, !always);
      return true;
    }
    return false;
  }

  /** Inserts a prefix into a larger copy of a chunk, which replaces the chunk. */
  private void enlarge(long[] chunk, long head, long hash, int bucket, int start, int length) {
    int width = length - PrefixHead.depth(head) - PrefixChunk.BUCKET_BITS + 1;
    long[] larger = PrefixChunk.enlarged(chunk, head, Math.max(PrefixHead.width(head), width));
    long slot = PrefixHead.slot(larger[0], hash, length);
    larger[0] = PrefixChunk.insert(larger, larger[0], bucket, start, slot);
    tally.add(length, 1);
    synchronized (publishing) {
      replace(chunk, head, hash, larger, larger);
    }
  }

  /** Replaces a locked chunk in the directory, by a thread that may do so. */
  private void replace(long[] chunk, long head, long hash, long[] low, long[] high) {
    PrefixDirectory.replace(directory, hash, PrefixHead.depth(head), low, high);
    // at once: whatever is thrown from here on, this chunk is never used again
    chunk[0] = PrefixLock.REPLACED;
  }

  /** Covers the prefixes of all buckets that have more than so many. */
  private void cover(long[] chunk, long head, long hash, int most, boolean isSet) {
    int depth = PrefixHead.depth(head);
    PrefixRun all = PrefixRun.of(chunk, head);
    PrefixRun covered = all.covered(depth, most, isSet);
    long[] smaller = covered.chunk(depth, slack + 1);
    // that of the chunk: when it is replaced, all chunks may be, with their tally
    PrefixTally counts = tally;
    covered.addTo(counts, 1);
    if (!isSet) {
      stay(depth + PrefixChunk.BUCKET_BITS);
    }
    synchronized (publishing) {
      replace(chunk, head, hash, smaller, smaller);
    }
    all.addTo(counts, -1);
  }

  /** Removes the longest prefix of the hash; true iff one was removed. */
  public boolean remove(long hash) {
    while (true) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      long after = PrefixHead.changed(head, 0, 0);
      boolean isRemoved = false;
      try {
        int bucket = PrefixHead.bucket(head, hash);
        int place = PrefixChunk.longest(chunk, head, hash);
        long slot = place < 0 ? 0 : PrefixChunk.get(chunk, head, bucket, place);
        if (place < 0 || stays(chunk, head, bucket, slot)) {
          PrefixLock.unlock(chunk, head);
          return false;
        }
        // first, because it may fail: then nothing is removed
        tally.add(PrefixHead.length(head, slot), -1);
        after = PrefixChunk.delete(chunk, head, bucket, place);
        isRemoved = true;
        PrefixLock.unlock(chunk, after);
        return true;
      } catch (Throwable e) {
        // no call: the stack may be exhausted
        chunk[0] = after;
        if (!isRemoved) {
          throw e;
        }
        return true;
      }
    }
  }

  /**
   * Whether there are so many slots equal to this one that nobody can tell how often it was put.
   */
  boolean stays(long[] chunk, long head, int bucket, long slot) {
    int most =
        PrefixHead.length(head, slot) <= staying ? PrefixChunk.MAX_ENDINGS : PrefixChunk.MAX_EQUAL;
    return PrefixChunk.isSaturated(chunk, head, bucket, slot, most);
  }

  /** Whether it is time to split a chunk; where that did not help, some puts later again. */
  private boolean isTimeToSplit(long head) {
    int count = PrefixHead.count(head);
    return count >= chunkKeys
        && (count == chunkKeys || count % SPLIT_AGAIN == 0 || count >= PrefixChunk.MOST_SLOTS);
  }

  /** Whether a bucket has as many slots as it may have. */
  private static boolean isFull(long[] chunk, long head, int bucket) {
    return PrefixHead.spilled(head) >= PrefixChunk.MOST_IN_BUCKET - PrefixChunk.FULL
        && PrefixChunk.run(chunk, head, bucket) >= PrefixChunk.MOST_IN_BUCKET;
  }

  /** Whether a chunk is not yet far deeper than a balanced one. */
  private boolean maySplit(long head) {
    int balanced = 32 - Integer.numberOfLeadingZeros(chunks);
    return PrefixHead.depth(head) < Math.min(balanced + MOST_DEEPER, 30);
  }

  /** Splits a chunk, unless so many of its prefixes would be copied that it would not help. */
  private boolean split(long[] chunk, long head, long hash) {
    PrefixSplit halves = PrefixSplit.of(chunk, slack + 1, chunkKeys);
    if (halves == null) {
      return false;
    }
    int length = PrefixHead.depth(head) + PrefixChunk.BUCKET_BITS;
    int copied = halves.slots() - (PrefixHead.count(head) - halves.endings);
    int depth = PrefixHead.depth(head);
    synchronized (publishing) {
      if (1 << depth == directory.length) {
        directory = PrefixDirectory.doubled(directory);
      }
      if (halves.endings > 0) {
        tally.split(length, halves.endings, copied);
        staying = Math.max(staying, halves.endings < PrefixChunk.MAX_ENDINGS ? 0 : length + 1);
      }
      // before anybody can have both halves
      chunks++;
      usual = shapeOfMost();
      replace(chunk, head, hash, halves.low, halves.high);
    }
    return true;
  }

  /**
   * All prefixes, of a store that is not replaced meanwhile. Those of one chunk are as they were at
   * one moment; every put that returned before is among them.
   */
  public PrefixSource prefixes() {
    return new PrefixScan(this, scanning);
  }

  /** Calls this before each chunk that a later scan reads. */
  void whenScanning(LongConsumer called) {
    scanning = called;
  }

  /**
   * A store of these prefixes.
   *
   * @param isSet whether prefixes that others cover are left out
   * @param expected about how many there are
   * @param copies how many of them are known to be copies
   * @param limit takes the bytes that are held so far, and may refuse them
   */
  public static PrefixStore of(
      PrefixSource source,
      boolean isSet,
      long expected,
      long copies,
      Allowed allowed,
      int slack,
      int chunkKeys,
      LongConsumer limit) {
    PrefixTally tally = new PrefixTally();
    tally.addCopies(copies);
    PrefixLoader loader = new PrefixLoader(chunkKeys, expected, isSet, allowed, limit, tally);
    PrefixSource all = isSet ? PrefixSource.distinct(source) : source;
    while (all.next()) {
      loader.add(all.bits(), all.length());
    }
    long[][] entries = loader.end();
    // a merge may have kept fewer than the copies of both sides
    tally.addCopies(Math.min(0, tally.total() - tally.copies()));
    PrefixStore store = new PrefixStore(slack, chunkKeys, entries, loader.chunks(), tally);
    // a file does not say it, and without copies none stands for more
    boolean isFile = allowed != Allowed.COPYING_AND_COVERING;
    int repeated = isFile && copies > 0 ? loader.longestRepeated() : 0;
    store.staying = Math.max(repeated, loader.longestEnding());
    if (!loader.hasCovered()) {
      return store;
    }
    // chunks as deep as those that a reader makes of so few
    long total = tally.total();
    return of(store.prefixes(), isSet, total, tally.copies(), allowed, slack, chunkKeys, limit)
        .stayingAs(store);
  }

  /**
   * This store, in which those prefixes stay that stay in another one with some of its own. Without
   * a copy there are none, and a file would not know of them.
   */
  public PrefixStore stayingAs(PrefixStore other) {
    if (tally.copies() > 0) {
      staying = Math.max(staying, other.staying);
    }
    return this;
  }

  /**
   * An independent store with the same prefixes.
   *
   * @param isSet whether prefixes that others cover are left out
   */
  public PrefixStore copy(boolean isSet) {
    return whileNotReplaced(() -> copyNow(isSet));
  }

  private PrefixStore copyNow(boolean isSet) {
    PrefixStore copy =
        of(
            prefixes(),
            isSet,
            tally.total(),
            0,
            Allowed.COPYING_AND_COVERING,
            slack,
            chunkKeys,
            bytes -> {});
    // after the scan, which may have met a split
    long most = copy.tally.total() - copy.tally.copies();
    copy.tally.addCopies(Math.min(most, tally.copies()));
    return copy.stayingAs(this);
  }

  /** What is read while nobody replaces all chunks; others put, remove and ask meanwhile. */
  public <T> T whileNotReplaced(Supplier<T> reading) {
    replacing.lock();
    try {
      return reading.get();
    } finally {
      replacing.unlock();
    }
  }

  /** The bytes of heap that it takes: chunks, directory and counts, with their headers. */
  public long heapBytes() {
    return whileNotReplaced(this::heapBytesNow);
  }

  private long heapBytesNow() {
    long bytes = PrefixTally.HEAP_BYTES + 16 + 4L * directory.length;
    long address = 0;
    while (true) {
      long[] chunk = chunk(address);
      long head = PrefixLock.head(chunk);
      if (head != PrefixLock.REPLACED) {
        bytes += 16 + 8L * chunk.length;
        address = PrefixHead.behind(head, address);
        if (address == 0) {
          return bytes;
        }
      }
    }
  }

  /** The number of chunks. */
  public int chunks() {
    return chunks;
  }

  /**
   * Replaces all prefixes by those of another store, made of this one while nobody changes it;
   * writers wait, queries are answered from the old prefixes until the new ones take their place.
   */
  public void replaceBy(UnaryOperator<PrefixStore> change) {
    LockedChunks frozen = new LockedChunks(directory.length);
    replacing.lock();
    try {
      frozen.freezeAll(this);
      PrefixStore other = change.apply(this);
      slack = other.slack;
      chunkKeys = other.chunkKeys;
      tally = other.tally;
      staying = other.staying;
      chunks = other.chunks;
      usual = other.usual;
      frozen.areReplaced();
      directory = other.directory;
    } finally {
      frozen.release();
      replacing.unlock();
    }
  }

  /**
   * Takes away the prefixes of keys that were put here too, by the caller's word, while nobody else
   * uses this store. Where it cannot be told which of several prefixes belongs to such a key, all
   * of them stay.
   */
  public void subtract(PrefixSource others) {
    new PrefixSubtraction(this).subtract(others);
  }
}
