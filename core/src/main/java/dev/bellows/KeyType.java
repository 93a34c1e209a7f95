package dev.bellows;

import java.util.Locale;

/**
 * The type of a filter's keys before they were hashed. Files record it, so that later programs
 * interpret keys in the same way; filters do not check it, because they only see hashes.
 */
public enum KeyType {
  /** Not specified. */
  UNKNOWN(0),
  /** Texts, hashed as UTF-8. */
  TEXT(1),
  /** Integers, hashed as 8 bytes. */
  LONGS(2),
  /** Ids of an id space, for partition filters. */
  IDS(3),
  /** Raw bytes. */
  BYTES(4);

  private final int id;

  KeyType(int id) {
    this.id = id;
  }

  /** Returns the id of this type in files. */
  public int id() {
    return id;
  }

  /** Returns the type with this id in files, or UNKNOWN if there is none. */
  public static KeyType ofId(int id) {
    for (KeyType type : values()) {
      if (type.id == id) {
        return type;
      }
    }
    return UNKNOWN;
  }

  /** Returns the name of this type in text and JSON: {@code text}, {@code longs}, ... */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the type of a set with keys of both types: this type if they are equal, else UNKNOWN.
   */
  KeyType with(KeyType other) {
    return this == other ? this : UNKNOWN;
  }
}
