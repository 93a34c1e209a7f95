package dev.bellows;

import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of one filter, as they are now. What a kind does not have is null.
 *
 * @param kind what it is
 * @param layout how keys choose bits; null where a key chooses more than one way
 * @param bits its size: bits or counters, over all its parts
 * @param hashes bits per key, k
 * @param hashScheme how keys become hashes
 * @param ones bits that are one; null where its parts say different things
 * @param approximateKeys estimated distinct keys; null where it holds no keys
 * @param expectedFpp the false positive rate from the real fill
 * @param bytes the length of its file
 * @param own what only this kind has, by the words of {@code info --json}
 */
public record FilterStats(
    FilterKind kind,
    @Nullable Layout layout,
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

  /** Ones per bit; null without a number of ones. */
  public @Nullable Double fill() {
    return ones == null ? null : bits == 0 ? 0 : (double) ones / bits;
  }

  /** Whether every bit is one, so that the number of keys is "at least". */
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
    if (ones != null) {
      page.append(
          Prose.format(
              "  ones               %,d of %,d (%.2f %%)\n",
              ones, bits, bits == 0 ? 0 : 100.0 * ones / bits));
    }
    if (approximateKeys != null) {
      boolean empty = ones != null ? ones == 0 : approximateKeys == 0;
      page.append(
          Prose.format(
              "  keys, estimated    %s%,.0f\n  bits per key       %s\n",
              isFull() ? "at least " : "",
              approximateKeys,
              empty ? "none in it yet" : Prose.format("%.2f", bits / approximateKeys)));
    }
    page.append(
        Prose.format(
            "  false positives    %s of the keys that are not in it\n", Prose.rate(expectedFpp)));
    return page.toString();
  }
}
