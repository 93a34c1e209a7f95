package dev.bellows.window;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.base.Precise;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.RingPositions;
import dev.bellows.internal.math.Divisors;
import dev.bellows.internal.math.HashFloor;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * A ring of generations: G + 1 BLOCKED filters of one size with interleaved bits ({@link
 * RingPositions}). Generation g has lane {@code g mod (G + 1)}, which it takes over from generation
 * g - G - 1 when the clock reaches it.
 *
 * <p><b>Rotation takes constant time.</b> Blocks form groups of {@link #GROUP_CELLS}, and each
 * group has a stamp: the generation up to which its expired lanes have been cleared. A rotation
 * only replaces the head. A group is cleared when a put needs it; in addition, every put that
 * changes something clears one more group until all are done. A query that reads an old stamp
 * ignores the lanes of expired generations. Expired content therefore never counts, and no put
 * clears more than two groups.
 *
 * <p><b>Elastic rings</b> change their size at a rotation, in the same way: all stamps of the new
 * table are initially {@link #NEVER}, and a group takes over its blocks from the previous table
 * when a put or the sweep reaches it. Until then, queries of that group use the previous table. A
 * block of the new table is the OR of the blocks of the previous table whose indices are congruent
 * to its own modulo the smaller number of blocks: several when folding, one when unfolding.
 *
 * <p><b>Threads.</b> A writer locks one group through its stamp. Readers take no lock: bits of live
 * generations only change from zero to one. The first thread that takes blocks from a group of the
 * previous table seals it against writers, so that no put is lost there.
 */
final class RingStore extends WindowStore {
  /** The number of blocks in a group, which has at most 32 KiB to clear. */
  static final int GROUP_CELLS = 1 << RingStore.GROUP_BITS;

  private static final int GROUP_BITS = 4;

  /** The number of flag bits of a stamp; the remaining bits are its generation. */
  private static final int FLAG_BITS = 2;

  private static final long LOCKED = 1;
  private static final long SEALED = 2;

  /** The stamp of a group whose blocks are still in the previous table. */
  private static final long NEVER = Long.MIN_VALUE >> FLAG_BITS;

  /** The approximate number of draws for the estimate of the {@linkplain Pass#overlap overlap}. */
  private static final int SAMPLES = 1 << 12;

  /** The number of keys whose cache lines are fetched together. */
  private static final int BATCH = 64;

  private static final VarHandle STAMP = MethodHandles.arrayElementVarHandle(long[].class);

  private final WindowPlan plan;
  private final int lanes;

  /** The factor by which the load may grow from one generation to the next; 0 for a fixed size. */
  private final double growth;

  /**
   * The number of blocks per key of a generation at which all generations together have the target
   * rate.
   */
  private final double cellsPerKey;

  private volatile Head head;

  /** A sink for prefetched words, which keeps the compiler from eliminating the reads. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  /**
   * The approximate number of puts that changed each lane, which determines the size of elastic
   * rings.
   */
  private final LongAdder[] stored;

  /** A test hook, called before a put locks its group. */
  private volatile Runnable beforeLock = () -> {};

  /** A size, its words and the stamps of its groups. */
  private static final class Table {
    final RingPositions positions;
    final long[] words;
    final int first;
    final long[] stamps;

    Table(RingPositions positions, HeapBits bits, long stamp) {
      this.positions = positions;
      this.words = bits.array();
      this.first = bits.first();
      this.stamps = new long[(int) ((positions.cells() + GROUP_CELLS - 1) >>> GROUP_BITS)];
      Arrays.fill(stamps, stamp);
    }

    long stamp(int group) {
      return (long) STAMP.getAcquire(stamps, group);
    }

    /**
     * Sets the flag LOCKED or SEALED of a group as soon as it is not locked, and returns its stamp
     * before. A group that is sealed stays as it is. The caller who locks a group must call no
     * method until the next {@code try}, because the stack may be exhausted.
     */
    long lock(int group, long flag) {
      for (int spins = 0; ; spins++) {
        long stamp = stamp(group);
        if ((stamp & SEALED) != 0
            || ((stamp & LOCKED) == 0 && STAMP.compareAndSet(stamps, group, stamp, stamp | flag))) {
          return stamp;
        }
        if (spins < 64) {
          Precise.spin();
        } else {
          LockSupport.parkNanos(1);
        }
      }
    }

    /** Seals a group against writers permanently and returns the generation of its stamp. */
    long seal(int group) {
      return lock(group, SEALED) >> FLAG_BITS;
    }

    int end(int group) {
      return (int) Math.min(positions.cells(), (long) (group + 1) << GROUP_BITS);
    }
  }

  /**
   * The state that a rotation replaces atomically, so that readers see all of it as of one moment.
   */
  private static final class Head {
    final Table table;
    final @Nullable Table previous;
    final long generation;

    /** The oldest generation that is live. */
    final long oldest;

    /**
     * The generation of the last jump that emptied the ring: all content of groups with older
     * stamps has expired.
     */
    final long emptied;

    /**
     * The number of blocks of the ring when each lane was filled, if the ring was unfolded since.
     */
    final long[] filledCells;

    final long stamp;

    /**
     * The number of groups that the sweep has begun; {@link #done} counts those it has finished.
     */
    final AtomicInteger begun = new AtomicInteger();

    final AtomicInteger done = new AtomicInteger();

    Head(Table table, @Nullable Table previous, long generation, long emptied, long[] filledCells) {
      this.table = table;
      this.previous = previous;
      this.generation = generation;
      this.oldest = generation - filledCells.length + 1;
      this.emptied = emptied;
      this.filledCells = filledCells;
      this.stamp = generation << FLAG_BITS;
    }

    boolean isSwept() {
      return done.get() >= table.stamps.length;
    }

    boolean isSettled() {
      return isSwept() && previous == null;
    }
  }

  private RingStore(
      WindowPlan plan, double growth, long generation, HeapBits bits, long[] filledCells) {
    this.plan = plan;
    this.lanes = plan.generations() + 1;
    this.growth = growth;
    this.cellsPerKey = growth > 0 ? cellsPerKey(plan) : 0;
    this.stored = new LongAdder[lanes];
    Arrays.setAll(stored, lane -> new LongAdder());
    RingPositions positions = new RingPositions(plan.layout(), bits.bits() / lanes, lanes);
    Table table = new Table(positions, bits, generation << FLAG_BITS);
    this.head = sweptHead(table, generation, NEVER, filledCells);
  }

  private static double cellsPerKey(WindowPlan plan) {
    double one = WindowPlan.fppOfOne(plan.targetFpp(), plan.generations(), 1);
    return Math.scalb((double) plan.layout().bitsFor(1 << 20, one), -20)
        / Layout.Blocked.BLOCK_BITS;
  }

  /** Returns an empty ring. */
  static RingStore create(WindowPlan plan, double growth) {
    HeapBits none = HeapBits.aligned(plan.bits());
    return new RingStore(plan, growth, NO_GENERATION, none, plan.filledCells());
  }

  /** Returns a ring with this content, in which no lane has expired. */
  static RingStore of(
      WindowPlan plan, double growth, long generation, HeapBits bits, long[] filledCells) {
    RingStore ring = new RingStore(plan, growth, generation, bits, filledCells);
    if (growth > 0) {
      double[] keys = ring.laneKeys(ring.new Pass().ones);
      for (int lane = 0; lane < ring.lanes; lane++) {
        ring.stored[lane].add(Math.round(keys[lane]));
      }
    }
    return ring;
  }

  /** Returns the plan at the current size. */
  WindowPlan plan() {
    return plan.withGenerationBits(generationBits());
  }

  /**
   * Returns the factor by which the load may grow from one generation to the next; 0 for a fixed
   * size.
   */
  double growth() {
    return growth;
  }

  @Override
  long generation() {
    return head.generation;
  }

  /** Returns the current number of bits of one generation. */
  long generationBits() {
    return head.table.positions.cells() * Layout.Blocked.BLOCK_BITS;
  }

  long bits() {
    return generationBits() * lanes;
  }

  private int lane(long generation) {
    return (int) generation & (lanes - 1);
  }

  /**
   * Returns, as a mask, the lanes that are still live in a group that was cleared up to a
   * generation.
   */
  private int keptLanes(Head now, long cleared) {
    int mask = 0;
    if (cleared >= now.emptied) {
      for (long generation = now.oldest; generation <= cleared; generation++) {
        mask |= 1 << lane(generation);
      }
    }
    return mask;
  }

  // Queries.

  @Override
  boolean contains(long hash) {
    Head now = head;
    Table table = now.table;
    int cell = table.positions.cell(hash);
    if (table.stamp(cell >>> GROUP_BITS) == now.stamp) {
      return table.positions.lanes(table.words, table.first, cell, hash) != 0;
    }
    return liveLanes(now, hash) != 0;
  }

  @Override
  int seen(long hash) {
    while (true) {
      Head now = head;
      int having = liveLanes(now, hash);
      if (head == now) {
        return seen(now, having);
      }
    }
  }

  /** Returns what a key was that these live lanes contain. */
  private int seen(Head now, int having) {
    return having == 0 ? ABSENT : having == (1 << lane(now.oldest)) ? EDGE : 0;
  }

  @Override
  boolean holds(long hash, long generation) {
    Head now = head;
    return generation >= now.oldest
        && generation <= now.generation
        && (liveLanes(now, hash) >>> lane(generation) & 1) != 0;
  }

  @Override
  int count(long[] hashes, int from, int to, boolean[] hits) {
    int count = 0;
    for (int start = from; start < to; start += BATCH) {
      int end = Math.min(to, start + BATCH);
      Table table = head.table;
      long any = 0;
      for (int i = start; i < end; i++) {
        int cell = table.positions.cell(hashes[i]);
        any |= table.positions.touch(table.words, table.first, cell, hashes[i]);
      }
      touched = any;
      count += super.count(hashes, start, end, hits);
    }
    return count;
  }

  /**
   * Returns the lanes of live generations that contain the key, in a group that may not be cleared
   * yet.
   */
  private int liveLanes(Head seen, long hash) {
    Head now = seen;
    while (true) {
      Table table = now.table;
      long cleared = generationOf(table, hash);
      if (cleared == NEVER && now.previous != null) {
        table = now.previous;
        cleared = generationOf(table, hash);
      }
      if (cleared <= now.generation) {
        int cell = table.positions.cell(hash);
        return table.positions.lanes(table.words, table.first, cell, hash)
            & keptLanes(now, cleared);
      }
      // the clock has advanced since the head was read
      now = head;
    }
  }

  private static long generationOf(Table table, long hash) {
    return table.stamp(table.positions.cell(hash) >>> GROUP_BITS) >> FLAG_BITS;
  }

  // Puts.

  @Override
  int put(long hash, long generation, boolean onlyIfAbsent) {
    while (true) {
      Head now = head;
      if (generation < now.oldest) {
        return LATE;
      }
      Table table = now.table;
      int cell = table.positions.cell(hash);
      int group = cell >>> GROUP_BITS;
      if (table.stamp(group) == now.stamp) {
        // checked without the lock: a key that is present is not written again
        int having = table.positions.lanes(table.words, table.first, cell, hash);
        if ((having >>> lane(generation) & 1) != 0 || (onlyIfAbsent && having != 0)) {
          return seen(now, having);
        }
      }
      beforeLock.run();
      beforeLock.run();
      long stamp = table.lock(group, LOCKED);
      if ((stamp & SEALED) != 0) {
        continue;
      }
      int result = 0;
      try {
        now = head;
        if (now.table != table) {
          continue;
        }
        if (generation < now.oldest) {
          return LATE;
        }
        stamp = clear(now, group, stamp);
        int having = table.positions.lanes(table.words, table.first, cell, hash);
        result = seen(now, having);
        if ((having >>> lane(generation) & 1) == 0 && !(onlyIfAbsent && having != 0)) {
          table.positions.set(table.words, table.first, cell, hash, lane(generation));
          result |= CHANGED;
        }
        VarHandle.releaseFence();
      } finally {
        // no method call: the stack may be exhausted
        table.stamps[group] = stamp;
      }
      if ((result & CHANGED) != 0) {
        stored[lane(generation)].increment();
        sweep(now, 1);
      }
      return result;
    }
  }

  /** Clears the expired lanes of a locked group and returns its new stamp. */
  private long clear(Head now, int group, long stamp) {
    long cleared = stamp >> FLAG_BITS;
    if (cleared == now.generation) {
      return stamp;
    }
    Table table = now.table;
    if (cleared == NEVER && now.previous != null) {
      takeOver(now, group, now.previous);
      return now.stamp;
    }
    int kept = keptLanes(now, cleared);
    int from = table.first + (group << GROUP_BITS) * table.positions.cellWords();
    int to = table.first + table.end(group) * table.positions.cellWords();
    long rows = table.positions.rowsOf(kept);
    for (int i = from; i < to; i++) {
      table.words[i] &= rows;
    }
    return now.stamp;
  }

  /** Takes the blocks of a locked group from the table that had another size. */
  private void takeOver(Head now, int group, Table old) {
    Table table = now.table;
    int cellWords = table.positions.cellWords();
    int oldCells = (int) old.positions.cells();
    long cells = table.positions.cells();
    for (int cell = group << GROUP_BITS; cell < table.end(group); cell++) {
      int to = table.first + cell * cellWords;
      // nothing, unless an earlier attempt ran out of stack
      Arrays.fill(table.words, to, to + cellWords, 0);
      for (long source = cell % oldCells; source < oldCells; source += cells) {
        int kept = keptLanes(now, old.seal((int) source >>> GROUP_BITS));
        long rows = table.positions.rowsOf(kept);
        int from = old.first + (int) source * cellWords;
        for (int i = 0; i < cellWords; i++) {
          table.words[to + i] |= old.words[from + i] & rows;
        }
      }
    }
  }

  // Rotation.

  @Override
  synchronized void advance(long generation, boolean empties) {
    Head now = head;
    long oldest = empties ? generation : generation - plan.generations();
    Table table = now.table;
    Table previous = now.isSwept() ? null : now.previous;
    long[] filled = now.filledCells.clone();
    if (growth > 0 && previous == null) {
      long next = nextCells(now, oldest);
      if (next != table.positions.cells()) {
        previous = table;
        long bits = next * Layout.Blocked.BLOCK_BITS;
        RingPositions positions = new RingPositions(plan.layout(), bits, lanes);
        table = new Table(positions, HeapBits.aligned(bits * lanes), NEVER << FLAG_BITS);
      }
    }
    long cells = table.positions.cells();
    Arrays.setAll(filled, lane -> Divisors.gcd(filled[lane], cells));
    for (long fresh = generation - plan.generations(); fresh <= generation; fresh++) {
      if (fresh > now.generation || empties) {
        filled[lane(fresh)] = cells;
        stored[lane(fresh)].reset();
      }
    }
    head = new Head(table, previous, generation, empties ? generation : now.emptied, filled);
  }

  /**
   * Returns the next number of blocks of an elastic ring: enough for the keys of the last
   * generation times the growth factor. The ring unfolds by doubling, and folds by halving as long
   * as no live generation exceeds its share of the rate. It does not fold after a generation that
   * may be partial: one that follows an empty one. While there are no keys at all, it folds to the
   * size that was planned.
   */
  private long nextCells(Head now, long oldest) {
    long cells = now.table.positions.cells();
    if (now.generation == NO_GENERATION) {
      return cells;
    }
    double needed = stored[lane(now.generation)].sum() * growth * cellsPerKey;
    if (needed > cells) {
      long most = HeapBits.MAX_BITS / Layout.Blocked.BLOCK_BITS / lanes;
      while (cells < needed && 2 * cells <= most) {
        cells *= 2;
      }
      return cells;
    }
    if (stored[lane(now.generation - 1)].sum() == 0) {
      // the first generation with keys may be partial, and says little about the load
      needed = Math.max(needed, stored[lane(now.generation)].sum() > 0 ? cells : plannedCells());
    }
    for (long live = oldest; live <= now.generation; live++) {
      needed = Math.max(needed, stored[lane(live)].sum() * cellsPerKey);
    }
    while (cells % 2 == 0 && cells >= 2 * needed) {
      cells /= 2;
    }
    return cells;
  }

  /** Returns the number of blocks that was planned for the given number of keys. */
  private double plannedCells() {
    return plan.keysPerGeneration() * cellsPerKey;
  }

  // The sweep.

  @Override
  void sweep(int groups) {
    sweep(head, groups);
  }

  private void sweep(Head now, int groups) {
    Table table = now.table;
    int all = table.stamps.length;
    for (int i = 0; i < groups && now.begun.get() < all; i++) {
      int group = now.begun.getAndIncrement();
      if (group < all && bringUpToDate(now, group, null)) {
        if (now.done.incrementAndGet() == all && now.previous != null) {
          forgetPrevious(now);
        }
      }
    }
  }

  /**
   * Clears a group, and copies it as of one moment. Returns false if the head has been replaced.
   *
   * @param copy receives the words of the group; null if they are not needed
   */
  private boolean bringUpToDate(Head now, int group, @Nullable HeapBits copy) {
    Table table = now.table;
    long stamp = table.lock(group, LOCKED);
    if ((stamp & SEALED) != 0) {
      return false;
    }
    try {
      if (head != now) {
        return false;
      }
      stamp = clear(now, group, stamp);
      if (copy != null) {
        int from = (group << GROUP_BITS) * table.positions.cellWords();
        int to = table.end(group) * table.positions.cellWords();
        System.arraycopy(
            table.words, table.first + from, copy.array(), copy.first() + from, to - from);
      }
      VarHandle.releaseFence();
      return true;
    } finally {
      // no method call: the stack may be exhausted
      table.stamps[group] = stamp;
    }
  }

  /** Clears and copies all groups. Returns false if the head has been replaced. */
  private boolean bringUpToDate(Head now, @Nullable HeapBits copy) {
    boolean isDone = true;
    for (int group = 0; group < now.table.stamps.length && isDone; group++) {
      isDone = bringUpToDate(now, group, copy);
    }
    return isDone;
  }

  private synchronized void forgetPrevious(Head swept) {
    if (head == swept) {
      head = sweptHead(swept.table, swept.generation, swept.emptied, swept.filledCells);
    }
  }

  private static Head sweptHead(Table table, long generation, long emptied, long[] filledCells) {
    Head head = new Head(table, null, generation, emptied, filledCells);
    head.begun.set(table.stamps.length);
    head.done.set(table.stamps.length);
    return head;
  }

  /**
   * Clears all groups and returns the head that they belong to. Restarts if another thread rotates
   * the ring.
   */
  private Head settle() {
    while (true) {
      Head now = head;
      if (now.isSettled()) {
        return now;
      }
      if (bringUpToDate(now, null)) {
        forgetPrevious(now);
      }
    }
  }

  @Override
  boolean isSettled() {
    return head.isSettled();
  }

  // Operations on the whole ring.

  @Override
  synchronized void clear() {
    Head now = head;
    Table old = now.table;
    Table table = new Table(old.positions, HeapBits.aligned(bits(old)), now.stamp);
    for (LongAdder count : stored) {
      count.reset();
    }
    head = sweptHead(table, now.generation, NEVER, plan().filledCells());
  }

  /** Returns whether two stores have the same content. No other thread may use them. */
  boolean isSameAs(RingStore other) {
    return plan().equals(other.plan())
        && growth == other.growth
        && Arrays.equals(filledCells(), other.filledCells())
        && content().equals(other.content());
  }

  @Override
  RingStore copy() {
    while (true) {
      Head now = settle();
      HeapBits bits = HeapBits.aligned(bits(now.table));
      if (bringUpToDate(now, bits)) {
        RingStore copy = new RingStore(plan, growth, now.generation, bits, now.filledCells.clone());
        return copy.withCountsOf(this);
      }
    }
  }

  private long bits(Table table) {
    return table.positions.cells() * Layout.Blocked.BLOCK_BITS * lanes;
  }

  private RingStore withCountsOf(RingStore other) {
    for (int lane = 0; lane < lanes; lane++) {
      stored[lane].add(other.stored[lane].sum());
    }
    return this;
  }

  /** Returns the words, with expired lanes cleared. No other thread may use this store. */
  HeapBits content() {
    Table table = settle().table;
    return HeapBits.over(bits(table), table.words, table.first);
  }

  /**
   * Returns the number of blocks of the ring when each lane was filled, if the ring was unfolded
   * since.
   */
  long[] filledCells() {
    return head.filledCells.clone();
  }

  /**
   * Returns a ring with the same keys whose size is divided by the factor. No other thread may use
   * this one.
   */
  RingStore foldedBy(long factor) {
    HeapBits folded = factor == 1 ? content() : content().fold(factor);
    long cells = folded.bits() / lanes / Layout.Blocked.BLOCK_BITS;
    long[] filled = filledCells();
    Arrays.setAll(filled, lane -> Divisors.gcd(filled[lane], cells));
    WindowPlan smaller = plan.withGenerationBits(cells * Layout.Blocked.BLOCK_BITS);
    return new RingStore(smaller, growth, generation(), folded, filled).withCountsOf(this);
  }

  /**
   * Returns a ring with the keys of both, which must have the same generation and not be used by
   * other threads. Rings of different sizes are first folded to the greatest common divisor, unless
   * one of them is empty: then it is the other one.
   */
  RingStore union(RingStore other) {
    if (bits() != other.bits()) {
      long common = Divisors.gcd(generationBits(), other.generationBits());
      return other.isEmpty()
          ? this
          : isEmpty()
              ? other
              : foldedBy(generationBits() / common)
                  .union(other.foldedBy(other.generationBits() / common));
    }
    long[] filled = filledCells();
    long[] others = other.filledCells();
    Arrays.setAll(filled, lane -> Divisors.gcd(filled[lane], others[lane]));
    return of(plan, growth, generation(), content().union(other.content()), filled);
  }

  // Numbers.

  /**
   * One pass over the words, which counts the bits of each lane and computes its rate.
   *
   * <p>The false positives of the lanes overlap. A key that was put in several generations has its
   * bits in all of their lanes, so an absent key that passes one of them often passes the others,
   * and the sum of their rates is far too high. Each draw chooses a lane with a probability
   * proportional to its rate, and the positions of a key that passes this lane; if the key passes c
   * lanes, the draw counts as 1/c (Karp and Luby's estimate of the size of a union). The draws are
   * deterministic, and the standard error is at most 1/(2 sqrt(draws)), 0.8 %.
   */
  private final class Pass {
    private final Table table = settle().table;
    private final int words = plan.layout().pattern().words();
    private final int bits = plan.layout().pattern().bits();
    private final int groupWords = Pattern.BLOCK_WORDS / words;
    private final long firstLane = table.positions.rowsOf(1);

    /** The probability to pass a word with this number of one bits. */
    private final double[] passing = new double[Long.SIZE + 1];

    /** The number of one bits in each lane. */
    private final long[] ones = new long[lanes];

    /** The number of positions with a one bit in at least one lane. */
    private final long onesOfAny;

    /** The false positive rate of each lane. */
    private final double[] rates = new double[lanes];

    private long random = 0x9e3779b97f4a7c15L;
    private double all;
    private double counted;

    Pass() {
      for (int count = 0; count <= Long.SIZE; count++) {
        passing[count] = Math.pow(count / 64.0, bits) * words / Pattern.BLOCK_WORDS;
      }
      long any = 0;
      int cells = (int) table.positions.cells();
      int cellWords = table.positions.cellWords();
      double[] ofCell = new double[lanes];
      int[] counts = new int[lanes];
      int step = Math.max(1, cells / SAMPLES);
      int times = Math.max(1, SAMPLES / Math.max(1, cells / step));
      for (int cell = 0; cell < cells; cell++) {
        int base = table.first + cell * cellWords;
        Arrays.fill(ofCell, 1);
        for (int group = 0; group < words; group++) {
          double[] sums = new double[lanes];
          for (int word = group * groupWords; word < (group + 1) * groupWords; word++) {
            Arrays.fill(counts, 0);
            for (int i = 0; i < lanes; i++) {
              long rows = table.words[base + word * lanes + i];
              for (int lane = 0; lane < lanes; lane++) {
                counts[lane] += Long.bitCount(rows >>> lane & firstLane);
              }
              for (int half = lanes / 2; half > 0; half /= 2) {
                rows |= rows >>> half;
              }
              any += Long.bitCount(rows & firstLane);
            }
            for (int lane = 0; lane < lanes; lane++) {
              ones[lane] += counts[lane];
              sums[lane] += passing[counts[lane]];
            }
          }
          for (int lane = 0; lane < lanes; lane++) {
            ofCell[lane] *= sums[lane];
          }
        }
        for (int lane = 0; lane < lanes; lane++) {
          rates[lane] += ofCell[lane] / cells;
        }
        if (cell % step == 0) {
          sample(base, ofCell, times);
        }
      }
      for (int lane = 0; lane < lanes; lane++) {
        // the sum of rounded shares may be slightly above
        rates[lane] = Math.min(1, rates[lane]);
      }
      onesOfAny = any;
    }

    /** Returns the rate of all lanes together, divided by the sum of the rates of the lanes. */
    double overlap() {
      return all == 0 ? 1 : counted / all;
    }

    /** Draws {@code times} keys that pass a lane of a block, given the rates of the lanes. */
    void sample(int base, double[] rates, int times) {
      double sum = 0;
      for (double rate : rates) {
        sum += rate;
      }
      for (int i = 0; i < times && sum > 0; i++) {
        int having = lanesOfDraw(base, choose(rates, lanes, sum));
        all += sum / times;
        counted += sum / times / Math.max(1, Integer.bitCount(having));
      }
    }

    /**
     * Draws a key that passes a lane and returns the lanes that it passes. Stops as soon as only
     * this lane is left.
     */
    private int lanesOfDraw(int base, int lane) {
      int only = 1 << lane;
      int having = (int) ((1L << lanes) - 1);
      double[] weights = new double[groupWords];
      for (int group = 0; group < Pattern.BLOCK_WORDS && having != only; group += groupWords) {
        double sum = 0;
        for (int i = 0; i < groupWords; i++) {
          weights[i] = passing[ones(base + (group + i) * lanes, lane)];
          sum += weights[i];
        }
        int at = base + (group + choose(weights, groupWords, sum)) * lanes;
        for (int i = 0; i < bits && having != only; i++) {
          having &= (int) rowOf(at, lane);
        }
      }
      return having;
    }

    /** Returns the number of one bits of a lane in the rows of a word. */
    private int ones(int at, int lane) {
      int ones = 0;
      for (int i = 0; i < lanes; i++) {
        ones += Long.bitCount(table.words[at + i] >>> lane & firstLane);
      }
      return ones;
    }

    /**
     * Draws a row of a word in which the lane has a one bit. Returns all lanes if there is none,
     * after a concurrent change.
     */
    private long rowOf(int at, int lane) {
      int skip = (int) (((next() >>> 32) * ones(at, lane)) >>> 32);
      for (int i = 0; i < lanes; i++) {
        long rows = table.words[at + i];
        long its = rows >>> lane & firstLane;
        int ones = Long.bitCount(its);
        if (skip < ones) {
          for (; skip > 0; skip--) {
            its &= its - 1;
          }
          return rows >>> Long.numberOfTrailingZeros(its);
        }
        skip -= ones;
      }
      return -1;
    }

    /** Draws an index with probabilities proportional to the weights. */
    private int choose(double[] weights, int count, double sum) {
      double left = (next() >>> 11) * 0x1p-53 * sum;
      int last = 0;
      for (int i = 0; i < count; i++) {
        if (weights[i] > 0) {
          last = i;
          left -= weights[i];
          if (left < 0) {
            break;
          }
        }
      }
      return last;
    }

    private long next() {
      random += 0x9e3779b97f4a7c15L;
      long mixed = (random ^ (random >>> 30)) * 0xbf58476d1ce4e5b9L;
      mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
      return mixed ^ (mixed >>> 31);
    }
  }

  /**
   * Returns the number of keys of each lane, estimated from its one bits and the size at which it
   * was filled.
   */
  private double[] laneKeys(long[] ones) {
    Head now = head;
    long cells = now.table.positions.cells();
    double[] keys = new double[lanes];
    for (int lane = 0; lane < lanes; lane++) {
      long filled = Math.min(cells, now.filledCells[lane]);
      long bits = filled * Layout.Blocked.BLOCK_BITS;
      keys[lane] = keysFromOnes(bits, Math.round((double) ones[lane] * filled / cells));
    }
    return keys;
  }

  private double keysFromOnes(long bits, long ones) {
    return plan.layout().keysFromOnes(bits, Math.min(ones, bits - 1));
  }

  @Override
  Numbers numbers() {
    return numbers(new Pass());
  }

  private Numbers numbers(Pass pass) {
    double[] keys = laneKeys(pass.ones);
    Head now = head;
    double sum = 0;
    double sumHere = 0;
    for (int lane = 0; lane < lanes; lane++) {
      sum += keys[lane];
      sumHere += keysFromOnes(generationBits(), pass.ones[lane]);
    }
    double any = keysFromOnes(generationBits(), pass.onesOfAny);
    double distinct = sumHere == 0 ? 0 : sum * Math.min(1, any / sumHere);
    double rateSum = Arrays.stream(pass.rates).sum();
    GenerationNumbers[] generations = new GenerationNumbers[lanes];
    for (int i = 0; i < lanes; i++) {
      int lane = lane(now.generation - plan.generations() + i);
      generations[i] =
          new GenerationNumbers(keys[lane], HashFloor.with(pass.rates[lane], keys[lane]));
    }
    long ones = Arrays.stream(pass.ones).sum();
    double rate = Math.min(1, rateSum * pass.overlap());
    return new Numbers(bits(), ones, distinct, HashFloor.with(rate, distinct), generations);
  }

  /**
   * Returns a function that predicts the rate after folding by a factor, computed from one pass.
   */
  LongToDoubleFunction fppAfterFolding() {
    Pass pass = new Pass();
    double[] keys = laneKeys(pass.ones);
    Head now = head;
    Numbers numbers = numbers(pass);
    return factor -> {
      if (factor == 1) {
        return numbers.expectedFpp();
      }
      long cells = now.table.positions.cells() / factor;
      double sum = 0;
      for (int lane = 0; lane < lanes; lane++) {
        long bits = Divisors.gcd(cells, now.filledCells[lane]) * Layout.Blocked.BLOCK_BITS;
        sum += plan.layout().fpp(bits, Math.round(keys[lane]));
      }
      return HashFloor.with(Math.min(1, sum * pass.overlap()), numbers.keys());
    };
  }

  @Override
  boolean isEmpty() {
    return content().ones() == 0;
  }

  @Override
  long heapBytes() {
    Head now = head;
    long bytes = 8L * (now.table.words.length + now.table.stamps.length);
    Table previous = now.previous;
    return previous == null ? bytes : bytes + 8L * (previous.words.length + previous.stamps.length);
  }

  /** Returns whether a group is locked, for tests. */
  boolean isAnyGroupLocked() {
    Table table = head.table;
    for (int group = 0; group < table.stamps.length; group++) {
      if ((table.stamp(group) & LOCKED) != 0) {
        return true;
      }
    }
    return false;
  }

  /** Sets the test hook that is called before a put locks its group. */
  void whenLocking(Runnable called) {
    beforeLock = called;
  }
}
