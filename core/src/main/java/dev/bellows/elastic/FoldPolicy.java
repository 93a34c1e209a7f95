package dev.bellows.elastic;

import dev.bellows.internal.numbers.Divisors;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * How an elastic filter chooses among several sizes whose rate is in its band (000 section IV-C).
 */
public enum FoldPolicy {
  /** The smallest size, independent of earlier sizes: the fewest bytes to ship. */
  INDEPENDENT(0) {
    @Override
    long choose(List<FoldBand.Size> candidates, long current, Set<Long> sent) {
      return candidates.get(0).bits();
    }
  },

  /** A size to which the present view folds, if there is one: the capacity need not be read. */
  GREEDY(1) {
    @Override
    long choose(List<FoldBand.Size> candidates, long current, Set<Long> sent) {
      return candidates.stream()
          .mapToLong(FoldBand.Size::bits)
          .filter(bits -> current % bits == 0)
          .findFirst()
          .orElse(candidates.get(0).bits());
    }
  },

  /**
   * A size that was not sent before and has the smallest common divisor with those sent: each
   * snapshot adds the most information.
   */
  ENTROPY(2) {
    @Override
    long choose(List<FoldBand.Size> candidates, long current, Set<Long> sent) {
      return candidates.stream()
          .map(FoldBand.Size::bits)
          .min(
              Comparator.comparing((Long bits) -> sent.contains(bits))
                  .thenComparing(bits -> shared(bits, sent)))
          .orElseThrow();
    }

    /** The largest size to which both this and one sent before would fold. */
    private long shared(long bits, Set<Long> sent) {
      return sent.stream().mapToLong(other -> Divisors.gcd(bits, other)).max().orElse(0);
    }
  };

  private final int id;

  FoldPolicy(int id) {
    this.id = id;
  }

  /** The fixed number of this policy in files. */
  int id() {
    return id;
  }

  static FoldPolicy ofId(int id) {
    return switch (id) {
      case 0 -> INDEPENDENT;
      case 1 -> GREEDY;
      default -> ENTROPY;
    };
  }

  abstract long choose(List<FoldBand.Size> candidates, long current, Set<Long> sent);
}
