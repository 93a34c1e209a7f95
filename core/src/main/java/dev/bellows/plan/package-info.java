/**
 * Planners for plain and folding filters: sizes, rates and ladders as pure functions, without state
 * or I/O.
 *
 * <ul>
 *   <li>{@link dev.bellows.plan.BloomPlan}: any two of keys, fpp and bits determine the third.
 *   <li>{@link dev.bellows.plan.FoldPlan}: the size to fold to for a band of rates.
 *   <li>{@link dev.bellows.plan.CapacityPlan}: the capacity whose ladder wastes the least memory.
 *   <li>{@link dev.bellows.plan.TransmissionPlan}: the next folding to send within a byte budget.
 * </ul>
 *
 * <p>Filters, the command line, the planner page and the examples of the documentation call the
 * same functions. The plans of other kinds are in the packages of these kinds.
 */
@NullMarked
package dev.bellows.plan;

import org.jspecify.annotations.NullMarked;
