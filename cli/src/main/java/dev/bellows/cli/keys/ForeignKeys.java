package dev.bellows.cli.keys;

import dev.bellows.foreign.ForeignFilter;
import dev.bellows.foreign.ForeignKeyType;
import dev.bellows.internal.base.Prose;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Lines as keys of a foreign filter.
 *
 * @param filter the filter
 * @param type what its keys are
 */
public record ForeignKeys(ForeignFilter filter, ForeignKeyType type) {
  public boolean mightContain(byte[] buffer, int from, int length) {
    return switch (type) {
      case UTF8, BYTES -> filter.mightContain(Arrays.copyOfRange(buffer, from, from + length));
      case UTF16 ->
          filter.mightContain(new String(buffer, from, length, StandardCharsets.UTF_8), type);
      case LONG, INT -> filter.mightContain(number(buffer, from, length), type);
    };
  }

  /** The code of the same key for our own filters. */
  public long code(KeyCode code, byte[] buffer, int from, int length) {
    return type == ForeignKeyType.LONG || type == ForeignKeyType.INT
        ? code.of(number(buffer, from, length))
        : code.of(buffer, from, length);
  }

  private long number(byte[] buffer, int from, int length) {
    try {
      return Longs.parse(buffer, from, from + length);
    } catch (NumberFormatException e) {
      String text = new String(buffer, from, Math.min(length, 200), StandardCharsets.UTF_8);
      throw new IllegalArgumentException(Prose.quote(text) + " is not a decimal " + type.word(), e);
    }
  }
}
