package dev.bellows.internal.journal;

import dev.bellows.internal.base.Checks;

/**
 * A model of the recovery time, which determines how many changes a journal may have after its
 * snapshot: reading the snapshot and applying the changes take time in proportion to their sizes.
 *
 * @param nanosPerChange the time to read and apply one change
 * @param nanosPerByte the time to read one byte of a snapshot
 */
public record RecoveryPlan(double nanosPerChange, double nanosPerByte) {
  /**
   * A plan with about one and a half times the durations measured on two cores, at 1e7 and at 1e8
   * keys, so that slower machines keep the bound too.
   */
  public static final RecoveryPlan DEFAULT = new RecoveryPlan(375, 9);

  /** The number of changes below which a snapshot is never worthwhile. */
  public static final long LEAST_CHANGES = 1 << 16;

  /** Checks the arguments. */
  public RecoveryPlan {
    if (!(nanosPerChange > 0 && nanosPerByte > 0)) {
      throw new IllegalArgumentException(
          "%s ns per change and %s ns per byte must be positive"
              .formatted(nanosPerChange, nanosPerByte));
    }
  }

  /**
   * Returns the maximum number of changes after a snapshot of this many bytes: as many as can be
   * applied in the time that reading the snapshot leaves, but at least {@link #LEAST_CHANGES}, and
   * at least as many as take an eighth of the time of the snapshot, because otherwise snapshots
   * would be written all the time.
   */
  public long mostChanges(long boundNanos, long snapshotBytes) {
    Checks.positive(boundNanos, "recovery time");
    double reading = snapshotBytes * nanosPerByte;
    double left = Math.max(boundNanos - reading, reading / 8);
    return Math.max(LEAST_CHANGES, (long) (left / nanosPerChange));
  }
}
