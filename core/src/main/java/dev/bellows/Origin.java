package dev.bellows;

import dev.bellows.io.FilterHeader;

/**
 * Which filter, and which state of it, some bits come from: an id its owner gave it and an epoch
 * that changes with the first put after every snapshot. Foldings may be asked together only if both
 * agree. A filter without an id counts nothing; a folding that is changed is nobody's state and
 * loses its id.
 */
final class Origin {
  private volatile long filterId;
  private volatile long epoch;
  private final boolean owner;
  private volatile boolean seen;

  private Origin(long filterId, long epoch, boolean owner) {
    this.filterId = filterId;
    this.epoch = epoch;
    this.owner = owner;
    this.seen = filterId != 0;
  }

  static Origin anonymous() {
    return new Origin(0, 0, true);
  }

  static Origin owner(long filterId) {
    return new Origin(filterId, 0, true);
  }

  static Origin of(FilterHeader header) {
    return new Origin(header.filterId(), header.epoch(), true);
  }

  /** The origin of a folding taken now: the next change begins a new epoch. */
  synchronized Origin folding() {
    seen = filterId != 0;
    return new Origin(filterId, epoch, false);
  }

  long filterId() {
    return filterId;
  }

  long epoch() {
    return epoch;
  }

  /** The bits changed. */
  void changed() {
    if (seen) {
      leaveEpoch();
    }
  }

  private synchronized void leaveEpoch() {
    if (seen) {
      seen = false;
      if (owner) {
        epoch++;
      } else {
        filterId = 0;
        epoch = 0;
      }
    }
  }
}
