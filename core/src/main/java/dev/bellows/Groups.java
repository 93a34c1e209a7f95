package dev.bellows;

import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.Group;
import dev.bellows.internal.layout.Positions;

/** Puts or tests the keys or hashes of an array, one {@link Group} at a time. */
final class Groups {
  private Groups() {}

  /** The source of the hashes of a group: an array of hashes, or of keys. */
  @FunctionalInterface
  interface Source {
    /** Fills the group with the hashes starting at index {@code from} and returns their number. */
    int fill(Group group, int from);
  }

  static Source hashes(long[] hashes, int to) {
    return (group, from) -> group.take(hashes, from, to);
  }

  static Source keys(long[] keys, HashScheme scheme) {
    return (group, from) -> scheme.hash(keys, from, group.hashes);
  }

  /** Puts the hashes in {@code [from, to)} and returns how many of them changed a bit. */
  static int put(Positions positions, HeapBits store, int from, int to, Source source) {
    Group group = new Group();
    int changed = 0;
    int length;
    for (int at = from; at < to; at += length) {
      length = source.fill(group, at);
      changed += positions.set(store, group, length);
    }
    return changed;
  }

  /** Writes the answers for {@code [from, to)} to {@code hits} and returns the number of hits. */
  static int count(
      Positions positions, BitStore store, int from, int to, Source source, boolean[] hits) {
    Group group = new Group();
    int count = 0;
    int length;
    try {
      for (int at = from; at < to; at += length) {
        length = source.fill(group, at);
        count += positions.test(store, group, length, hits, at);
      }
      store.confirm();
      return count;
    } catch (InternalError e) {
      // catches faults in all groups: one may only be reported while the next hashes are computed
      throw store.fault(e);
    }
  }
}
