/** The items of the Autoscaling paper (004): counters compared with thresholds. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.autoscaling;
