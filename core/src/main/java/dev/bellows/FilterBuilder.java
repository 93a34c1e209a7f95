package dev.bellows;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.rates.Cells;
import dev.bellows.internal.store.Shape;
import dev.bellows.plan.BloomPlan;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The part of every builder that settles a filter's size: any sufficient subset of keys and fpp,
 * keys and bits (or bitsPerKey), bits and fpp, bits and hashes, capacity and fpp. Bits that are
 * given are kept exactly or refused; bits that are chosen are chosen to fold. Wishes that
 * contradict each other are refused with both values.
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
  private Layout layout = Layout.BLOCKED;
  private HashScheme scheme = HashScheme.DEFAULT;

  /** For the builders of this library. */
  protected FilterBuilder() {}

  /** The number of distinct keys it is meant for. */
  public final B keys(long keys) {
    this.keys = Checks.notNegative(keys, "keys");
    return self();
  }

  /** The highest rate of false positives with all keys in. */
  public final B fpp(double fpp) {
    this.fpp = Checks.probability(fpp, "fpp");
    return self();
  }

  /** The exact size. */
  public final B bits(long bits) {
    this.bits = Checks.positive(bits, "bits");
    return self();
  }

  /** Bits per key; BLOCKED takes 8 or 16. */
  public final B hashes(int hashes) {
    this.hashes = Checks.positive(hashes, "hashes");
    return self();
  }

  /** The size as bits for each of the keys. */
  public final B bitsPerKey(double bitsPerKey) {
    if (!(bitsPerKey > 0 && bitsPerKey < 1e6)) {
      throw new IllegalArgumentException("bitsPerKey must lie in (0, 1e6): " + bitsPerKey);
    }
    this.bitsPerKey = bitsPerKey;
    return self();
  }

  /**
   * The exact size of a filter that is meant to be folded later: far more bits than its keys need,
   * with the hashes of the fpp it will have once folded.
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

  /** The seed of the default hash scheme. */
  public final B seed(long seed) {
    return hashScheme(HashScheme.xxh3(seed));
  }

  /** The hash scheme. */
  public final B hashScheme(HashScheme scheme) {
    this.scheme = Objects.requireNonNull(scheme, "hashScheme");
    return self();
  }

  /** Builds the empty filter. */
  public abstract F build();

  /** The shape it would build, with the rate it promises. */
  public final BloomPlan plan() {
    if (given(bits) + given(capacity) + given(bitsPerKey) > 1) {
      throw new IllegalArgumentException(
          "give one of bits, capacity and bitsPerKey, not several: bits %s, capacity %s, bitsPerKey %s"
              .formatted(bits, capacity, bitsPerKey));
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
    // a capacity has the hashes of the rate it will have once folded
    Integer k = hashes;
    if (capacity != null && fpp != null && hashes == null) {
      k = BloomPlan.hashesFor(fpp, layout);
    }
    return BloomPlan.solve(keys, fpp, exact, k, layout);
  }

  private static int given(@Nullable Object value) {
    return value == null ? 0 : 1;
  }

  /** The hash scheme that was given, or the default. */
  protected final HashScheme hashScheme() {
    return scheme;
  }

  /** The fpp, where a builder cannot do without. */
  protected final double requiredFpp() {
    if (fpp == null) {
      throw new IllegalArgumentException("this filter holds a rate: give its fpp");
    }
    return fpp;
  }

  /** Whether the size was given, as bits or capacity, rather than planned. */
  protected final boolean isSizeGiven() {
    return bits != null || capacity != null;
  }

  final Shape shape() {
    BloomPlan plan = plan();
    return new Shape(Cells.of(plan.layout(), plan.hashes()), plan.bits(), scheme);
  }

  @SuppressWarnings("unchecked")
  private B self() {
    return (B) this;
  }
}
