/** Document 004: autoscaling by thresholds. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.autoscaling;
