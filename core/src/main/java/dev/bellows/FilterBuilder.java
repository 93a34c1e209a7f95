package dev.bellows;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.layout.Cells;
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
  private @Nullable Layout layout;
  private @Nullable Pattern pattern;
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

  /** BLOCKED (default, one cache miss) or CLASSIC (fewest bits). */
  public final B layout(Layout layout) {
    this.layout = Objects.requireNonNull(layout, "layout");
    return self();
  }

  /**
   * The pattern of a key inside its block, for BLOCKED: words, and bits in each word. By default it
   * follows from the fpp; filters that will be merged need equal patterns.
   */
  public final B pattern(int words, int bits) {
    this.pattern = new Pattern(words, bits);
    return self();
  }

  /** The layout, pattern, hashes and exact size of a plan. */
  public final B shape(BloomPlan plan) {
    Objects.requireNonNull(plan, "plan");
    this.layout = plan.layout();
    this.pattern = plan.pattern();
    this.bits = plan.bits();
    this.hashes = plan.hashes();
    return self();
  }

  /** The layout, pattern, size and hash scheme of another filter, so that the two merge. */
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
    if (pattern != null && layout != null && !Cells.hasPattern(layout)) {
      throw new IllegalArgumentException(
          "only layout BLOCKED has a pattern: leave out the pattern " + pattern + " or " + layout);
    }
    Layout layout = this.layout == null ? Layout.BLOCKED : this.layout;
    if (given(bits) + given(capacity) + given(bitsPerKey) > 1) {
      throw new IllegalArgumentException(
          "give one of bits, capacity and bitsPerKey, not several: bits %s, capacity %s, bitsPerKey %s"
              .formatted(bits, capacity, bitsPerKey));
    }
    Long exact = bits != null ? bits : capacity;
    if (bitsPerKey != null) {
      if (keys == null) {
        throw new IllegalArgumentException("bitsPerKey needs keys too: give both");
      }
      exact = BloomPlan.foldableBits(bitsPerKey * Math.max(1, keys), layout);
    }
    if (pattern != null) {
      return patternPlan(pattern, exact);
    }
    if (exact == null) {
      if (keys == null || fpp == null) {
        throw new IllegalArgumentException(
            "not enough to build with: give keys and fpp, keys and bits, bits and fpp, or bits and"
                + " hashes");
      }
      // equal hashes take a part of the rate; the hashes follow from the whole, so that filters
      // merge
      return BloomPlan.foldable(
          keys,
          HashFloor.without(fpp, keys),
          hashes == null ? BloomPlan.hashesFor(fpp, layout) : hashes,
          layout);
    }
    if (keys == null && fpp == null && hashes != null) {
      return BloomPlan.shape(exact, hashes, layout, null);
    }
    // a capacity gets the hashes for the rate that it will have after folding
    Integer k = hashes;
    if (capacity != null && fpp != null && hashes == null) {
      k = BloomPlan.hashesFor(fpp, layout);
    }
    return BloomPlan.solve(keys, fpp, exact, k, layout);
  }

  private BloomPlan patternPlan(Pattern chosen, @Nullable Long exact) {
    if (hashes != null && hashes != chosen.hashes()) {
      throw new IllegalArgumentException(
          "pattern %s has %d bits per key, not the given hashes %d: give one of the two"
              .formatted(chosen, chosen.hashes(), hashes));
    }
    if (exact == null) {
      if (keys == null || fpp == null) {
        throw new IllegalArgumentException(
            "not enough to build with: give keys and fpp, or bits, with the pattern " + chosen);
      }
      return BloomPlan.foldable(keys, HashFloor.without(fpp, keys), chosen);
    }
    return keys == null && fpp == null
        ? BloomPlan.shape(exact, chosen.hashes(), Layout.BLOCKED, chosen)
        : BloomPlan.solve(keys, fpp, exact, chosen);
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
    return new Shape(
        Cells.of(plan.layout(), plan.pattern(), plan.hashes()), plan.bits(), hashScheme());
  }

  @SuppressWarnings("unchecked")
  private B self() {
    return (B) this;
  }
}
