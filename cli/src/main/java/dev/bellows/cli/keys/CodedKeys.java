package dev.bellows.cli.keys;

import dev.bellows.Filter;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.autoscale.GradedMembership;
import java.util.function.LongPredicate;

/**
 * A filter over single keys, each known by its code.
 *
 * @param code how keys get their code
 * @param asks whether the keys with some codes are found
 * @param puts puts the keys with some codes
 * @param removes removes the keys with some codes
 */
public record CodedKeys(KeyCode code, Query asks, Change puts, Change removes) {
  /** Queries groups of keys. */
  @FunctionalInterface
  public interface Query {
    /**
     * Queries the codes in {@code [from, to)}, writes each answer to the same index of {@code hits}
     * and returns the number of hits.
     *
     * @throws Lines.Refused if one cannot be queried; the answers before it are written
     */
    int ask(long[] codes, int from, int to, boolean[] hits);

    /** Queries one after the other. */
    static Query each(LongPredicate test) {
      return (codes, from, to, hits) -> Lines.countIf(from, to, i -> hits[i] = test.test(codes[i]));
    }
  }

  /** Changes a filter by groups of keys. */
  @FunctionalInterface
  public interface Change {
    /**
     * Puts or removes the codes in {@code [from, to)} and returns how many changed the filter.
     *
     * @throws Lines.Refused if the filter does not accept one of them
     */
    int change(long[] codes, int from, int to);

    /** Changes by one after the other. */
    static Change each(LongPredicate change) {
      return (codes, from, to) -> Lines.countIf(from, to, i -> change.test(codes[i]));
    }
  }

  private static final Change UNABLE =
      (codes, from, to) -> {
        throw new UnsupportedOperationException("the abilities of the kind were not checked");
      };

  /** Keys that are queried, by special codes. */
  public static CodedKeys of(KeyCode code, Query asks) {
    return new CodedKeys(code, asks, UNABLE, UNABLE);
  }

  /** Keys by their hashes: queried, and put and removed as far as the type of the filter can. */
  public static CodedKeys of(Filter filter) {
    return new CodedKeys(
        KeyCode.hashes(filter.hashScheme()),
        filter instanceof Membership set
            ? set::countMightContainHashes
            : Query.each(((GradedMembership) filter)::acceptsHash),
        filter instanceof KeyFilter keys ? keys::putHashes : UNABLE,
        filter instanceof KeyFilter.Removable keys ? Change.each(keys::removeHash) : UNABLE);
  }
}
