package dev.bellows.redis;

import dev.bellows.Layout;
import dev.bellows.internal.layout.Positions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The bits of some keys in one part, stripe by stripe, each with the key it belongs to. */
final class Offsets {
  private final Part part;
  private final Positions positions;
  private final Map<Integer, Group> groups = new LinkedHashMap<>();

  Offsets(Part part, Layout layout) {
    this.part = part;
    this.positions = Positions.of(layout, part.bits());
  }

  /** The bits in one stripe, in the order of their keys. */
  static final class Group {
    final int stripe;
    final List<byte[]> offsets = new ArrayList<>();
    private int[] owners = new int[16];

    private Group(int stripe) {
      this.stripe = stripe;
    }

    private void add(byte[] offset, int owner) {
      if (offsets.size() == owners.length) {
        owners = Arrays.copyOf(owners, 2 * owners.length);
      }
      owners[offsets.size()] = owner;
      offsets.add(offset);
    }

    /** Returns the key that a bit belongs to. */
    int owner(int bit) {
      return owners[bit];
    }
  }

  Part part() {
    return part;
  }

  /** Adds the bits of a key. */
  Offsets add(long hash, int owner) {
    long value = positions.begin(hash);
    for (int probe = 0; probe < positions.hashes(); probe++) {
      value = positions.step(value, probe);
      long position = positions.at(hash, value, probe);
      groups
          .computeIfAbsent(part.stripeOf(position), Group::new)
          .add(Wire.decimal(part.offset(position)), owner);
    }
    return this;
  }

  /** Replaces all bits that were added before by those of one key. */
  Offsets only(long hash) {
    groups.clear();
    return add(hash, 0);
  }

  Collection<Group> groups() {
    return groups.values();
  }
}
