package dev.bellows.internal.store;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

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

  /** Who replaces all chunks holds it. */
  private final ReentrantLock replacing = new ReentrantLock(true);

  /** Who replaces entries of the directory, or the directory, holds it. */
  private final Object publishing = new Object();

  private volatile long[][] directory;

  /** What readers ask while all chunks are locked to be replaced. */
  private volatile @Nullable PrefixStore frozen;

  private int chunks = 1;

  /**
   * A head with the shape of most chunks. What a query works out of it need not wait for the head
   * of its chunk; any thread may read an old one.
   */
  private long usual;

  /** An empty store. */
  public PrefixStore(int slack, int chunkKeys) {
    this(
        slack,
        chunkKeys,
        new long[][] {PrefixChunk.create(0, slack + 1, FIRST_SLOTS)},
        1,
        new PrefixTally());
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
      if (head >= 0) {
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
      } else {
        PrefixStore still = frozen;
        if (still != null) {
          long[] its = still.chunk(hash);
          return PrefixChunk.contains(its, its[0], hash);
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
   * Stores a prefix of the hash; true iff it was stored.
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
      int bucket = PrefixHead.bucket(head, hash);
      int start = PrefixChunk.start(chunk, head, bucket);
      if (always
          ? PrefixChunk.staysCovered(chunk, head, bucket, start)
          : PrefixChunk.contains(chunk, head, head, hash, bucket, start)) {
        if (always) {
          cover(PrefixHead.depth(head) + PrefixChunk.BUCKET_BITS);
        }
        PrefixLock.unlock(chunk, head);
        return false;
      }
      try {
        if (isTimeToSplit(head) && maySplit(head) && split(chunk, head, hash)) {
          continue;
        }
        return store(chunk, head, hash, bucket, start, always);
      } catch (OutOfMemoryError e) {
        // memory is taken before anything changes
        PrefixLock.unlock(chunk, head);
        throw e;
      }
    }
  }

  /** Prefixes of this length stand for a put that was not stored: copies and files know it. */
  private void cover(int length) {
    if (staying < length) {
      synchronized (publishing) {
        if (tally.copies() == 0) {
          tally.addCopies(1);
        }
        staying = Math.max(staying, length);
      }
    }
  }

  private boolean store(long[] chunk, long head, long hash, int bucket, int start, boolean always) {
    int length =
        Math.min(PrefixChunk.MAX_LENGTH, PrefixHead.depth(head) + PrefixChunk.BUCKET_BITS + slack);
    long slot = PrefixHead.slot(head, hash, length);
    boolean isFull = PrefixHead.count(head) >= PrefixChunk.MAX_SLOTS;
    int beyond = length - PrefixHead.depth(head) - PrefixChunk.BUCKET_BITS;
    boolean mayRepeat = always && beyond < PrefixHead.width(head);
    if (isFull
        || (mayRepeat
            && PrefixChunk.isSaturated(chunk, head, bucket, slot, PrefixChunk.MAX_EQUAL))) {
      // made before the chunk is unlocked, because memory may be short
      IllegalStateException tooMany = isFull ? tooManyAgree(head) : null;
      PrefixLock.unlock(chunk, head);
      if (tooMany != null) {
        throw tooMany;
      }
      return false;
    }
    int width = Math.max(PrefixHead.width(head), beyond + 1);
    if (width == PrefixHead.width(head) && PrefixChunk.hasRoom(chunk, head)) {
      tally.add(length, 1);
      PrefixLock.unlock(chunk, PrefixChunk.insert(chunk, head, bucket, start, slot));
    } else {
      long[] larger = PrefixChunk.enlarged(chunk, head, width);
      tally.add(length, 1);
      slot = PrefixHead.slot(larger[0], hash, length);
      larger[0] = PrefixChunk.insert(larger, larger[0], bucket, start, slot);
      synchronized (publishing) {
        PrefixDirectory.replace(directory, hash, larger);
      }
      PrefixLock.unlock(chunk, PrefixLock.REPLACED);
    }
    return true;
  }

  private static IllegalStateException tooManyAgree(long head) {
    return new IllegalStateException(
        "the hashes of %d keys agree in their first %d bits, which is no accident: use a secret key or a random seed"
            .formatted(PrefixHead.count(head), PrefixHead.depth(head)));
  }

  /** Removes the longest prefix of the hash; true iff one was removed. */
  public boolean remove(long hash) {
    while (true) {
      long[] chunk = chunk(hash);
      long head = PrefixLock.lock(chunk);
      if (head < 0) {
        continue;
      }
      int place = PrefixChunk.longest(chunk, head, hash);
      int bucket = PrefixHead.bucket(head, hash);
      int start = PrefixChunk.start(chunk, head, bucket);
      long slot = place < 0 ? 0 : PrefixChunk.get(chunk, head, bucket, start, place);
      if (place < 0 || stays(chunk, head, bucket, slot)) {
        PrefixLock.unlock(chunk, head);
        return false;
      }
      int length = PrefixHead.length(head, slot);
      try {
        tally.add(length, -1);
      } catch (OutOfMemoryError e) {
        // an adder may need memory
        PrefixLock.unlock(chunk, head);
        throw e;
      }
      PrefixLock.unlock(chunk, PrefixChunk.delete(chunk, head, bucket, place));
      return true;
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
    return count == chunkKeys || (count > chunkKeys && count % SPLIT_AGAIN == 0);
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
      // the halves have one bit more, so each takes its half of the entries
      PrefixDirectory.replace(directory, hash & ~(1L << (63 - depth)), halves.low);
      PrefixDirectory.replace(directory, hash | 1L << (63 - depth), halves.high);
    }
    PrefixLock.unlock(chunk, PrefixLock.REPLACED);
    return true;
  }

  /**
   * All prefixes, of a store that is not replaced meanwhile. Those of one chunk are as they were at
   * one moment; every put that returned before is among them.
   */
  public PrefixSource prefixes() {
    return new PrefixScan(this);
  }

  /**
   * A store of these prefixes.
   *
   * @param expected about how many there are
   * @param copies how many of them are known to be copies
   * @param mayCopy whether prefixes may be too short for a bucket and are then copied to several
   * @param limit takes the bytes that are held so far, and may refuse them
   */
  public static PrefixStore of(
      PrefixSource source,
      long expected,
      long copies,
      boolean mayCopy,
      int slack,
      int chunkKeys,
      LongConsumer limit) {
    PrefixTally tally = new PrefixTally();
    tally.addCopies(copies);
    PrefixLoader loader = new PrefixLoader(chunkKeys, expected, mayCopy, limit, tally);
    while (source.next()) {
      loader.add(source.bits(), source.length());
    }
    long[][] entries = loader.end();
    // a merge may have kept fewer than the copies of both sides
    tally.addCopies(Math.min(0, tally.total() - tally.copies()));
    PrefixStore store = new PrefixStore(slack, chunkKeys, entries, loader.chunks(), tally);
    // a file does not say it, and without copies none stands for more
    store.staying = mayCopy ? loader.longestEnding() : copies > 0 ? loader.longestRepeated() : 0;
    return store;
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
    PrefixSource all = isSet ? PrefixSource.distinct(prefixes()) : prefixes();
    PrefixStore copy = of(all, tally.total(), 0, true, slack, chunkKeys, bytes -> {});
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

  /** Replaces all prefixes by those of another store, made of them while nobody changes any. */
  public void replaceBy(UnaryOperator<PrefixStore> change) {
    LockedChunks locked = new LockedChunks(directory.length);
    replacing.lock();
    try {
      locked.lockAll(this);
      int depth = Integer.numberOfTrailingZeros(directory.length);
      long[][] entries = PrefixDirectory.of(locked.copies(), depth);
      PrefixStore old =
          new PrefixStore(slack, chunkKeys, entries, chunks, tally.copy()).stayingAs(this);
      frozen = old;
      PrefixStore other = change.apply(old);
      // before the directory shows chunks that anybody can change
      frozen = null;
      slack = other.slack;
      chunkKeys = other.chunkKeys;
      tally = other.tally;
      staying = other.staying;
      chunks = other.chunks;
      usual = other.usual;
      directory = other.directory;
      locked.areReplaced();
    } finally {
      frozen = null;
      locked.release();
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
