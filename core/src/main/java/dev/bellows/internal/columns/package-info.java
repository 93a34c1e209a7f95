/**
 * The memory of a frozen filter: one system of linear equations over bits for each column.
 *
 * <p>A key chooses a <em>start</em> row, 64 <em>coefficients</em> for the rows from there on, and
 * one <em>check bit</em> for each column. A column is one bit per row, chosen so that for each key
 * the parity of the rows that its coefficients select is its check bit. All keys therefore pass; an
 * absent key passes with probability 1/2 in each column. Columns have the same coefficients and are
 * otherwise independent: dropping the last one gives, bit for bit, the columns that would have been
 * built with one column less. This is the fold law of frozen filters.
 *
 * <pre>
 *   layer 0    segment 0                      segment 1          ...
 *              block 0   block 1  ...
 *              128 rows  128 rows             a threshold of 4 bits for each block
 *   layer 1    the keys whose start lies below the threshold of their block, hashed again
 *   ...
 *   last       a layer without thresholds: all of its keys fit, if necessary with another seed
 * </pre>
 *
 * <p>Every layer but the last has slightly fewer rows than keys, so that nearly every row is used.
 * Keys that do not fit are <em>bumped</em> to the next layer: in each block, all keys below a
 * threshold. A <em>segment</em> is solved independently of all others, which bounds the memory of a
 * construction. The keys of its last block are bumped, because they would reach into the next
 * segment.
 *
 * <p>64 rows are a <em>group</em>. The words of its columns are adjacent, followed by those of the
 * next group, so a query reads one contiguous range of memory. A number of leading groups may have
 * one more column than the others, which gives as many rates between two whole numbers of columns
 * as there are groups. A number of columns together with a number of such groups is a
 * <em>rung</em>.
 *
 * <p>Start with {@link dev.bellows.internal.columns.Columns}, which queries and folds, and {@link
 * dev.bellows.internal.columns.Layer}, which maps a key to its rows. {@link
 * dev.bellows.internal.columns.Elimination} builds; {@link dev.bellows.internal.columns.Rung} is a
 * step of the ladder. The construction is bumped ribbon retrieval by Dillinger, Hübschle-Schneider,
 * Sanders and Walzer (SEA 2022) with a width of 64.
 */
@NullMarked
package dev.bellows.internal.columns;

import org.jspecify.annotations.NullMarked;
