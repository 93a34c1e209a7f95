package dev.bellows;

import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The present numbers of one filter; what its kind does not have is null.
 *
 * @param kind the kind of filter
 * @param layout how keys choose bits; null where attributes choose their bits in different ways
 * @param bits its size: the number of bits or counters in all its parts
 * @param hashes bits per key, k
 * @param hashScheme how keys become hashes
 * @param ones bits that are one; null where its parts count different things
 * @param approximateKeys estimated distinct keys; null where it holds no keys
 * @param expectedFpp the false positive rate from the real fill
 * @param bytes the length of its file
 * @param own the numbers that only this kind has, under their names in {@code info --json}
 */
public record FilterStats(
    FilterKind kind,
    Layout.@Nullable Family layout,
    long bits,
    int hashes,
    HashScheme hashScheme,
    @Nullable Long ones,
    @Nullable Double approximateKeys,
    double expectedFpp,
    long bytes,
    Map<String, Object> own) {
  /** Copies the map, in its order. */
  public FilterStats {
    own = Collections.unmodifiableMap(new LinkedHashMap<>(own));
  }

  /** The share of bits that are one; null if the number of ones is null. */
  public @Nullable Double fill() {
    return ones == null ? null : bits == 0 ? 0 : (double) ones / bits;
  }

  /** Whether every bit is one, so that the estimated number of keys is a lower bound. */
  public boolean isFull() {
    return ones != null && ones == bits && bits > 0;
  }

  /** The numbers as lines of {@link Filter#explain}, the size in the given unit. */
  public String lines(String unit) {
    StringBuilder page = new StringBuilder();
    page.append(
        Prose.format(
            """
              size               %,d %s (%s in a file)
              hashes             %d per key
              hash scheme        %s
            """,
            bits, unit, Prose.bytes(bytes), hashes, hashScheme));
    if (hashScheme.keyType() != KeyType.UNKNOWN) {
      page.append("  keys are           " + hashScheme.keyType().word() + "\n");
    }
    if (ones != null) {
      page.append(
          Prose.format(
              "  ones               %,d of %,d (%.2f %%)\n",
              ones, bits, bits == 0 ? 0 : 100.0 * ones / bits));
    }
    if (approximateKeys != null) {
      boolean empty = approximateKeys == 0 || (ones != null && ones == 0);
      page.append(
          Prose.format(
              "  keys, estimated    %s%,.0f\n  bits per key       %s\n",
              isFull() ? "at least " : "",
              approximateKeys,
              empty ? "no keys yet" : Prose.format("%.2f", bits / approximateKeys)));
    }
    page.append(
        Prose.format(
            "  false positives    %s of the keys that are not in it\n", Prose.rate(expectedFpp)));
    return page.toString();
  }
}
