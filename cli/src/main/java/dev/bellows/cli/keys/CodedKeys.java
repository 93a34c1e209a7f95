package dev.bellows.cli.keys;

import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.Membership;
import dev.bellows.RemovableKeys;

/**
 * A filter over single keys, each known by its code.
 *
 * @param code how keys get their code
 * @param asks whether the keys with some codes are found
 * @param puts puts the keys with some codes
 * @param removes removes the keys with some codes
 */
public record CodedKeys(KeyCode code, GroupQuery asks, GroupChange puts, GroupChange removes) {
  private static final GroupChange UNABLE =
      (codes, from, to) -> {
        throw new UnsupportedOperationException("the abilities of the kind were not checked");
      };

  /** Keys that are asked for, by their hashes. */
  public static CodedKeys ofHashes(HashScheme scheme, GroupQuery asks) {
    return of(KeyCode.hashes(scheme), asks);
  }

  /** Keys that are asked for, by codes of their own. */
  public static CodedKeys of(KeyCode code, GroupQuery asks) {
    return new CodedKeys(code, asks, UNABLE, UNABLE);
  }

  /** Keys that are asked for and put. */
  public static <F extends KeyFilter & Membership> CodedKeys of(F filter) {
    return ofHashes(((Membership) filter).hashScheme(), filter::countMightContainHashes)
        .putting(filter::putHashes);
  }

  /** Keys that are asked for, put and removed. */
  public static <F extends RemovableKeys & Membership> CodedKeys removable(F filter) {
    return of(filter).removing(GroupChange.each(filter::removeHash));
  }

  /** The same keys, which are put as well. */
  public CodedKeys putting(GroupChange newPuts) {
    return new CodedKeys(code, asks, newPuts, removes);
  }

  /** The same keys, which are removed as well. */
  public CodedKeys removing(GroupChange newRemoves) {
    return new CodedKeys(code, asks, puts, newRemoves);
  }
}
