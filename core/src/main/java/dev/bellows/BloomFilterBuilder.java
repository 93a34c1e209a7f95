package dev.bellows;

import dev.bellows.internal.Checks;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.Layout;
import org.jspecify.annotations.Nullable;

/**
 * Builds a {@link BloomFilter} from any sufficient subset of sizes and rates: keys and fpp, keys
 * and bits (or bitsPerKey), bits and fpp, bits and hashes, capacity and fpp. Bits that are given
 * are kept exactly or refused; bits that are chosen are chosen to fold.
 */
public final class BloomFilterBuilder {
  private @Nullable Long keys;
  private @Nullable Double fpp;
  private @Nullable Long bits;
  private @Nullable Integer hashes;
  private @Nullable Double bitsPerKey;
  private @Nullable Long capacity;
  private Layout layout = Layout.BLOCKED;
  private HashScheme scheme = HashScheme.DEFAULT;
  private long id;

  BloomFilterBuilder() {}

  /** The number of distinct keys it is meant for. */
  public BloomFilterBuilder keys(long keys) {
    this.keys = Checks.notNegative(keys, "keys");
    return this;
  }

  /** The highest rate of false positives with all keys in. */
  public BloomFilterBuilder fpp(double fpp) {
    this.fpp = Checks.probability(fpp, "fpp");
    return this;
  }

  /** The exact size. */
  public BloomFilterBuilder bits(long bits) {
    this.bits = Checks.positive(bits, "bits");
    return this;
  }

  /** Bits per key; BLOCKED takes 8 or 16. */
  public BloomFilterBuilder hashes(int hashes) {
    this.hashes = Checks.positive(hashes, "hashes");
    return this;
  }

  /** The size as bits for each of the keys. */
  public BloomFilterBuilder bitsPerKey(double bitsPerKey) {
    if (!(bitsPerKey > 0 && bitsPerKey < 1e6)) {
      throw new IllegalArgumentException("bitsPerKey must lie in (0, 1e6): " + bitsPerKey);
    }
    this.bitsPerKey = bitsPerKey;
    return this;
  }

  /**
   * The exact size of a filter that is meant to be folded later: far more bits than its keys need,
   * with the hashes of the fpp it will have once folded.
   */
  public BloomFilterBuilder capacity(long capacity) {
    this.capacity = Checks.positive(capacity, "capacity");
    return this;
  }

  /** BLOCKED (default, one cache miss) or CLASSIC (fewest bits). */
  public BloomFilterBuilder layout(Layout layout) {
    this.layout = layout;
    return this;
  }

  /** The seed of the default hash scheme. */
  public BloomFilterBuilder seed(long seed) {
    return hashScheme(HashScheme.xxh3(seed));
  }

  /** The hash scheme. */
  public BloomFilterBuilder hashScheme(HashScheme scheme) {
    this.scheme = scheme;
    return this;
  }

  /**
   * An identity, not 0, that foldings of this filter and its files carry with an epoch, so that a
   * receiver never mixes foldings of different states.
   */
  public BloomFilterBuilder id(long id) {
    this.id = id;
    return this;
  }

  /** The shape it would build, with the rate it promises. */
  public BloomPlan plan() {
    if (given(bits) + given(capacity) + given(bitsPerKey) > 1) {
      throw new IllegalArgumentException("give one of bits, capacity and bitsPerKey, not several");
    }
    Long exact = bits != null ? bits : capacity;
    if (bitsPerKey != null) {
      if (keys == null) {
        throw new IllegalArgumentException("bitsPerKey needs keys beside it");
      }
      exact = BloomPlan.foldableBits(bitsPerKey * Math.max(1, keys), layout);
    }
    if (exact == null) {
      if (keys == null || fpp == null) {
        throw new IllegalArgumentException(
            "not enough to build with: give keys and fpp, keys and bits, bits and fpp, or bits and"
                + " hashes");
      }
      return hashes == null
          ? BloomPlan.foldable(keys, fpp, layout)
          : BloomPlan.foldable(keys, fpp, hashes, layout);
    }
    if (keys == null && fpp == null && hashes != null) {
      return new BloomPlan(0, 0, exact, hashes, layout);
    }
    if (capacity != null && fpp != null && hashes == null) {
      return BloomPlan.solve(
          keys, keys == null ? fpp : null, exact, BloomPlan.hashesFor(fpp, layout), layout);
    }
    return BloomPlan.solve(keys, fpp, exact, hashes, layout);
  }

  private static int given(@Nullable Object value) {
    return value == null ? 0 : 1;
  }

  /** Builds the empty filter. */
  public BloomFilter build() {
    BloomPlan plan = plan();
    return new BloomFilter(
        new FilterShape(plan.layout(), plan.bits(), plan.hashes(), scheme), Origin.owner(id));
  }
}
