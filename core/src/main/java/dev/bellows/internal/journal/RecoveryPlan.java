package dev.bellows.internal.journal;

import dev.bellows.internal.base.Checks;

/**
 * How many changes a journal may have behind its snapshot so that recovery stays within a bound:
 * reading the snapshot and applying the changes again take time in proportion to their sizes.
 *
 * @param nanosPerChange what it takes to read and apply one change
 * @param nanosPerByte what it takes to read one byte of a snapshot
 */
public record RecoveryPlan(double nanosPerChange, double nanosPerByte) {
  /**
   * About one and a half times what was measured on two cores, at 1e7 keys and at 1e8, so that
   * slower machines keep the bound too.
   */
  public static final RecoveryPlan DEFAULT = new RecoveryPlan(375, 9);

  /** Below this number of changes a snapshot is never worthwhile. */
  public static final long LEAST_CHANGES = 1 << 16;

  /** Checks the numbers. */
  public RecoveryPlan {
    if (!(nanosPerChange > 0 && nanosPerByte > 0)) {
      throw new IllegalArgumentException(
          "%s ns per change and %s ns per byte must be positive"
              .formatted(nanosPerChange, nanosPerByte));
    }
  }

  /** The time that recovery takes. */
  public double nanos(long snapshotBytes, long changes) {
    return snapshotBytes * nanosPerByte + changes * nanosPerChange;
  }

  /**
   * The most changes behind a snapshot of this many bytes: what the bound leaves, but at least
   * {@link #LEAST_CHANGES}, and at least as many as take an eighth of the time that the snapshot
   * takes, because otherwise nothing but snapshots would be written.
   */
  public long mostChanges(long boundNanos, long snapshotBytes) {
    Checks.positive(boundNanos, "recovery time");
    double reading = snapshotBytes * nanosPerByte;
    double left = Math.max(boundNanos - reading, reading / 8);
    return Math.max(LEAST_CHANGES, (long) (left / nanosPerChange));
  }
}
