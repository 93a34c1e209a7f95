package dev.bellows.foreign;

import dev.bellows.foreign.ForeignFilter.Format;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Keys of every type, as the owners' libraries take them. */
final class ForeignKeys {
  private ForeignKeys() {}

  static List<Object> of(Format.KeyType type, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Object> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(
          switch (type) {
            case UTF8, UTF16 -> text(random);
            case LONG -> i % 2 == 0 ? random.nextLong() : (Object) (long) random.nextInt();
            case INT -> random.nextInt();
            case BYTES -> bytes(random);
          });
    }
    return keys;
  }

  private static String text(SplittableRandom random) {
    return random
        .ints(random.nextInt(1, 30), 1, Character.MAX_CODE_POINT)
        .map(c -> c % 3 == 0 ? c : c % 128)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .append((char) ('a' + random.nextInt(26)))
        .toString();
  }

  private static byte[] bytes(SplittableRandom random) {
    byte[] bytes = new byte[random.nextInt(1, 40)];
    random.nextBytes(bytes);
    return bytes;
  }

  static boolean ask(ForeignFilter filter, Object key, Format.KeyType type) {
    if (key instanceof byte[] bytes) {
      return filter.mightContain(bytes);
    }
    return key instanceof CharSequence text
        ? filter.mightContain(text, type)
        : filter.mightContain(((Number) key).longValue(), type);
  }
}
