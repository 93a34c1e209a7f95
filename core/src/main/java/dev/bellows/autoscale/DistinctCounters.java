package dev.bellows.autoscale;

import dev.bellows.autoscale.ThresholdPlan.Rule.Thresholds;
import dev.bellows.internal.counters.CounterStore;
import dev.bellows.internal.layout.DistinctPositions;
import dev.bellows.internal.layout.Shape;

/** Counters to which every key adds one at its distinct positions (004 Eq 1; errata A1). */
final class DistinctCounters {
  /** The number of positions that a query tests one by one before it tests the rest together. */
  static final int EARLY = 4;

  private final int hashes;
  private final DistinctPositions positions;
  private final CounterStore counters;

  DistinctCounters(Shape shape, CounterStore counters) {
    this.hashes = shape.hashes();
    this.positions = new DistinctPositions(shape.bits(), shape.hashes());
    this.counters = counters;
  }

  DistinctPositions positions() {
    return positions;
  }

  /**
   * The counters of the keys of both. If those of one saturate, the sums do, at the narrower width:
   * min(min(a, C) + min(b, D), C) = min(a + b, C) where D is not below C, as if they had counted
   * all keys themselves.
   */
  static CounterStore sum(CounterStore one, CounterStore other) {
    boolean widens = one.widens() && other.widens();
    int narrower = Math.min(LiveThresholds.ceilingBits(one), LiveThresholds.ceilingBits(other));
    int width = widens ? Math.max(one.width(), other.width()) : narrower;
    CounterStore sum = new CounterStore(one.size(), width, widens);
    sum.addAll(one);
    sum.addAll(other);
    return sum;
  }

  /** Adds a key; true iff a counter left zero. */
  boolean add(long hash) {
    long[] drawn = positions.draw(hash).take(hashes);
    boolean changed = false;
    for (int i = 0; i < hashes; i++) {
      changed |= counters.add(drawn[i], 1) == 0;
    }
    return changed;
  }

  /** Takes a key away; refuses one with an empty counter, and nothing changes. */
  boolean remove(long hash) {
    long[] drawn = positions.draw(hash).take(hashes);
    for (int i = 0; i < hashes; i++) {
      if (counters.get(drawn[i]) == 0) {
        return false;
      }
    }
    for (int i = 0; i < hashes; i++) {
      counters.decrement(drawn[i]);
    }
    return true;
  }

  /** Whether enough positions of the key hit. */
  boolean accept(long hash, Thresholds now) {
    DistinctPositions.Draw draw = positions.draw(hash);
    int left = hashes;
    int needed = now.decision();
    // a few positions are enough to reject most absent keys of a sparse filter
    for (int early = Math.min(left, EARLY); early > 0 && needed > 0 && needed <= left; early--) {
      needed -= counters.get(draw.next()) > now.theta() ? 1 : 0;
      left--;
    }
    return needed <= left && (needed <= 0 || needed <= hits(draw, left, now.theta()));
  }

  /** The number of positions of the key that hit: the dot product of 004 Eq 4 and Eq 12. */
  int hits(long hash, long theta) {
    return hits(positions.draw(hash), hashes, theta);
  }

  private int hits(DistinctPositions.Draw draw, int count, long theta) {
    long[] drawn = draw.take(count);
    int hits = 0;
    for (int i = 0; i < count; i++) {
      hits += counters.get(drawn[i]) > theta ? 1 : 0;
    }
    return hits;
  }
}
