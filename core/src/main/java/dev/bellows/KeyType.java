package dev.bellows;

import java.util.Locale;

/**
 * What the keys of a filter were before they were hashed. A file records it, so that later programs
 * read keys the same way; filters do not check it, because they see hashes only.
 */
public enum KeyType {
  /** Nobody said. */
  UNKNOWN(0),
  /** Texts, hashed as UTF-8. */
  TEXT(1),
  /** Integers, hashed as 8 bytes. */
  LONGS(2),
  /** Ids of a universe, as partition filters take them. */
  IDS(3),
  /** Bytes as they are. */
  BYTES(4);

  private final int id;

  KeyType(int id) {
    this.id = id;
  }

  /** The fixed number of this type in files. */
  public int id() {
    return id;
  }

  /** The type with a number in files; UNKNOWN for any other number. */
  public static KeyType ofId(int id) {
    for (KeyType type : values()) {
      if (type.id == id) {
        return type;
      }
    }
    return UNKNOWN;
  }

  /** Its name in text and JSON: {@code text}, {@code longs}, ... */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The type of keys of which some are of this type and some of the other. */
  KeyType with(KeyType other) {
    return this == other ? this : UNKNOWN;
  }
}
