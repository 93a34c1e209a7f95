package dev.bellows.partition;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A directory that finds the leaf that covers a unit: a trie with 64-way nodes over the bits of the
 * unit's index. A lookup in a tree of 20 levels takes at most four steps. A leaf that covers
 * several units is stored in all of their slots.
 *
 * <p>Only one thread at a time may change the directory. Concurrent lookups find the leaf from
 * before or after the change.
 *
 * @param <L> the type of a leaf
 */
final class LeafDirectory<L> {
  private static final int STEP = 6;
  private static final int SLOTS = 1 << STEP;

  private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);

  private final int rootShift;
  private final Object[] root;

  LeafDirectory(int depth) {
    int steps = Math.max(1, (depth + STEP - 1) / STEP);
    this.rootShift = STEP * (steps - 1);
    this.root = new Object[1 << (depth - rootShift)];
  }

  /** Returns the leaf that covers a unit, or null if there is none. */
  @SuppressWarnings("unchecked")
  @org.jspecify.annotations.Nullable
  L find(long unit) {
    int shift = rootShift;
    Object entry = SLOT.getAcquire(root, (int) (unit >>> shift));
    while (entry instanceof Object[] slots) {
      shift -= STEP;
      entry = SLOT.getAcquire(slots, (int) (unit >>> shift) & (SLOTS - 1));
    }
    return (L) entry;
  }

  /** Makes a leaf cover all units of a node, instead of the leaves that covered them before. */
  void set(LeafContent.Node node, L leaf) {
    long unit = node.firstUnit();
    Object[] slots = root;
    int shift = rootShift;
    while (shift > node.height()) {
      int slot = (int) (unit >>> shift) & (slots.length - 1);
      if (!(slots[slot] instanceof Object[])) {
        Object[] finer = new Object[SLOTS];
        Arrays.fill(finer, slots[slot]);
        SLOT.setRelease(slots, slot, finer);
      }
      slots = (Object[]) slots[slot];
      shift -= STEP;
    }
    int slot = (int) (unit >>> shift) & (slots.length - 1);
    for (int end = slot + (1 << (node.height() - shift)); slot < end; slot++) {
      SLOT.setRelease(slots, slot, leaf);
    }
  }

  /** Returns every leaf once, from left to right. */
  List<L> leaves() {
    List<L> leaves = new ArrayList<>();
    collect(root, leaves);
    return leaves;
  }

  @SuppressWarnings("unchecked")
  private void collect(Object[] slots, List<L> leaves) {
    for (Object entry : slots) {
      if (entry instanceof Object[] finer) {
        collect(finer, leaves);
      } else if (entry != null && (leaves.isEmpty() || leaves.get(leaves.size() - 1) != entry)) {
        leaves.add((L) entry);
      }
    }
  }
}
