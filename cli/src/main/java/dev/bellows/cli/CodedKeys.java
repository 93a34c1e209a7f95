package dev.bellows.cli;

import dev.bellows.HashScheme;
import java.util.function.LongPredicate;

/**
 * A filter over single keys, each known by its code.
 *
 * @param code how keys get their code
 * @param asks whether the key with a code is found
 * @param puts puts the key with a code; whether the filter changed
 * @param removes removes the key with a code; whether it was removed
 */
record CodedKeys(KeyCode code, LongPredicate asks, LongPredicate puts, LongPredicate removes) {
  private static final LongPredicate UNABLE =
      code -> {
        throw new UnsupportedOperationException("the abilities of the kind were not checked");
      };

  /** Keys that are asked for, by their hashes. */
  static CodedKeys ofHashes(HashScheme scheme, LongPredicate asks) {
    return of(KeyCode.hashes(scheme), asks);
  }

  /** Keys that are asked for, by codes of their own. */
  static CodedKeys of(KeyCode code, LongPredicate asks) {
    return new CodedKeys(code, asks, UNABLE, UNABLE);
  }

  /** The same keys, which are put as well. */
  CodedKeys putting(LongPredicate newPuts) {
    return new CodedKeys(code, asks, newPuts, removes);
  }

  /** The same keys, which are removed as well. */
  CodedKeys removing(LongPredicate newRemoves) {
    return new CodedKeys(code, asks, puts, newRemoves);
  }
}
