package dev.bellows.internal.layout;

import java.util.function.LongSupplier;

/**
 * The origin of bits: the id of the filter that they come from, and the hash of its unfolded
 * content (the state). Foldings may be queried together only if both are equal. The state of a
 * filter with an id is that of its current content. A folding keeps the state from which it was
 * taken, and loses id and state when it is modified.
 *
 * @param filterId the id, 0 for none
 * @param state for a folding, the hash of the content that was folded; 0 for an owner
 * @param isFolding whether the bits are a folding
 */
public record Origin(long filterId, long state, boolean isFolding) {
  /** The origin of bits that do not come from a filter with an id. */
  public static final Origin NONE = new Origin(0, 0, false);

  /** Returns the origin of the filter with this id. */
  public static Origin owner(long filterId) {
    return filterId == 0 ? NONE : new Origin(filterId, 0, false);
  }

  /** Returns the origin of a folding of the filter with this id, whose content has this hash. */
  public static Origin folding(long filterId, long state) {
    return filterId == 0 ? NONE : new Origin(filterId, state, true);
  }

  /**
   * Returns the origin of content with this hash, which is only computed for a folding: the owner
   * if the hash equals the state.
   */
  public Origin ofContent(LongSupplier contentHash) {
    return isFolding && state == contentHash.getAsLong() ? owner(filterId) : this;
  }

  /**
   * Returns the origin of foldings of content with this hash, which is only computed for an owner.
   */
  public Origin taken(LongSupplier contentHash) {
    return isOwner() ? folding(filterId, contentHash.getAsLong()) : this;
  }

  /**
   * Returns whether the bits are those of the filter that has the id, whose state is that of its
   * current content.
   */
  public boolean isOwner() {
    return filterId != 0 && !isFolding;
  }
}
