package dev.bellows.cli.kinds;

import dev.bellows.FilterBuilder;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.plan.BloomPlan;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The size requested from {@code build}; null is "not given".
 *
 * @param keys distinct keys to size for
 * @param fpp the highest false positive rate
 * @param bits the exact size
 * @param hashes bits per key
 * @param capacity the exact size of a filter that will be folded later
 * @param layout how keys choose bits
 * @param pattern what a key does inside a block
 */
public record Size(
    @Nullable Long keys,
    @Nullable Double fpp,
    @Nullable Long bits,
    @Nullable Integer hashes,
    @Nullable Long capacity,
    Layout.@Nullable Family layout,
    @Nullable Pattern pattern) {
  public static final double DEFAULT_FPP = 0.01;

  double fppOrDefault() {
    return fpp == null ? DEFAULT_FPP : fpp;
  }

  /** Returns whether the size is known before the keys are counted. */
  public boolean isGiven() {
    return keys != null || bits != null || capacity != null;
  }

  /** Returns the size of a plan, for the same keys and rate. */
  public Size like(BloomPlan plan) {
    Layout shape = plan.layout();
    return new Size(keys, fpp, plan.bits(), plan.hashes(), null, shape.family(), shape.pattern());
  }

  /** Tells a builder all that was given but the rate and the layout. */
  void applyTo(FilterBuilder.Sized<?, ?> builder) {
    Optional.ofNullable(keys).ifPresent(builder::keys);
    Optional.ofNullable(bits).ifPresent(builder::bits);
    Optional.ofNullable(capacity).ifPresent(builder::capacity);
    Optional.ofNullable(hashes).ifPresent(builder::hashes);
    if (pattern != null) {
      builder.layout(new Layout.Blocked(pattern));
    }
  }
}
