package dev.bellows.elastic;

import dev.bellows.elastic.ElasticBloomFilter.ViewSize;
import dev.bellows.internal.math.Divisors;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * How an elastic filter chooses among several sizes whose rate is in its band (Folding paper,
 * section IV-C).
 */
public enum FoldPolicy {
  /** The smallest size, independent of earlier sizes: the fewest bytes to ship. */
  INDEPENDENT(0) {
    @Override
    long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent) {
      return candidates.get(0).bits();
    }
  },

  /**
   * A size that a smaller filter than the capacity folds to: the view, or a folding in between that
   * is kept for this. Resizes read a fourth to a half of the cells where the tolerance is half of
   * the fpp, little less than {@link #INDEPENDENT} where it is a fifth; every put reaches one
   * filter more.
   */
  GREEDY(1) {
    @Override
    long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent) {
      return candidates.stream()
          .map(ViewSize::bits)
          .min(Comparator.comparingLong((Long bits) -> source(bits, kept)))
          .orElseThrow();
    }

    /** The smallest filter kept that folds to the size; the capacity if none does. */
    private long source(long bits, List<Long> kept) {
      return kept.stream()
          .mapToLong(Long::longValue)
          .filter(k -> k % bits == 0)
          .min()
          .orElse(Long.MAX_VALUE);
    }
  },

  /**
   * A size not sent before in this state that shares least with those sent, so that each snapshot
   * lowers the joint rate at a receiver.
   */
  ENTROPY(2) {
    @Override
    long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent) {
      return candidates.stream()
          .map(ViewSize::bits)
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

  abstract long choose(List<ViewSize> candidates, List<Long> kept, Set<Long> sent);
}
