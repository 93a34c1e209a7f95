package dev.bellows.cli;

import dev.bellows.HashScheme;
import dev.bellows.io.foreign.ForeignFilter;
import dev.bellows.io.foreign.ForeignKeyType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lines as keys of a foreign filter.
 *
 * @param filter the filter
 * @param type what its keys are
 */
record ForeignKeys(ForeignFilter filter, ForeignKeyType type) {
  boolean mightContain(byte[] buffer, int from, int length) {
    return switch (type) {
      case UTF8, BYTES -> filter.mightContain(Arrays.copyOfRange(buffer, from, from + length));
      case UTF16 ->
          filter.mightContain(new String(buffer, from, length, StandardCharsets.UTF_8), type);
      case LONG, INT -> filter.mightContain(number(buffer, from, length), type);
    };
  }

  /** The hash of the same key in our own filters. */
  long hash(HashScheme scheme, byte[] buffer, int from, int length) {
    return type == ForeignKeyType.LONG || type == ForeignKeyType.INT
        ? scheme.hash(number(buffer, from, length))
        : scheme.hash(buffer, from, length);
  }

  private long number(byte[] buffer, int from, int length) {
    try {
      return Longs.parse(buffer, from, from + length);
    } catch (NumberFormatException e) {
      String text = new String(buffer, from, Math.min(length, 200), StandardCharsets.UTF_8);
      throw new IllegalArgumentException(Text.quote(text) + " is no decimal " + type.word(), e);
    }
  }
}
