package dev.bellows.cli.kinds;

import dev.bellows.cli.keys.KeyCode;
import java.util.function.LongPredicate;

/**
 * Keys of partition filters that are ids. An id's code is the id with its bits reversed: verbs cut
 * keys into slices by the first bits of their codes, and those of small ids would all be 0.
 */
final class IdCode implements KeyCode {
  @Override
  public long of(byte[] buffer, int from, int length) {
    throw new UnsupportedOperationException("ids are read as longs");
  }

  @Override
  public long of(long key) {
    return Long.reverse(key);
  }

  /** Returns a predicate of ids as a predicate of codes. */
  static LongPredicate overIds(LongPredicate predicate) {
    return code -> predicate.test(Long.reverse(code));
  }
}
