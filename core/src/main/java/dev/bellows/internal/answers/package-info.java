/**
 * The answers of the planners as named fields, shared by the command line and the planner page.
 *
 * <p>{@link dev.bellows.internal.answers.PlanFields} has the fields of every plan under the names
 * that the command line's JSON promises. {@link dev.bellows.internal.answers.RateRule} decides when
 * a rate deserves a warning. {@link dev.bellows.internal.answers.Growth} compares growing filters,
 * and {@link dev.bellows.internal.answers.JavaCode} prints plans as Java code. Nothing here
 * computes a rate itself: the plans do.
 */
@NullMarked
package dev.bellows.internal.answers;

import org.jspecify.annotations.NullMarked;
