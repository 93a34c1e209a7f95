package dev.bellows.growth;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.prefixes.PrefixSource;
import dev.bellows.internal.prefixes.PrefixStore;

/**
 * The stores of new fingerprint filters that are made of the prefixes of others, which nobody
 * changes meanwhile: united, intersected or cut.
 *
 * @param plan the plan of the new filter
 * @param removable whether it keeps equal prefixes
 */
record MergedPrefixes(FingerprintPlan plan, boolean removable) {
  PrefixStore union(PrefixStore one, PrefixStore other) {
    long expected = one.tally().total() + other.tally().total();
    return of(one, other, PrefixSource.both(one.prefixes(), other.prefixes()), expected);
  }

  PrefixStore intersection(PrefixStore one, PrefixStore other) {
    long expected = 0;
    for (PrefixSource both = common(one, other); both.next(); ) {
      expected++;
    }
    return of(one, other, common(one, other), expected);
  }

  private static PrefixSource common(PrefixStore one, PrefixStore other) {
    return PrefixSource.common(one.prefixes(), other.prefixes());
  }

  private PrefixStore of(PrefixStore one, PrefixStore other, PrefixSource source, long expected) {
    long copies = one.tally().copies() + other.tally().copies();
    return of(source, expected, copies).stayingAs(one).stayingAs(other);
  }

  /** The prefixes of a store cut to two neighbouring lengths, as close to the fpp as can be. */
  PrefixStore cut(PrefixStore old) {
    double fpp = Checks.probability(plan.fpp(), "fpp");
    double now = old.tally().rate();
    if (now > fpp) {
      throw new IllegalArgumentException(
          "it has fpp %s already: bits that were not kept do not come back, so it cannot have %s"
              .formatted(now, fpp));
    }
    int length = 1;
    while (old.tally().rateAt(length) > fpp) {
      length++;
    }
    // one bit less makes a prefix cost 2^-length more
    long shorter = (long) Math.scalb(fpp - old.tally().rateAt(length), length);
    PrefixSource cut = PrefixSource.cut(old.prefixes(), length, shorter);
    return of(cut, old.tally().total(), old.tally().copies()).stayingAs(old);
  }

  private PrefixStore of(PrefixSource source, long expected, long copies) {
    return PrefixStore.of(
        source,
        !removable,
        expected,
        copies,
        PrefixStore.Allowed.COPYING_AND_COVERING,
        plan.slack(),
        plan.chunkKeys(),
        bytes -> {});
  }
}
