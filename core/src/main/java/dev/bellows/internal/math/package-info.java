/**
 * The formulas of plain and folded filters, binomial intervals, and the numbers that sizes are
 * planned with; no state, no I/O.
 */
@NullMarked
package dev.bellows.internal.math;

import org.jspecify.annotations.NullMarked;
