package dev.bellows.elastic;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldableFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.elastic.ElasticBloomFilter.Resize;
import dev.bellows.elastic.ElasticBloomFilter.ViewSize;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A filter of full capacity and a folded view of it that follows the number of keys (Folding paper,
 * section IV-C): the moving part of an {@link ElasticBloomFilter}.
 *
 * <p>Under {@link FoldPolicy#GREEDY} a third filter of a size in between is kept, so that most
 * resizes read that one and not the whole capacity. Every put reaches every filter that is kept.
 *
 * <p><strong>Threads.</strong> The filters that are kept are one immutable object, published by a
 * volatile field. A query reads it once and takes no lock. A put of bits takes no lock either: it
 * sets its bits in all filters kept and reads the field again; if that has changed meanwhile, it
 * sets them in the new ones too. A resize first publishes its new view, still empty, as {@code
 * coming}, and only then reads the filter from which it fills it. So a put whose bits come too late
 * to be read finds the new view when it reads the field again, and no put is lost. The lock is held
 * during every resize and every change of counters.
 */
final class FoldingView {
  private static final SortedSet<Long> NONE = new TreeSet<>();

  private final FoldBand band;
  private final FoldPolicy policy;
  private final Consumer<Resize> listener;
  private final boolean counting;
  private final Object lock = new Object();

  private volatile Kept kept;

  /** The sizes sent since the content last changed; another set replaces it, and none changes. */
  private volatile SortedSet<Long> sent = NONE;

  /** Held for the moment in which the sizes sent are replaced. */
  private final Object sending = new Object();

  /** Puts that changed the capacity, less removes that did: exact at every resize. */
  private final AtomicLong counted;

  private volatile long growAbove;

  // the rest is guarded by the lock

  private long shrinkBelow;
  private long countedAtResize;
  private ViewSize size;

  /** The value of {@code counted} up to which the next three know. */
  private long booked;

  private long changes;
  private long changesInBand;
  private long resizes;
  private long cellsRead;

  /**
   * The filters that every put reaches. Another object replaces it when one of them is replaced.
   *
   * @param capacity null in a frozen filter
   * @param middle a folding from which smaller ones are made
   * @param view answers queries
   * @param coming will replace one of the others, and does not have all keys yet
   */
  record Kept(
      @Nullable FoldableFilter<?> capacity,
      @Nullable FoldableFilter<?> middle,
      FoldableFilter<?> view,
      @Nullable FoldableFilter<?> coming) {
    /** Returns the filter that knows most: the capacity, or the view of a frozen filter. */
    FoldableFilter<?> full() {
      return capacity == null ? view : capacity;
    }

    boolean isFrozen() {
      return capacity == null;
    }

    /**
     * Puts a key into all of them; true iff the first one changed. If that had its bits already,
     * they may come from a put that has not reached the others yet.
     */
    boolean put(long hash) {
      boolean isNew = full().putHash(hash);
      if (capacity != null) {
        if (middle != null) {
          middle.putHash(hash);
        }
        view.putHash(hash);
      }
      if (coming != null) {
        coming.putHash(hash);
      }
      return isNew;
    }
  }

  /**
   * What happened so far.
   *
   * @param changes keys that came or went
   * @param changesInBand those after which the rate was in the band
   * @param resizes changes of the view
   * @param cellsRead cells that all resizes together read
   */
  record History(long changes, long changesInBand, long resizes, long cellsRead) {
    History {
      if (changes < changesInBand || changesInBand < 0 || resizes < 0 || cellsRead < 0) {
        throw new IllegalArgumentException("a history of impossible counts");
      }
    }

    /** Returns the share of the changes of the key count after which the rate was in the band. */
    double bandShare() {
      return changes == 0 ? 1 : (double) changesInBand / changes;
    }
  }

  FoldingView(
      FoldBand band,
      FoldPolicy policy,
      Consumer<Resize> listener,
      @Nullable FoldableFilter<?> capacity,
      FoldableFilter<?> view) {
    this.band = band;
    this.policy = policy;
    this.listener = listener;
    this.kept = new Kept(capacity, null, view, null);
    this.counting = view instanceof CountingBloomFilter;
    this.booked = kept.full().approximateElementCount();
    this.counted = new AtomicLong(booked);
    this.countedAtResize = booked;
    this.size = band.size(view.bits());
    settle();
  }

  /** Returns the filters kept now. */
  Kept kept() {
    return kept;
  }

  /** By the content: keys that passed as false positives when they came were not counted. */
  boolean isOverCapacity() {
    return kept.full().approximateElementCount() > band.largest().mostKeys();
  }

  /** Returns the sizes sent since the content last changed, ascending. */
  SortedSet<Long> sent() {
    return sent;
  }

  History history() {
    synchronized (lock) {
      book();
      return new History(changes, changesInBand, resizes, cellsRead);
    }
  }

  /** Goes on from there. */
  void resume(History history, List<Long> sizesSent) {
    synchronized (lock) {
      changes = history.changes;
      changesInBand = history.changesInBand;
      resizes = history.resizes;
      cellsRead = history.cellsRead;
      keepSent(size -> true, sizesSent);
    }
  }

  boolean put(long hash) {
    return counting ? putCount(hash) : putBits(hash);
  }

  @SuppressWarnings("ReferenceEquality") // whether the field was set meanwhile, even to its equal
  private boolean putBits(long hash) {
    Kept now = kept;
    boolean isNew = now.put(hash);
    // bits that were found set count as read before the field is
    VarHandle.loadLoadFence();
    for (Kept later = kept; later != now; later = kept) {
      later.put(hash);
      now = later;
      VarHandle.loadLoadFence();
    }
    if (isNew) {
      contentChanged();
      if (counted.incrementAndGet() > growAbove) {
        Resize resize;
        synchronized (lock) {
          resize = counted.get() > growAbove ? resized() : null;
        }
        tell(resize);
      }
    }
    return isNew;
  }

  private boolean putCount(long hash) {
    Resize resize = null;
    boolean isNew;
    synchronized (lock) {
      isNew = kept.put(hash);
      contentChanged();
      if (isNew) {
        counted.incrementAndGet();
        book();
        resize = booked > growAbove ? resized() : null;
      }
    }
    tell(resize);
    return isNew;
  }

  boolean remove(long hash) {
    Resize resize = null;
    synchronized (lock) {
      Kept now = kept;
      CountingBloomFilter full = (CountingBloomFilter) now.full();
      if (!full.removeHash(hash)) {
        return false;
      }
      if (now.capacity() != null) {
        if (now.middle() != null) {
          ((CountingBloomFilter) now.middle()).removeHash(hash);
        }
        ((CountingBloomFilter) now.view()).removeHash(hash);
      }
      contentChanged();
      if (!full.mightContainHash(hash)) {
        counted.decrementAndGet();
        book();
        resize = booked < shrinkBelow ? resized() : null;
      }
    }
    tell(resize);
    return true;
  }

  private void contentChanged() {
    if (!sent.isEmpty()) {
      keepSent(size -> false, List.of());
    }
  }

  /** The listener is told without the lock, so that it may wait for other threads. */
  private void tell(@Nullable Resize resize) {
    if (resize != null) {
      listener.accept(resize);
    }
  }

  /** Enters how the number of keys moved since the last entry: in one direction. */
  private void book() {
    long now = counted.get();
    changes += Math.abs(now - booked);
    changesInBand += size.servedSteps(booked, now);
    booked = now;
  }

  void clear() {
    Resize resize = null;
    synchronized (lock) {
      book();
      Kept now = kept;
      now.full().clear();
      kept = new Kept(now.capacity(), null, now.view(), null);
      now.view().clear();
      contentChanged();
      counted.set(0);
      booked = 0;
      if (now.isFrozen()) {
        countedAtResize = 0;
        settle();
      } else {
        resize = resized();
      }
    }
    tell(resize);
  }

  /** Moves the view to the size its policy chooses for the current number of keys. */
  void resize() {
    Resize resize;
    synchronized (lock) {
      resize = resized();
    }
    tell(resize);
  }

  private @Nullable Resize resized() {
    book();
    Kept old = kept;
    // what passed as a false positive when it came was not counted: begin from the content again
    long keys = old.full().approximateElementCount();
    counted.addAndGet(keys - booked);
    booked = keys;
    List<Long> sizes = new ArrayList<>(List.of(old.view().bits()));
    if (old.middle() != null) {
      sizes.add(old.middle().bits());
    }
    long target = policy.choose(band.candidates(keys), sizes, sent());
    Resize resize = null;
    if (target != old.view().bits() && old.full().bits() % target == 0) {
      long before = cellsRead;
      FoldableFilter<?> view = folded(target);
      kept = new Kept(old.capacity(), kept.middle(), view, null);
      size = band.size(target);
      countedAtResize = keys;
      resizes++;
      resize =
          new Resize(
              old.view().bits(),
              target,
              keys,
              old.view().expectedFpp(),
              view.expectedFpp(),
              cellsRead - before);
    }
    settle();
    return resize;
  }

  /** Returns the folding to a size, from the smallest filter kept that folds to it. */
  private FoldableFilter<?> folded(long target) {
    Kept now = kept;
    if (now.view().bits() % target == 0) {
      return read(now.view(), target, now.isFrozen());
    }
    if (now.middle() != null && now.middle().bits() % target == 0) {
      return read(now.middle(), target, false);
    }
    long between = policy == FoldPolicy.GREEDY ? band.middle(target) : 0;
    if (between == 0) {
      return read(now.full(), target, false);
    }
    FoldableFilter<?> middle = read(now.full(), between, false);
    kept = new Kept(now.capacity(), middle, now.view(), null);
    return read(middle, target, false);
  }

  /**
   * Returns the folding of a filter to a size: a coming filter that has every key when this
   * returns, for the caller to publish in its place. With its id and state, if requested and if no
   * put interferes.
   */
  private FoldableFilter<?> read(FoldableFilter<?> source, long target, boolean withState) {
    cellsRead += source.bits();
    if (counting) {
      return source.foldTo(target);
    }
    BloomFilter coming =
        withState
            ? (BloomFilter) source.foldTo(target)
            : BloomFilter.builder().like(source).bits(target).build();
    Kept now = kept;
    kept = new Kept(now.capacity(), now.middle(), now.view(), coming);
    // published before the source is read
    VarHandle.fullFence();
    coming.putAll((BloomFilter) source);
    return coming;
  }

  /**
   * Sets the key counts at which the next resize is due: above what this size serves; or below it,
   * where a smaller size has headroom and a share of the keys has gone since the last resize.
   */
  private void settle() {
    boolean largest = size.bits() == band.largest().bits() || kept.isFrozen();
    growAbove = largest ? Long.MAX_VALUE : Math.max(booked, size.mostKeys());
    double smallerServes = band.mostKeysBelow(size.bits()) / (1 + band.headroom());
    double changed = countedAtResize * (1 - band.headroom());
    shrinkBelow = (long) Math.min(size.fewestKeys(), Math.min(smallerServes, changed));
  }

  /**
   * Returns the folding to a size on the ladder of the full filter, which counts as sent. It is
   * entered first: a put that changes what was not read yet finds the entry and removes it.
   */
  BloomFilter ship(long bits) {
    FoldableFilter<?> full = kept.full();
    keepSent(size -> true, full.bits() % bits == 0 ? List.of(bits) : List.of());
    VarHandle.fullFence();
    return full.foldTo(bits).toBloomFilter();
  }

  private void keepSent(LongPredicate which, List<Long> more) {
    synchronized (sending) {
      TreeSet<Long> sizes = new TreeSet<>(sent);
      sizes.removeIf(size -> !which.test(size));
      sizes.addAll(more);
      sent = sizes;
    }
  }

  void freeze() {
    synchronized (lock) {
      FoldableFilter<?> capacity = kept.capacity();
      if (capacity != null) {
        long before = cellsRead;
        FoldableFilter<?> view = read(capacity, kept.view().bits(), true);
        cellsRead = before;
        kept = new Kept(null, null, view, null);
        // a size that the view does not fold to is of no use any more
        keepSent(size -> view.bits() % size == 0, List.of());
        settle();
      }
    }
  }
}
