package dev.bellows.redis;

import dev.bellows.internal.base.Prose;

/** The names of a filter's keys: all have the same hash tag, and so are on one node. */
final class Keys {
  private static final int MOST_LENGTH = 512;

  private Keys() {}

  /** Returns the name if keys can be made from it. */
  static String checkedName(String name) {
    boolean possible =
        !name.isEmpty()
            && name.length() <= MOST_LENGTH
            && name.codePoints().noneMatch(Keys::isForbidden);
    if (!possible) {
      throw new IllegalArgumentException(
          "a filter's name has 1 to %d characters and none of { and } and control characters: %s"
              .formatted(MOST_LENGTH, Prose.quote(name)));
    }
    return name;
  }

  /** Half a surrogate pair has no bytes of its own: two names would be one key. */
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

  /** Where a script copies a range to; it exists only while the script runs. */
  static String copy(String name) {
    return state(name) + ":copy";
  }

  static String stripe(String name, long part, long stripe) {
    return state(name) + ":" + part + ":" + stripe;
  }
}
