/**
 * The mathematics of the Autoscaling paper: the rates of counters that are read through thresholds.
 */
@NullMarked
package dev.bellows.internal.autoscale;

import org.jspecify.annotations.NullMarked;
