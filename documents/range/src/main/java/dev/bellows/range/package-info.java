/**
 * Filters of numeric ranges and texts under named attributes (the Range thesis).
 *
 * <p>A {@link dev.bellows.range.RangeSchema}, which peers share, defines how numbers are mapped to
 * bits. A {@link dev.bellows.range.RangeBloomFilter} with that schema stores ranges and texts,
 * answers queries for numbers and ranges, and can be compared with another filter without knowing
 * its content. {@link dev.bellows.range.RangePlan} finds the best parameters for one attribute,
 * {@link dev.bellows.range.ProfilePlan} for several in one filter.
 *
 * <p>Glossary: <i>divide</i> is the number of neighboring numbers that share a key, <i>shift</i> is
 * the number of positions in which neighbors differ, and a <i>profile</i> is the content of one
 * filter: texts and numeric ranges.
 */
@NullMarked
package dev.bellows.range;

import org.jspecify.annotations.NullMarked;
