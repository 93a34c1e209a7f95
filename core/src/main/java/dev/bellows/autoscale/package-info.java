/** The Autoscaling paper: counters read through thresholds; here "no" may be wrong too. */
@NullMarked
package dev.bellows.autoscale;

import org.jspecify.annotations.NullMarked;
