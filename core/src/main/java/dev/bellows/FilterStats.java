package dev.bellows;

import dev.bellows.HashScheme.KeyType;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import org.jspecify.annotations.Nullable;

/**
 * The current statistics of a filter that are common to all kinds; those that a kind does not have
 * are null. Methods of the filter classes return statistics of a single kind, and statistics that
 * take more than one pass over the bits, such as {@link Filter#sizeInBytes}.
 *
 * @param kind the kind of filter
 * @param layout the layout, which maps keys to bits; null if the filter has no layout, or has
 *     attributes with different layouts
 * @param bits the size: the number of bits or counters in all parts; for prefixes, the sum of their
 *     lengths, which a file encodes in about half as many
 * @param hashes the number of bits that a key sets, k
 * @param hashScheme the scheme that hashes keys
 * @param ones the number of bits that are one; null if the kind has no such number
 * @param approximateKeys the estimated number of distinct keys; null if the kind stores no keys
 * @param expectedFpp the false positive rate, from the actual fill
 * @param targetFpp the false positive rate for which the filter was built; null if the filter does
 *     not store it
 * @param parts the parts of a filter that consists of several; null for others
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
    @Nullable Double targetFpp,
    @Nullable Parts parts) {
  /**
   * The number of parts of a filter that consists of several.
   *
   * @param word the name of the parts, e.g. levels, leaves or prefixes
   * @param count the number of parts
   */
  public record Parts(String word, long count) {}

  /** Creates the statistics of a filter without a target and without parts. */
  public FilterStats(
      FilterKind kind,
      @Nullable Layout layout,
      long bits,
      int hashes,
      HashScheme hashScheme,
      @Nullable Long ones,
      @Nullable Double approximateKeys,
      double expectedFpp) {
    this(kind, layout, bits, hashes, hashScheme, ones, approximateKeys, expectedFpp, null, null);
  }

  /** Returns the statistics of a filter, with its own kind, hash scheme and rate. */
  public static FilterStats of(
      Filter filter,
      @Nullable Layout layout,
      long bits,
      int hashes,
      @Nullable Long ones,
      @Nullable Double keys) {
    return new FilterStats(
        filter.kind(), layout, bits, hashes, filter.hashScheme(), ones, keys, filter.expectedFpp());
  }

  /** Returns the family of the layout, or null if there is no layout. */
  public Layout.@Nullable Family family() {
    return layout == null ? null : layout.family();
  }

  /** Returns the positions of a key inside its block, or null unless the layout is BLOCKED. */
  public @Nullable Pattern pattern() {
    return layout == null ? null : layout.pattern();
  }

  /** Returns these statistics with a target rate and parts, for growing filters. */
  public FilterStats growing(@Nullable Double target, @Nullable Parts of) {
    return new FilterStats(
        kind, layout, bits, hashes, hashScheme, ones, approximateKeys, expectedFpp, target, of);
  }

  /** Returns the fraction of bits that are one, or null if the number of ones is null. */
  public @Nullable Double fill() {
    return ones == null ? null : bits == 0 ? 0 : (double) ones / bits;
  }

  /** Returns whether every bit is one, so that the estimated number of keys is a lower bound. */
  public boolean isFull() {
    return ones != null && ones == bits && bits > 0;
  }

  /**
   * Returns the statistics as lines of {@link Filter#explain}.
   *
   * @param unit the unit of the size, e.g. bits
   * @param bytes the length of the file in bytes
   */
  public String lines(String unit, long bytes) {
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
