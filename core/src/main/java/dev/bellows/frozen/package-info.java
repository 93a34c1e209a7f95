/**
 * Static filters: built once from all keys, within about one percent of the smallest possible size.
 *
 * <p>The memory of a frozen filter is <b>columns</b> of bits. An absent key passes each column with
 * probability 1/2, a key of the set passes all of them. A filter for a rate of 2^-8 therefore has 8
 * columns, at about one bit per key each:
 *
 * <pre>
 *   columns    0 1 2 3 4 5 6 7
 *   row 0      1 0 1 1 0 1 0 0
 *   row 1      0 1 1 0 1 0 0 1      dropping the last column doubles the rate and
 *   row 2      1 1 0 1 0 0 1 0      saves one bit per key
 *   ...
 * </pre>
 *
 * <p>To fold a filter means to drop its last columns. The result is bit for bit the filter that
 * would have been built with fewer columns, so a filter can also be sent column by column.
 *
 * <pre>{@code
 * FrozenFilter filter = FrozenFilter.builder().fpp(0.001).buildFrom(words, KeyHasher.TEXT);
 * filter.mightContain("alice");
 * FrozenFilter smaller = filter.foldToFpp(0.01);
 * FrozenPart first = filter.part(1, 0.1);  // the first part to send
 * }</pre>
 *
 * <p>Start with {@link dev.bellows.frozen.FrozenFilter} and its builder. {@link
 * dev.bellows.frozen.FrozenPart} is a range of columns on its way to a receiver; {@link
 * dev.bellows.frozen.FrozenPlan} computes sizes and the memory for building. How columns are
 * computed and queried is in {@code internal.columns}.
 *
 * <p>Frozen filters accept no further keys and cannot be merged. To do either, keep a {@code
 * growth.FingerprintFilter} and freeze copies of it.
 */
@NullMarked
package dev.bellows.frozen;

import org.jspecify.annotations.NullMarked;
