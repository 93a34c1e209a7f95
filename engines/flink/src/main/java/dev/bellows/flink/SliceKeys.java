package dev.bellows.flink;

import java.io.Serializable;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * The slice of a hash, and Flink's key of a slice.
 *
 * <p>The slice of a hash is the number in its low bits; a filter uses the high ones. Flink's key is
 * another number: Flink hashes keys into key groups, 128 of them by default, and the numbers 0, 1,
 * 2, ... fall into them as evenly as balls into bins, which leaves some subtasks with twice the
 * work of others. The key of slice s is the (s / 128)-th number, from 0 on, that falls into group s
 * mod 128, so that all of them have the same share.
 *
 * <p>Both belong to the state of version 1 and never change.
 */
final class SliceKeys implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Flink's default for the most subtasks of an operator. */
  private static final int GROUPS = 128;

  /** Boxed once, and not for each event. */
  private final Integer[] keys;

  SliceKeys(int slices) {
    this.keys = new Integer[slices];
    int[] next = new int[GROUPS];
    for (int key = 0, found = 0; found < slices; key++) {
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, GROUPS);
      int slice = next[group] * GROUPS + group;
      next[group]++;
      if (slice < slices) {
        keys[slice] = key;
        found++;
      }
    }
  }

  /** The number of slices. */
  int slices() {
    return keys.length;
  }

  /** The key of the slice of a hash. */
  Integer key(long hash) {
    return keys[(int) hash & (keys.length - 1)];
  }
}
