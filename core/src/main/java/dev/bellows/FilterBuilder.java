package dev.bellows;

import dev.bellows.HashScheme.KeyType;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.plan.BloomPlan;
import java.security.SecureRandom;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A builder of filters, with the settings that all builders share: how keys are hashed.
 *
 * @param <B> the builder itself
 */
public abstract class FilterBuilder<B extends FilterBuilder<B>> {
  private HashScheme scheme = HashScheme.DEFAULT;
  private @Nullable KeyType keyType;

  /** Only for the builders of this library. */
  protected FilterBuilder() {}

  /** Sets the seed of the default hash scheme. */
  public final B seed(long seed) {
    return hashScheme(HashScheme.xxh3(seed));
  }

  /** Sets the hash scheme. */
  public final B hashScheme(HashScheme scheme) {
    this.scheme = Objects.requireNonNull(scheme, "hashScheme");
    return self();
  }

  /**
   * Sets the type of the keys, which files record. The filter then refuses keys of other types; by
   * default it accepts keys of any type.
   */
  public final B keyType(KeyType type) {
    this.keyType = Objects.requireNonNull(type, "keyType");
    return self();
  }

  /**
   * Sets the hash scheme to SipHash-2-4 with a secret key of 16 bytes, which is never written to a
   * file. Use it if an attacker may choose the keys.
   */
  public final B secret(byte[] key) {
    return hashScheme(HashScheme.sipHash(key));
  }

  /**
   * Sets a random seed, which is stored in files: filters with different seeds have different false
   * positives. A seed does not protect against an attacker who can read the file; {@link #secret}
   * does.
   */
  public final B randomSeed() {
    return seed(new SecureRandom().nextLong());
  }

  /** Returns the hash scheme that was set, or the default. */
  protected final HashScheme hashScheme() {
    return keyType == null ? scheme : scheme.withKeyType(keyType);
  }

  @SuppressWarnings("unchecked")
  final B self() {
    return (B) this;
  }

  /**
   * A builder of filters whose size follows from the settings. Any of these combinations is
   * sufficient: keys and fpp, keys and bits (or bitsPerKey), bits and fpp, bits and hashes,
   * capacity and fpp. A given number of bits is used exactly or rejected; a number of bits that the
   * builder chooses has many divisors. If settings contradict each other, the exception names both
   * values.
   *
   * @param <B> the builder itself
   * @param <F> the filter it builds
   */
  public abstract static class Sized<B extends Sized<B, F>, F> extends FilterBuilder<B> {
    private @Nullable Long keys;
    private @Nullable Double fpp;
    private @Nullable Long bits;
    private @Nullable Integer hashes;
    private @Nullable Double bitsPerKey;
    private @Nullable Long capacity;
    private Layout.Family family = Layout.Family.BLOCKED;
    private @Nullable Layout layout;
    private long id;

    /** Only for the builders of this library. */
    protected Sized() {}

    /** Sets the expected number of distinct keys. */
    public final B keys(long keys) {
      this.keys = Checks.notNegative(keys, "keys");
      return self();
    }

    /** Sets the maximum false positive rate of the filter when it contains all keys. */
    public final B fpp(double fpp) {
      this.fpp = Checks.probability(fpp, "fpp");
      return self();
    }

    /** Sets the exact size in bits. */
    public final B bits(long bits) {
      this.bits = Checks.positive(bits, "bits");
      return self();
    }

    /**
     * Sets the number of bits that each key sets; BLOCKED accepts those of its patterns: 4, 6, 8,
     * 12 or 16.
     */
    public final B hashes(int hashes) {
      this.hashes = Checks.positive(hashes, "hashes");
      return self();
    }

    /** Sets the size of the filter as a number of bits for each expected key. */
    public final B bitsPerKey(double bitsPerKey) {
      if (!(bitsPerKey > 0 && bitsPerKey < 1e6)) {
        throw new IllegalArgumentException("bitsPerKey must be in (0, 1e6): " + bitsPerKey);
      }
      this.bitsPerKey = bitsPerKey;
      return self();
    }

    /**
     * Sets the exact size of a filter that is meant to be folded later: it has far more bits than
     * its keys need, and the number of hashes that suits the fpp after folding.
     */
    public final B capacity(long capacity) {
      this.capacity = Checks.positive(capacity, "capacity");
      return self();
    }

    /**
     * Sets the family of the layout: BLOCKED (default, one cache miss) or CLASSIC (fewest bits).
     * The layout itself follows from the fpp, or from the hashes.
     */
    public final B layout(Layout.Family family) {
      this.family = Objects.requireNonNull(family, "layout");
      this.layout = null;
      return self();
    }

    /**
     * Sets the exact layout, e.g. {@code new Layout.Blocked(2, 3)}. By default, it follows from the
     * fpp. Filters can only be merged if their layouts are equal.
     */
    public final B layout(Layout layout) {
      this.layout = Objects.requireNonNull(layout, "layout");
      return self();
    }

    /** Sets the layout and the exact size to those of a plan. */
    public final B shape(BloomPlan plan) {
      Objects.requireNonNull(plan, "plan");
      this.layout = plan.layout();
      this.bits = plan.bits();
      this.hashes = null;
      return self();
    }

    /**
     * Copies the layout, the size and the hash scheme of another filter, so that the two can be
     * merged.
     */
    public final B like(FoldableFilter<?> filter) {
      Objects.requireNonNull(filter, "filter");
      return shape(filter.plan()).hashScheme(filter.hashScheme());
    }

    /**
     * Sets an id other than 0. Foldings and files of the filter carry the id together with their
     * state, so that a receiver never combines foldings of different contents.
     */
    public final B id(long id) {
      this.id = id;
      return self();
    }

    /** Builds the empty filter. */
    public abstract F build();

    /** Returns the plan of the filter that {@link #build} would create, with its predicted rate. */
    public final BloomPlan plan() {
      if (fpp != null) {
        HashFloor.require(fpp, keys == null ? 1 : keys);
      }
      if (given(bits) + given(capacity) + given(bitsPerKey) > 1) {
        throw new IllegalArgumentException(
            "set only one of bits, capacity and bitsPerKey: bits %s, capacity %s, bitsPerKey %s"
                .formatted(bits, capacity, bitsPerKey));
      }
      Layout chosen = chosenLayout();
      // for a capacity or a planned size, the number of hashes follows from the target rate
      if (chosen == null && fpp != null && bits == null && bitsPerKey == null) {
        chosen = family.forFpp(fpp);
      }
      Long exact = bits != null ? bits : capacity;
      if (bitsPerKey != null) {
        if (keys == null) {
          throw new IllegalArgumentException("bitsPerKey needs keys too: set both");
        }
        Layout sized = chosen == null ? family.forFpp(0.01) : chosen;
        exact = sized.foldableBits(bitsPerKey * Math.max(1, keys));
      }
      if (exact == null) {
        if (keys == null || fpp == null || chosen == null) {
          throw new IllegalArgumentException(
              "not enough settings: set keys and fpp, keys and bits, bits and fpp, or bits and"
                  + " hashes");
        }
        // hash collisions use up part of the rate
        return BloomPlan.foldable(keys, HashFloor.without(fpp, keys), chosen);
      }
      if (chosen == null) {
        return BloomPlan.solve(keys, fpp, exact, family);
      }
      return keys == null && fpp == null
          ? new BloomPlan(chosen, exact, 0)
          : BloomPlan.solve(keys, fpp, exact, chosen);
    }

    /**
     * Returns the layout that was set, or the one with the hashes that were set; null if it depends
     * on the rate.
     */
    private @Nullable Layout chosenLayout() {
      if (layout == null) {
        return hashes == null ? null : family.withHashes(hashes);
      }
      if (hashes != null && hashes != layout.hashes()) {
        throw new IllegalArgumentException(
            "layout %s has %d hashes, but hashes was set to %d: set only one of the two"
                .formatted(layout, layout.hashes(), hashes));
      }
      return layout;
    }

    private static int given(@Nullable Object value) {
      return value == null ? 0 : 1;
    }

    /** Returns the fpp; throws if it was not set. */
    protected final double requiredFpp() {
      if (fpp == null) {
        throw new IllegalArgumentException(
            "this filter keeps a target false positive rate: set its fpp");
      }
      return fpp;
    }

    /** Returns whether the size was set, as bits or capacity, rather than planned. */
    protected final boolean isSizeGiven() {
      return bits != null || capacity != null;
    }

    /** Returns the id that was set, or 0. */
    protected final long id() {
      return id;
    }

    final Shape shape() {
      BloomPlan plan = plan();
      return new Shape(plan.layout(), plan.bits(), hashScheme());
    }
  }
}
