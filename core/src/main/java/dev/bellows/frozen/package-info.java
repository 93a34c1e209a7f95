/**
 * Static filters: built once from all keys, within about one percent of the smallest size there is.
 *
 * <p>{@link dev.bellows.frozen.FrozenFilter} is the filter. It folds by dropping columns, at one
 * bit per key for each halving of its rate, and is sent column by column as {@link
 * dev.bellows.frozen.FrozenPart}s. {@link dev.bellows.frozen.FrozenPlan} computes sizes without
 * building anything.
 */
@NullMarked
package dev.bellows.frozen;

import org.jspecify.annotations.NullMarked;
