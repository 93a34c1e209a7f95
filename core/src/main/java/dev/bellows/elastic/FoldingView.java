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
 * A filter of full capacity and a folded view of it whose size follows the number of keys (Folding
 * paper, Section IV-C): the mutable part of an {@link ElasticBloomFilter}.
 *
 * <p>Under {@link FoldPolicy#GREEDY} a third filter of an intermediate size is kept, so that most
 * resizes read that one instead of the whole capacity. Every put updates all filters that are kept.
 *
 * <p><strong>Threads.</strong> The filters are held by one immutable object, published through a
 * volatile field. A query reads the field once and takes no lock. A put into a filter of bits takes
 * no lock either: it sets its bits in all filters and reads the field again; if the field has
 * changed, it sets them in the new filters too. A resize first publishes the new view, still empty,
 * as {@code coming}, and only then reads the filter from which the view is filled. A put whose bits
 * are set too late for this read therefore finds the new view when it reads the field again, so no
 * put is lost. The lock is held during every resize and every change of counters.
 */
final class FoldingView {
  private static final SortedSet<Long> NONE = new TreeSet<>();

  private final FoldBand band;
  private final FoldPolicy policy;
  private final @Nullable Consumer<Resize> listener;

  /** A filter of counters measures its fill this often while its number of keys doubles. */
  private static final int MEASURED_STEPS = 64;

  private final boolean counting;
  private final Object lock = new Object();

  private volatile Kept kept;

  /**
   * The sizes sent since the content last changed. The set is immutable and is replaced as a whole.
   */
  private volatile SortedSet<Long> sent = NONE;

  /** Held while {@link #sent} is replaced. */
  private final Object sending = new Object();

  /**
   * The number of puts minus the number of removals that changed the capacity filter; every resize
   * replaces it with the estimate from the content.
   */
  private final AtomicLong counted;

  private volatile long growAbove;

  // the following fields are guarded by the lock

  private long shrinkBelow;
  private long countedAtResize;
  private ViewSize size;

  /**
   * The value of {@code counted} up to which {@code changes} and {@code changesInBand} are
   * complete.
   */
  private long booked;

  /** By how many keys the fill of the view exceeded that expected of {@code booked} ones. */
  private double excess;

  /** The value of {@code counted} at which the excess was measured. */
  private long measured;

  private long changes;
  private long changesInBand;
  private long resizes;
  private long cellsRead;

  /**
   * The filters that every put updates. When one of them is replaced, so is this object.
   *
   * @param capacity the filter of full capacity; null in a frozen filter
   * @param middle an intermediate folding from which smaller ones are created, or null
   * @param view the folding that answers queries
   * @param coming a folding that will replace one of the others, but does not have all keys yet;
   *     null outside of resizes
   */
  record Kept(
      @Nullable FoldableFilter<?> capacity,
      @Nullable FoldableFilter<?> middle,
      FoldableFilter<?> view,
      @Nullable FoldableFilter<?> coming) {
    /** Returns the largest filter: the capacity, or the view if the filter is frozen. */
    FoldableFilter<?> full() {
      return capacity == null ? view : capacity;
    }

    boolean isFrozen() {
      return capacity == null;
    }

    /**
     * Puts a key into all filters and returns whether the largest one changed. The others are
     * updated even if it did not change, because its bits may come from a concurrent put that has
     * not reached the others yet.
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
   * Statistics of all changes so far.
   *
   * @param changes the number of puts and removals that changed the content
   * @param changesInBand the number of those after which the rate was in the band
   * @param resizes the number of changes of the view's size
   * @param cellsRead the total number of cells that resizes read
   */
  record History(long changes, long changesInBand, long resizes, long cellsRead) {
    History {
      if (changes < changesInBand || changesInBand < 0 || resizes < 0 || cellsRead < 0) {
        throw new IllegalArgumentException("the counts of the history contradict each other");
      }
    }

    /** Returns the fraction of changes after which the rate was in the band. */
    double bandShare() {
      return changes == 0 ? 1 : (double) changesInBand / changes;
    }
  }

  FoldingView(
      FoldBand band,
      FoldPolicy policy,
      @Nullable Consumer<Resize> listener,
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
    measure();
    settle();
  }

  /** Returns the current filters. */
  Kept kept() {
    return kept;
  }

  /**
   * Returns whether there are too many keys for the capacity. Their number is estimated from the
   * content, because the counter misses keys that were false positives when they were put.
   */
  boolean isOverCapacity() {
    return kept.full().approximateElementCount() > band.largest().mostKeys();
  }

  /** Returns the sizes sent since the content last changed, in ascending order. */
  SortedSet<Long> sent() {
    return sent;
  }

  History history() {
    synchronized (lock) {
      book();
      return new History(changes, changesInBand, resizes, cellsRead);
    }
  }

  /** Restores the history and the sizes sent, e.g. from a file. */
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

  @SuppressWarnings("ReferenceEquality") // detects that the field was set, even to an equal object
  private boolean putBits(long hash) {
    Kept now = kept;
    boolean isNew = now.put(hash);
    // bits that were already set must be read before the field is read again
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

  /**
   * Notifies the listener; called without the lock, so that the listener may wait for other
   * threads.
   */
  private void tell(@Nullable Resize resize) {
    if (resize != null && listener != null) {
      listener.accept(resize);
    }
  }

  /**
   * Adds the changes since the last call to the history. It assumes that the number of keys has
   * only grown or only fallen since then.
   */
  private void book() {
    double from = booked + excess;
    long now = counted.get();
    long steps = Math.abs(now - booked);
    if (steps == 0) {
      return;
    }
    booked = now;
    // with counters every change is booked, but the fill hardly changes by one of them
    if (!counting || Math.abs(booked - measured) > booked / MEASURED_STEPS) {
      measure();
    }
    changes += steps;
    changesInBand += size.servedSteps(from, booked + excess, steps);
  }

  /** Measures how many keys the fill of the view stands for. */
  private void measure() {
    FoldableFilter<?> view = kept.view();
    double rate = view.expectedFpp();
    long keys =
        rate == 0 ? 0 : rate == 1 ? Long.MAX_VALUE : view.layout().keysFor(view.bits(), rate);
    excess = (double) keys - booked;
    measured = booked;
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
      book();
      if (now.isFrozen()) {
        countedAtResize = 0;
        settle();
      } else {
        resize = resized();
      }
    }
    tell(resize);
  }

  /** Resizes the view to the size that its policy chooses for the current number of keys. */
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
    // the counter misses keys that were false positives when they were put: estimate the number
    // again
    long keys = old.full().approximateElementCount();
    counted.addAndGet(keys - booked);
    booked = keys;
    List<Long> sizes = new ArrayList<>(List.of(old.view().bits()));
    if (old.middle() != null) {
      sizes.add(old.middle().bits());
    }
    boolean grows = policy == FoldPolicy.INDEPENDENT && keys > countedAtResize;
    long target = policy.choose(band.candidates(keys, grows), sizes, sent());
    Resize resize = null;
    if (target != old.view().bits() && old.full().bits() % target == 0) {
      long before = cellsRead;
      FoldableFilter<?> view = folded(target);
      kept = new Kept(old.capacity(), kept.middle(), view, null);
      size = band.size(target);
      countedAtResize = keys;
      resizes++;
      // computing the rates reads all bits, so it is only done for a listener
      if (listener != null) {
        resize =
            new Resize(
                old.view().bits(),
                target,
                keys,
                old.view().expectedFpp(),
                view.expectedFpp(),
                cellsRead - before);
      }
    }
    measure();
    settle();
    return resize;
  }

  /** Returns the folding to a size, from the smallest available filter that folds to it. */
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
   * Returns the folding of a filter to a size. A folding of bits is published as {@code coming} and
   * has every key when this method returns; the caller then publishes it in its final role. It has
   * the id and state of its source if requested, unless a concurrent put changes it.
   */
  private FoldableFilter<?> read(FoldableFilter<?> source, long target, boolean withState) {
    cellsRead += source.bits();
    if (source instanceof CountingBloomFilter counters) {
      return withState || counters.filterId() == 0 || counters.isSaturating()
          ? counters.foldTo(target)
          : folded(counters, target, 0);
    }
    BloomFilter coming =
        withState
            ? (BloomFilter) source.foldTo(target)
            : BloomFilter.builder().like(source).bits(target).build();
    Kept now = kept;
    kept = new Kept(now.capacity(), now.middle(), now.view(), coming);
    // the new filter must be published before the source is read
    VarHandle.fullFence();
    coming.putAll((BloomFilter) source);
    return coming;
  }

  /**
   * Returns the folding with another id, or none, and without its state, a hash of the whole
   * content that takes longer to compute than the folding.
   */
  static FoldableFilter<?> folded(FoldableFilter<?> source, long target, long id) {
    if (source instanceof CountingBloomFilter counters) {
      CountingBloomFilter folded =
          CountingBloomFilter.builder()
              .like(counters)
              .bits(target)
              .counterBits(counters.counterBits())
              .id(id)
              .build();
      folded.putAll(counters);
      return folded;
    }
    BloomFilter folded = BloomFilter.builder().like(source).bits(target).id(id).build();
    folded.putAll((BloomFilter) source);
    return folded;
  }

  /**
   * Sets the numbers of keys at which the next resize is due: above the maximum of the current
   * size, or so far below its minimum that a smaller size has headroom and a certain fraction of
   * the keys was removed since the last resize.
   */
  private void settle() {
    boolean largest = size.bits() == band.largest().bits() || kept.isFrozen();
    growAbove = largest ? Long.MAX_VALUE : Math.max(booked, size.mostKeys());
    double smallerServes = band.mostKeysBelow(size.bits()) / (1 + band.headroom());
    double changed = countedAtResize * (1 - band.headroom());
    shrinkBelow = (long) Math.min(size.fewestKeys(), Math.min(smallerServes, changed));
  }

  /**
   * Returns the folding of the full filter to a size, and records the size as sent. The size is
   * recorded before the bits are read, so that a put that changes a bit too late for the folding
   * finds the record and removes it.
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
        // sizes that the view does not fold to can no longer be sent
        keepSent(size -> view.bits() % size == 0, List.of());
        settle();
      }
    }
  }
}
