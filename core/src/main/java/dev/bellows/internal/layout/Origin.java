package dev.bellows.internal.layout;

import java.util.function.LongSupplier;

/**
 * The origin of some bits: the id of the filter they come from, and the hash of its unfolded
 * content (the state). Foldings may be queried together only if both are equal. The state of a
 * filter with an id is that of its current content. A folding keeps the state from which it was
 * taken, and loses id and state when it is modified.
 *
 * @param filterId the id, 0 for none
 * @param state of a folding, the hash of what was folded; of an owner 0
 * @param isFolding whether the bits are a folding
 */
public record Origin(long filterId, long state, boolean isFolding) {
  /** Bits that come from no filter with an id. */
  public static final Origin NONE = new Origin(0, 0, false);

  /** Returns the origin of the filter with this id. */
  public static Origin owner(long filterId) {
    return filterId == 0 ? NONE : new Origin(filterId, 0, false);
  }

  /** Returns a folding of the filter with the id, made from the content with the hash. */
  public static Origin folding(long filterId, long state) {
    return filterId == 0 ? NONE : new Origin(filterId, state, true);
  }

  /**
   * Returns the origin of content with this hash, which only a folding needs: the owner itself if
   * it is the content of the state.
   */
  public Origin ofContent(LongSupplier contentHash) {
    return isFolding && state == contentHash.getAsLong() ? owner(filterId) : this;
  }

  /**
   * Returns the origin of results derived from content with this hash, which only an owner needs.
   */
  public Origin taken(LongSupplier contentHash) {
    return isOwner() ? folding(filterId, contentHash.getAsLong()) : this;
  }

  /**
   * Returns whether it is the filter itself that was given the id: its state follows its content.
   */
  public boolean isOwner() {
    return filterId != 0 && !isFolding;
  }
}
