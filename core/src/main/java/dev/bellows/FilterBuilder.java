package dev.bellows;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.plan.BloomPlan;
import java.security.SecureRandom;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of every builder that determines a filter's size: any sufficient subset of keys and fpp,
 * keys and bits (or bitsPerKey), bits and fpp, bits and hashes, capacity and fpp. A given number of
 * bits is kept exactly or refused; a number of bits that the builder chooses has many divisors.
 * Settings that contradict each other are refused with both values.
 *
 * @param <B> the builder itself
 * @param <F> the filter it builds
 */
public abstract class FilterBuilder<B extends FilterBuilder<B, F>, F> {
  private @Nullable Long keys;
  private @Nullable Double fpp;
  private @Nullable Long bits;
  private @Nullable Integer hashes;
  private @Nullable Double bitsPerKey;
  private @Nullable Long capacity;
  private Layout.Family family = Layout.Family.BLOCKED;
  private @Nullable Layout layout;
  private @Nullable KeyType keyType;
  private HashScheme scheme = HashScheme.DEFAULT;

  /** Only for the builders of this library. */
  protected FilterBuilder() {}

  /** The expected number of distinct keys. */
  public final B keys(long keys) {
    this.keys = Checks.notNegative(keys, "keys");
    return self();
  }

  /** The highest false positive rate with all keys in the filter. */
  public final B fpp(double fpp) {
    this.fpp = Checks.probability(fpp, "fpp");
    return self();
  }

  /** The exact size in bits. */
  public final B bits(long bits) {
    this.bits = Checks.positive(bits, "bits");
    return self();
  }

  /** Bits per key; BLOCKED takes those of its patterns: 4, 6, 8, 12 or 16. */
  public final B hashes(int hashes) {
    this.hashes = Checks.positive(hashes, "hashes");
    return self();
  }

  /** The size as a number of bits for each key. */
  public final B bitsPerKey(double bitsPerKey) {
    if (!(bitsPerKey > 0 && bitsPerKey < 1e6)) {
      throw new IllegalArgumentException("bitsPerKey must lie in (0, 1e6): " + bitsPerKey);
    }
    this.bitsPerKey = bitsPerKey;
    return self();
  }

  /**
   * The exact size of a filter that is meant to be folded later: far more bits than its keys need,
   * with the hashes for the fpp that it will have after folding.
   */
  public final B capacity(long capacity) {
    this.capacity = Checks.positive(capacity, "capacity");
    return self();
  }

  /**
   * BLOCKED (default, one cache miss) or CLASSIC (fewest bits); the layout of the family follows
   * from the fpp, or from the hashes.
   */
  public final B layout(Layout.Family family) {
    this.family = Objects.requireNonNull(family, "layout");
    this.layout = null;
    return self();
  }

  /**
   * The exact layout, e.g. {@code new Layout.Blocked(2, 3)}. By default it follows from the fpp;
   * filters that will be merged need equal layouts.
   */
  public final B layout(Layout layout) {
    this.layout = Objects.requireNonNull(layout, "layout");
    return self();
  }

  /** The layout and exact size of a plan. */
  public final B shape(BloomPlan plan) {
    Objects.requireNonNull(plan, "plan");
    this.layout = plan.layout();
    this.bits = plan.bits();
    this.hashes = null;
    return self();
  }

  /** The layout, size and hash scheme of another filter, so that the two merge. */
  public final B like(FoldableFilter<?> filter) {
    Objects.requireNonNull(filter, "filter");
    return shape(filter.plan()).hashScheme(filter.hashScheme());
  }

  /** The seed of the default hash scheme. */
  public final B seed(long seed) {
    return hashScheme(HashScheme.xxh3(seed));
  }

  /** The hash scheme. */
  public final B hashScheme(HashScheme scheme) {
    this.scheme = Objects.requireNonNull(scheme, "hashScheme");
    return self();
  }

  /** What the keys will be, for its file; filters take any. */
  public final B keyType(KeyType type) {
    this.keyType = Objects.requireNonNull(type, "keyType");
    return self();
  }

  /**
   * Hashes with SipHash-2-4 under a secret key of 16 bytes, which no file carries: for keys that an
   * attacker may choose.
   */
  public final B secret(byte[] key) {
    return hashScheme(HashScheme.sipHash(key));
  }

  /**
   * A random seed, which the file carries: two filters then err on different keys. It is no
   * protection against somebody who can read the file; {@link #secret} is.
   */
  public final B randomSeed() {
    return seed(new SecureRandom().nextLong());
  }

  /** Builds the empty filter. */
  public abstract F build();

  /** The shape of the filter that would be built, with its predicted rate. */
  public final BloomPlan plan() {
    if (fpp != null) {
      HashFloor.require(fpp, keys == null ? 1 : keys);
    }
    if (given(bits) + given(capacity) + given(bitsPerKey) > 1) {
      throw new IllegalArgumentException(
          "give one of bits, capacity and bitsPerKey, not several: bits %s, capacity %s, bitsPerKey %s"
              .formatted(bits, capacity, bitsPerKey));
    }
    Layout chosen = chosenLayout();
    // the hashes of a capacity, and of a size that is planned, follow from the requested rate
    if (chosen == null && fpp != null && bits == null && bitsPerKey == null) {
      chosen = family.forFpp(fpp);
    }
    Long exact = bits != null ? bits : capacity;
    if (bitsPerKey != null) {
      if (keys == null) {
        throw new IllegalArgumentException("bitsPerKey needs keys too: give both");
      }
      Layout sized = chosen == null ? family.forFpp(0.01) : chosen;
      exact = sized.foldableBits(bitsPerKey * Math.max(1, keys));
    }
    if (exact == null) {
      if (keys == null || fpp == null || chosen == null) {
        throw new IllegalArgumentException(
            "not enough to build with: give keys and fpp, keys and bits, bits and fpp, or bits and"
                + " hashes");
      }
      // equal hashes take a part of the rate
      return BloomPlan.foldable(keys, HashFloor.without(fpp, keys), chosen);
    }
    if (chosen == null) {
      return BloomPlan.solve(keys, fpp, exact, family);
    }
    return keys == null && fpp == null
        ? new BloomPlan(chosen, exact, 0)
        : BloomPlan.solve(keys, fpp, exact, chosen);
  }

  /** The layout that was given, or has the given hashes; null where it depends on the rate. */
  private @Nullable Layout chosenLayout() {
    if (layout == null) {
      return hashes == null ? null : family.withHashes(hashes);
    }
    if (hashes != null && hashes != layout.hashes()) {
      throw new IllegalArgumentException(
          "layout %s has %d bits per key, not the given hashes %d: give one of the two"
              .formatted(layout, layout.hashes(), hashes));
    }
    return layout;
  }

  private static int given(@Nullable Object value) {
    return value == null ? 0 : 1;
  }

  /** The hash scheme that was given, or the default. */
  protected final HashScheme hashScheme() {
    return keyType == null ? scheme : scheme.withKeyType(keyType);
  }

  /** The fpp, for a builder that requires it. */
  protected final double requiredFpp() {
    if (fpp == null) {
      throw new IllegalArgumentException("this filter keeps a false positive rate: give its fpp");
    }
    return fpp;
  }

  /** Whether the size was given, as bits or capacity, rather than planned. */
  protected final boolean isSizeGiven() {
    return bits != null || capacity != null;
  }

  final Shape shape() {
    BloomPlan plan = plan();
    return new Shape(plan.layout(), plan.bits(), hashScheme());
  }

  @SuppressWarnings("unchecked")
  private B self() {
    return (B) this;
  }
}
