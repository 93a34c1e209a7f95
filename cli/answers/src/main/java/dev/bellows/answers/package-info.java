/**
 * The answers of the planners as named fields, shared by the command line and the planner page.
 *
 * <p>{@link dev.bellows.answers.PlanFields} has the fields of every plan under their documented
 * names in the JSON of the command line, {@link dev.bellows.answers.Quantities} reads numbers as
 * people write them. {@link dev.bellows.answers.Growth} compares growing filters, {@link
 * dev.bellows.answers.FoldSteps} has the cost of folding, {@link dev.bellows.answers.SetBytes} that
 * of exact sets, and {@link dev.bellows.answers.JavaCode} prints plans as Java code. All rates are
 * computed by the plans, not in this package.
 */
@NullMarked
package dev.bellows.answers;

import org.jspecify.annotations.NullMarked;
