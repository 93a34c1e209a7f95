package dev.bellows.cli.kinds;

import dev.bellows.HashScheme;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.partition.PartitionPlan;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;

/**
 * Keys of partition filters. With {@code --longs} a key is the id itself; without, its hash is
 * scaled to the universe. An id's code is the id with its bits reversed: verbs cut keys into slices
 * by the first bits of their codes, and those of small ids would all be 0.
 */
final class IdCode implements KeyCode {
  private final HashScheme scheme;
  private final LongUnaryOperator ids;

  IdCode(PartitionPlan plan, HashScheme scheme, boolean longs) {
    this.scheme = scheme;
    this.ids = longs ? Long::reverse : IdPartition.of(plan.universe(), plan.depth())::idOfHash;
  }

  @Override
  public long of(byte[] buffer, int from, int length) {
    return scheme.hash(buffer, from, length);
  }

  @Override
  public long of(long key) {
    return Long.reverse(key);
  }

  /** Returns a predicate of ids as a predicate of codes. */
  LongPredicate overIds(LongPredicate predicate) {
    return code -> predicate.test(ids.applyAsLong(code));
  }
}
