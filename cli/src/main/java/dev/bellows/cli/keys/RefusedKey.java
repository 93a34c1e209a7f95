package dev.bellows.cli.keys;

/** One key of a group is refused; those before it were not. */
public final class RefusedKey extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private final int index;

  RefusedKey(int index, IllegalArgumentException reason) {
    super(reason.getMessage(), reason);
    this.index = index;
  }

  /** Where it stands in its group. */
  public int index() {
    return index;
  }
}
