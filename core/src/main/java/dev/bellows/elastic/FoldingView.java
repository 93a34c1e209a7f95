package dev.bellows.elastic;

import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldableFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A filter of full capacity and a folded view of it that follows the number of keys (000 section
 * IV-C): the moving part of an {@link ElasticBloomFilter}.
 *
 * <p>Under {@link FoldPolicy#GREEDY} a third filter of a size in between is kept, so that most
 * resizes read that one and not the whole capacity. Every put reaches every filter that is kept.
 */
final class FoldingView {
  private final FoldBand band;
  private final FoldPolicy policy;
  private final Consumer<ElasticBloomFilter.Resize> listener;

  /** The sizes sent since the content last changed. */
  private final Set<Long> sent = new TreeSet<>();

  private @Nullable FoldableFilter<?> capacity;
  private @Nullable FoldableFilter<?> middle;
  private FoldableFilter<?> view;
  private final boolean counting;
  private long changes;
  private long changesInBand;
  private long resizes;
  private long cellsRead;

  /** Puts that changed the capacity, less removes that did: exact at every resize. */
  private long counted;

  private long countedAtResize;
  private long growAbove;
  private long shrinkBelow;
  private FoldBand.Size size;

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
  }

  FoldingView(
      FoldBand band,
      FoldPolicy policy,
      Consumer<ElasticBloomFilter.Resize> listener,
      @Nullable FoldableFilter<?> capacity,
      FoldableFilter<?> view) {
    this.band = band;
    this.policy = policy;
    this.listener = listener;
    this.capacity = capacity;
    this.view = view;
    this.counting = view instanceof CountingBloomFilter;
    this.counted = full().approximateElementCount();
    this.countedAtResize = counted;
    this.size = band.size(view.bits());
    settle();
  }

  /** The filter that answers queries. */
  FoldableFilter<?> view() {
    return view;
  }

  /** The filter that knows most: the capacity, or the view of a frozen filter. */
  FoldableFilter<?> full() {
    return capacity == null ? view : capacity;
  }

  boolean isFrozen() {
    return capacity == null;
  }

  boolean isOverCapacity() {
    return counted > band.largest().mostKeys();
  }

  /** The sizes sent since the content last changed, ascending. */
  Set<Long> sent() {
    return sent;
  }

  /** The share of the changes of the key count after which the rate was in the band. */
  double bandShare() {
    return changes == 0 ? 1 : (double) changesInBand / changes;
  }

  History history() {
    return new History(changes, changesInBand, resizes, cellsRead);
  }

  /** Goes on counting from there. */
  void resume(History history) {
    changes = history.changes;
    changesInBand = history.changesInBand;
    resizes = history.resizes;
    cellsRead = history.cellsRead;
  }

  boolean put(long hash) {
    FoldableFilter<?> full = full();
    boolean isNew = full.putHash(hash);
    if (!isNew && !counting) {
      // the foldings have every bit that the capacity has
      return false;
    }
    if (full != view) {
      if (middle != null) {
        middle.putHash(hash);
      }
      view.putHash(hash);
    }
    contentChanged();
    if (isNew) {
      counted++;
      keysChanged();
      if (counted > growAbove) {
        resize();
      }
    }
    return isNew;
  }

  boolean remove(long hash) {
    CountingBloomFilter full = (CountingBloomFilter) full();
    if (!full.removeHash(hash)) {
      return false;
    }
    if (view != full) {
      if (middle != null) {
        ((CountingBloomFilter) middle).removeHash(hash);
      }
      ((CountingBloomFilter) view).removeHash(hash);
    }
    contentChanged();
    if (!full.mightContainHash(hash)) {
      counted--;
      keysChanged();
      if (counted < shrinkBelow) {
        resize();
      }
    }
    return true;
  }

  private void contentChanged() {
    if (!sent.isEmpty()) {
      sent.clear();
    }
  }

  private void keysChanged() {
    changes++;
    changesInBand += size.serves(counted) ? 1 : 0;
  }

  void clear() {
    contentChanged();
    full().clear();
    middle = null;
    if (view != full()) {
      view.clear();
    }
    counted = 0;
    if (capacity == null) {
      countedAtResize = 0;
      settle();
    } else {
      resize();
    }
  }

  /** Moves the view to the size its policy chooses for the present number of keys. */
  void resize() {
    // what passed as a false positive when it came was not counted: begin from the content again
    counted = full().approximateElementCount();
    List<Long> kept = new ArrayList<>(List.of(view.bits()));
    if (middle != null) {
      kept.add(middle.bits());
    }
    long target = policy.choose(band.candidates(counted), kept, sent);
    if (target != view.bits() && full().bits() % target == 0) {
      FoldableFilter<?> old = view;
      long before = cellsRead;
      view = folded(target);
      size = band.size(target);
      countedAtResize = counted;
      resizes++;
      listener.accept(
          new ElasticBloomFilter.Resize(
              old.bits(),
              target,
              counted,
              old.expectedFpp(),
              view.expectedFpp(),
              cellsRead - before));
    }
    settle();
  }

  /** The folding to a size, from the smallest filter kept that folds to it. */
  private FoldableFilter<?> folded(long target) {
    if (view.bits() % target == 0) {
      return read(view, target);
    }
    if (middle != null && middle.bits() % target == 0) {
      return read(middle, target);
    }
    long between = policy == FoldPolicy.GREEDY ? band.middle(target) : 0;
    if (between == 0) {
      return read(full(), target);
    }
    FoldableFilter<?> fresh = read(full(), between);
    middle = fresh;
    return read(fresh, target);
  }

  private FoldableFilter<?> read(FoldableFilter<?> source, long target) {
    cellsRead += source.bits();
    return source.foldTo(target);
  }

  /**
   * Sets the key counts at which the next resize is due: above what this size serves; or below it,
   * where a smaller size has headroom and a share of the keys has gone since the last resize.
   */
  private void settle() {
    boolean largest = size.bits() == band.largest().bits() || capacity == null;
    growAbove = largest ? Long.MAX_VALUE : Math.max(counted, size.mostKeys());
    double smallerServes = band.mostKeysBelow(size.bits()) / (1 + band.headroom());
    double changed = countedAtResize * (1 - band.headroom());
    shrinkBelow = (long) Math.min(size.fewestKeys(), Math.min(smallerServes, changed));
  }

  void freeze() {
    if (capacity != null) {
      view = capacity.foldTo(view.bits());
      capacity = null;
      middle = null;
      settle();
    }
  }
}
