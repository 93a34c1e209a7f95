package dev.bellows.range;

import java.util.Arrays;
import java.util.stream.Collectors;

/** How the numbers of a range become bits (003 chapter 3). */
public enum RangeScheme {
  /** Every number is a key of its own. */
  PLAIN(0, "plain"),

  /** {@code divide} neighbouring numbers share one key (003 section 3.1). */
  DIVISION(1, "division"),

  /** Neighbouring numbers share all but {@code shift} of their positions (003 section 3.2). */
  OVERLAPPING(2, "overlapping"),

  /** Neighbouring divisions share all but {@code shift} of their positions (003 section 3.3). */
  DIVISION_OVERLAPPING(3, "both"),

  /** A range is a few dyadic intervals; a query for a number tests every interval around it. */
  DYADIC(4, "dyadic");

  private final int id;
  private final String word;

  RangeScheme(int id, String word) {
    this.id = id;
    this.word = word;
  }

  /** The fixed number of this scheme in files. */
  public int id() {
    return id;
  }

  /** The name of this scheme in flags and JSON. */
  public String word() {
    return word;
  }

  /** True if {@code divide} may differ from 1. */
  public boolean divides() {
    return this == DIVISION || this == DIVISION_OVERLAPPING;
  }

  /** True if {@code shift} may differ from the number of hashes. */
  public boolean shifts() {
    return this == OVERLAPPING || this == DIVISION_OVERLAPPING;
  }

  /**
   * True if a value's bits are a subset of the bits of every range around it, so that two filters
   * can be compared without knowing what they hold. A DYADIC value sets the bits of one interval,
   * which a range around it need not use.
   */
  public boolean comparable() {
    return this != DYADIC;
  }

  /** The scheme with this name. */
  public static RangeScheme of(String word) {
    for (RangeScheme scheme : values()) {
      if (scheme.word.equals(word)) {
        return scheme;
      }
    }
    throw new IllegalArgumentException(
        "unknown range scheme '"
            + word
            + "': one of "
            + Arrays.stream(values()).map(RangeScheme::word).collect(Collectors.joining(", ")));
  }
}
