package dev.bellows;

import dev.bellows.io.FilterHeader;

/**
 * Which filter, and which state of it, some bits come from: an id its owner gave it and an epoch
 * that changes with the first put after every snapshot. Two foldings may be asked together only if
 * both agree. An anonymous filter has id 0 and counts nothing.
 */
final class Origin {
  private final long filterId;
  private final boolean counts;
  private volatile long epoch;
  private volatile boolean seen;

  private Origin(long filterId, long epoch, boolean counts) {
    this.filterId = filterId;
    this.epoch = epoch;
    this.counts = counts;
    this.seen = counts;
  }

  static Origin anonymous() {
    return new Origin(0, 0, false);
  }

  static Origin owned(long filterId) {
    return new Origin(filterId, 0, filterId != 0);
  }

  static Origin of(FilterHeader header) {
    return new Origin(header.filterId(), header.epoch(), header.filterId() != 0);
  }

  long filterId() {
    return filterId;
  }

  long epoch() {
    return epoch;
  }

  /** Someone looks at this state: the next change begins a new epoch. */
  Origin see() {
    seen = counts;
    return this;
  }

  void changed() {
    if (seen) {
      nextEpoch();
    }
  }

  private synchronized void nextEpoch() {
    if (seen) {
      seen = false;
      epoch++;
    }
  }
}
