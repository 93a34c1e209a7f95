package dev.bellows;

import dev.bellows.plan.PartitionPlan;

/** What a {@link DynamicPartitionBloomFilter} keeps beside the tree that answers queries. */
public enum PartitionMode {
  /**
   * The populated unit filters, at the exact size of 002 Eq 1, as the document has it. No removal;
   * counts are bounds; the tree's filters have the unit size.
   */
  PUBLISHED(0),

  /**
   * The ids themselves. Counts are exact, ids can be removed, unions and intersections are exact
   * too, and the tree's filters fold to what they hold. The default: a unit filter is many times
   * larger than the exact set of all its ids.
   */
  EXACT_LEAVES(1);

  private final int id;

  PartitionMode(int id) {
    this.id = id;
  }

  /** The frozen number of this mode in files. */
  public int id() {
    return id;
  }

  static PartitionMode ofId(int id) {
    return id == PUBLISHED.id ? PUBLISHED : EXACT_LEAVES;
  }

  /** The size of a unit filter. */
  public long unitBits(PartitionPlan plan) {
    return this == PUBLISHED ? plan.unitBits() : plan.allocatedUnitBits();
  }
}
