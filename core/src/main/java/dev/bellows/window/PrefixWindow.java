package dev.bellows.window;

import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixStore;
import dev.bellows.internal.prefixes.PrefixStore.Allowed;
import dev.bellows.internal.prefixes.PrefixTally;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;

/**
 * A store of the keys of a window as prefixes of their hashes, each tagged with its generation
 * modulo the number of tags, 2 (G + 1), or 64 with 47 generations. G + 1 of these tags are live.
 *
 * <p><b>The sweep.</b> Prefixes of expired generations are dropped from a chunk before it would
 * split, and by a sweep: every put that stores something sweeps up to eight chunks, until all
 * chunks have been visited since the last rotation. The pace of the sweep follows from the number
 * of puts in the last generation, so that even the few puts after a burst release its memory within
 * half a generation. An expired tag is reused when all other tags that are not live have been used.
 * If a rotation would reuse a tag that has not been swept, it first completes the sweep, which
 * happens only after very few puts in a whole window.
 *
 * <p><b>Rotation</b> replaces the head. A put checks while its chunk is locked that it has seen the
 * current head, and otherwise begins again, so it stores no tag that has expired in the meantime. A
 * query begins again if the head was replaced while it read. A jump that empties the window
 * replaces the store together with the head.
 */
final class PrefixWindow extends WindowStore {
  /** The minimum pace of the sweep, in quarters of a chunk per put that stores something. */
  private static final int LEAST_PACE = 1;

  private static final int MOST_PACE = 32;

  private final PrefixSizes sizes;
  private final int lanes;

  /** The number of tags, a power of two. */
  private final int allTags;

  private volatile Head head;

  /** The approximate number of puts since the last rotation that stored something. */
  private final AtomicLong puts = new AtomicLong();

  private static final AtomicIntegerFieldUpdater<PrefixWindow> SWEEPING =
      AtomicIntegerFieldUpdater.newUpdater(PrefixWindow.class, "sweeping");

  /**
   * A lock that guards the fields below and that no put waits for: 1 while a thread holds it.
   * Releasing it calls no method, so it is released even if the stack is exhausted.
   */
  private volatile int sweeping;

  /** The address at which the sweep continues; 0 between two sweeps. */
  private long nextAddress;

  private long sweepGeneration;

  /** A test hook, called when a put has read the clock. */
  private volatile Runnable whenPutting = () -> {};

  private volatile long sweptGeneration;

  /** The state that a rotation replaces. */
  private final class Head implements BooleanSupplier {
    final PrefixStore store;

    /** The generation of the clock. */
    final long generation;

    /** The oldest live generation. */
    final long oldest;

    /** The set of tags of live generations. */
    final long live;

    /** The number of quarters of a chunk that a put sweeps. */
    final int pace;

    Head(PrefixStore store, long generation, int pace) {
      this.store = store;
      this.generation = generation;
      this.oldest = generation - lanes + 1;
      this.live = tags(oldest, generation);
      this.pace = pace;
    }

    /** Returns whether no rotation has replaced this head. */
    @Override
    public boolean getAsBoolean() {
      return head == this;
    }
  }

  /**
   * Creates a window in which nothing is left to sweep.
   *
   * @param content fills an empty store, or returns another store with its settings
   */
  private PrefixWindow(
      PrefixSizes sizes, int generations, long generation, UnaryOperator<PrefixStore> content) {
    this.sizes = sizes;
    this.lanes = generations + 1;
    this.allTags = 1 << PrefixSizes.tagBits(generations);
    PrefixStore empty = new PrefixStore(sizes.slack(), sizes.chunkKeys(), new Generations());
    this.head = new Head(empty, generation, LEAST_PACE);
    this.sweptGeneration = generation;
    this.sweepGeneration = generation;
    this.head = new Head(content.apply(empty), generation, LEAST_PACE);
  }

  static PrefixWindow create(PrefixSizes sizes, int generations) {
    return new PrefixWindow(sizes, generations, NO_GENERATION, UnaryOperator.identity());
  }

  /** Defines the meaning of tags for the table. */
  private final class Generations implements PrefixStore.Tags {
    @Override
    public int bits() {
      return PrefixSizes.tagBits(lanes - 1);
    }

    @Override
    public int merge(int one, int other) {
      Head now = head;
      return age(now.generation, one) <= age(now.generation, other) ? one : other;
    }

    @Override
    public boolean isDead(int tag) {
      return (head.live >>> tag & 1) == 0;
    }
  }

  private int tag(long generation) {
    return (int) generation & (allTags - 1);
  }

  /** Returns the set of tags of the generations {@code [from, to]}. */
  private long tags(long from, long to) {
    long set = 0;
    for (long generation = Math.max(from, to - lanes + 1); generation <= to; generation++) {
      set |= 1L << tag(generation);
    }
    return set;
  }

  /**
   * Returns twice the pace that visits every chunk within as many puts as the last generation had.
   */
  private int pace() {
    long last = Math.max(1, puts.getAndSet(0));
    return (int) Math.max(LEAST_PACE, Math.min(MOST_PACE, 2L * 4 * store().chunks() / last));
  }

  PrefixSizes sizes() {
    return sizes;
  }

  @Override
  long generation() {
    return head.generation;
  }

  @Override
  boolean contains(long hash) {
    while (true) {
      Head now = head;
      long found = now.store.tags(hash);
      if (head == now) {
        return (found & now.live) != 0;
      }
    }
  }

  @Override
  int seen(long hash) {
    while (true) {
      Head now = head;
      long found = now.store.tags(hash);
      if (head == now) {
        return seen(now, found);
      }
    }
  }

  /** Returns what a key was whose prefixes have these tags. */
  private int seen(Head now, long found) {
    long live = found & now.live;
    return live == 0 ? ABSENT : live == (1L << tag(now.oldest)) ? EDGE : 0;
  }

  @Override
  boolean holds(long hash, long generation) {
    while (true) {
      Head now = head;
      long found = now.store.tags(hash);
      if (head == now) {
        return generation >= now.oldest && (found & tags(generation, now.generation)) != 0;
      }
    }
  }

  @Override
  int put(long hash, long generation, boolean onlyIfAbsent) {
    Head now;
    long keep;
    long found;
    do {
      now = head;
      if (generation < now.oldest) {
        return LATE;
      }
      whenPutting.run();
      // newer prefixes of the key stay, so a late put does not make the key older
      keep = onlyIfAbsent ? now.live : tags(generation, now.generation);
      found = now.store.put(hash, tag(generation), keep, now);
    } while (found == PrefixStore.OUTDATED);
    int result = seen(now, found);
    if ((found & keep) != 0) {
      return result;
    }
    long count = puts.incrementAndGet();
    if (sweptGeneration != now.generation) {
      int pace = now.pace;
      int steps = (int) (count * pace / 4 - (count - 1) * pace / 4);
      if (steps > 0) {
        sweep(steps);
      }
    }
    return result | CHANGED;
  }

  @Override
  void advance(long generation, boolean empties) {
    lock();
    try {
      Head now = head;
      if (empties || now.generation < generation - lanes + 1) {
        head = new Head(now.store.empty(), generation, pace());
        sweptGeneration = generation;
        nextAddress = 0;
        return;
      }
      // one by one, because each generation reuses a tag
      for (long next = now.generation + 1; next <= generation; next++) {
        if (next > sweptGeneration + allTags - lanes) {
          finishSweep();
        }
        head = new Head(now.store, next, pace());
      }
    } finally {
      sweeping = 0;
    }
  }

  private void lock() {
    while (!SWEEPING.compareAndSet(this, 0, 1)) {
      LockSupport.parkNanos(1000);
    }
  }

  /** Drops all expired prefixes. The caller holds the lock. */
  private void finishSweep() {
    nextAddress = 0;
    while (sweptGeneration != head.generation) {
      sweepStep();
    }
  }

  /** Drops the expired prefixes of one chunk. The caller holds the lock. */
  private void sweepStep() {
    if (nextAddress == 0) {
      sweepGeneration = head.generation;
    }
    nextAddress = store().dropDead(nextAddress);
    if (nextAddress == 0) {
      sweptGeneration = sweepGeneration;
    }
  }

  @Override
  void sweep(int steps) {
    if (SWEEPING.compareAndSet(this, 0, 1)) {
      try {
        for (int i = 0; i < steps && !isSettled(); i++) {
          sweepStep();
        }
      } finally {
        sweeping = 0;
      }
    }
  }

  @Override
  boolean isSettled() {
    return sweptGeneration == head.generation;
  }

  @Override
  void clear() {
    advance(head.generation, true);
  }

  /** Returns whether two stores have the same content. No other thread may use them. */
  boolean isSameAs(PrefixWindow other) {
    return sizes.equals(other.sizes) && PrefixSource.areEqual(byAge(), other.byAge());
  }

  /** Returns the prefixes with their ages as tags. */
  private PrefixSource byAge() {
    return PrefixSource.retagged(store().prefixes(), this::age);
  }

  @Override
  PrefixWindow copy() {
    while (true) {
      Head now = head;
      PrefixWindow copy =
          new PrefixWindow(sizes, lanes - 1, now.generation, empty -> empty.loadCopy(now.store));
      // otherwise prefixes may have been dropped that were live when the copy began
      if (head.generation == now.generation) {
        return copy;
      }
    }
  }

  /**
   * Returns a window that is read from a file, in which tags are ages: 0 for the generation of the
   * clock.
   */
  static PrefixWindow read(
      PrefixSizes sizes,
      int generations,
      long generation,
      PrefixSource byAge,
      long count,
      long copies,
      LongConsumer limit) {
    int tagMask = (1 << PrefixSizes.tagBits(generations)) - 1;
    PrefixSource tagged =
        PrefixSource.retagged(
            byAge,
            age -> {
              if (age > generations) {
                throw new IllegalArgumentException(
                    "a prefix of age %d where %d is the oldest".formatted(age, generations));
              }
              return (int) (generation - age) & tagMask;
            });
    return new PrefixWindow(
        sizes,
        generations,
        generation,
        empty -> empty.load(tagged, count, copies, Allowed.NOTHING, limit));
  }

  /** Returns the age of a tag: 0 for the generation of the clock. */
  int age(int tag) {
    return age(head.generation, tag);
  }

  private int age(long generation, int tag) {
    return tag(generation - tag);
  }

  /** Returns the table. Operations that read all of it use a copy of this window. */
  PrefixStore store() {
    return head.store;
  }

  /**
   * Returns a window with the keys of both, which must be in the same generation and not be used by
   * other threads.
   */
  PrefixWindow union(PrefixWindow other) {
    PrefixSizes lower = sizes.fpp() <= other.sizes.fpp() ? sizes : other.sizes;
    return new PrefixWindow(
        lower, lanes - 1, generation(), empty -> empty.loadUnion(store(), other.store()));
  }

  /**
   * Returns a window with the same keys and shorter prefixes, at a higher rate. No other thread may
   * use this one.
   */
  PrefixWindow cutTo(double fpp) {
    return new PrefixWindow(
        PrefixSizes.of(fpp), lanes - 1, generation(), empty -> empty.loadCut(store(), fpp));
  }

  @Override
  Numbers numbers() {
    Head now = head;
    PrefixTally tally = now.store.tally();
    GenerationNumbers[] generations = new GenerationNumbers[lanes];
    double copies = tally.copies();
    double all = Math.max(1, tally.total());
    long bits = 0;
    double keys = 0;
    double rate = 0;
    for (int i = 0; i < lanes; i++) {
      int tag = tag(now.generation - lanes + 1 + i);
      boolean isLive = (now.live >>> tag & 1) != 0;
      // copies are attributed to generations in proportion to their prefixes
      double its = isLive ? Math.max(0, tally.totalOf(tag) * (1 - copies / all)) : 0;
      double itsRate = isLive ? Math.max(0, tally.rateOf(tag)) : 0;
      generations[i] = new GenerationNumbers(its, Math.min(1, itsRate));
      keys += its;
      bits += isLive ? tally.bitsOf(tag) + tally.totalOf(tag) * PrefixSizes.tagBits(lanes - 1) : 0;
      rate += itsRate;
    }
    return new Numbers(bits, null, keys, Math.min(1, rate), generations);
  }

  @Override
  boolean isEmpty() {
    Head now = head;
    for (long generation = now.oldest; generation <= now.generation; generation++) {
      if (now.store.tally().totalOf(tag(generation)) > 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether a thread sweeps or rotates, for tests. */
  boolean isLocked() {
    return sweeping != 0;
  }

  /** Sets the test hook that is called when a put has read the clock. */
  void whenPutting(Runnable called) {
    whenPutting = called;
  }

  @Override
  long heapBytes() {
    return store().heapBytes();
  }
}
