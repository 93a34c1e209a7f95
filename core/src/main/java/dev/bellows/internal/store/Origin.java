package dev.bellows.internal.store;

/**
 * Which filter, and which content of it, some bits come from: an id its owner gave it and the hash
 * of the unfolded content, its state. Foldings may be asked together only if both agree. An owner
 * has the state of whatever it holds now; a folding keeps the state it was taken from and loses
 * both when it is itself changed.
 *
 * @param filterId the id, 0 for none
 * @param state of a folding, the hash of what was folded; of an owner 0
 * @param isFolding whether the bits are a folding
 */
public record Origin(long filterId, long state, boolean isFolding) {
  /** Bits that come from no filter with an id. */
  public static final Origin NONE = new Origin(0, 0, false);

  /** The filter that was given the id. */
  public static Origin owner(long filterId) {
    return filterId == 0 ? NONE : new Origin(filterId, 0, false);
  }

  /** A folding of the filter with the id, taken from the content with the hash. */
  public static Origin folding(long filterId, long state) {
    return filterId == 0 ? NONE : new Origin(filterId, state, true);
  }

  /** Whether there is an id. */
  public boolean isIdentified() {
    return filterId != 0;
  }

  /** What remains after the bits changed. */
  public Origin changed() {
    return isFolding ? NONE : this;
  }
}
