package dev.bellows.redis;

import dev.bellows.internal.base.Prose;

/**
 * The names of a filter's keys. All of them have the same hash tag, so they are on the same node.
 */
final class Keys {
  private static final int MOST_LENGTH = 512;

  private Keys() {}

  /** Returns the name, or throws if it cannot be part of keys. */
  static String checkedName(String name) {
    boolean possible =
        !name.isEmpty()
            && name.length() <= MOST_LENGTH
            && name.codePoints().noneMatch(Keys::isForbidden);
    if (!possible) {
      throw new IllegalArgumentException(
          "the name of a filter must have 1 to %d characters, without {, } and control characters: %s"
              .formatted(MOST_LENGTH, Prose.quote(name)));
    }
    return name;
  }

  /**
   * Returns whether a character is not allowed. Unpaired surrogates have no UTF-8 encoding, so two
   * names would be the same key.
   */
  private static boolean isForbidden(int point) {
    return point == '{'
        || point == '}'
        || Character.isISOControl(point)
        || Character.getType(point) == Character.SURROGATE;
  }

  static String state(String name) {
    return "{" + name + "}";
  }

  static String lease(String name) {
    return state(name) + ":lease";
  }

  /** Returns the key that a script copies a range to, which exists only while the script runs. */
  static String copy(String name) {
    return state(name) + ":copy";
  }

  static String stripe(String name, long part, long stripe) {
    return state(name) + ":" + part + ":" + stripe;
  }
}
