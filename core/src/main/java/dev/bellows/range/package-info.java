/**
 * Filters of numeric ranges and texts under named attributes (the Range thesis).
 *
 * <p>A {@link dev.bellows.range.RangeSchema} says how numbers become bits; peers agree on it. A
 * {@link dev.bellows.range.RangeBloomFilter} with that schema stores ranges and texts, answers
 * queries for numbers and ranges, and can be compared with another filter without knowing its
 * content. {@link dev.bellows.range.RangePlan} finds the best parameters for one attribute, {@link
 * dev.bellows.range.ProfilePlan} for several in one filter.
 *
 * <p>Glossary: <i>divide</i> is how many neighboring numbers share a key, <i>shift</i> in how many
 * positions neighbors differ, <i>profile</i> the content of one filter: some texts and some numeric
 * ranges.
 */
@NullMarked
package dev.bellows.range;

import org.jspecify.annotations.NullMarked;
