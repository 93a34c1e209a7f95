/**
 * The Partition paper: a tree of unit filters over an id space whose false positive rate stays
 * bounded at every set size, with union and intersection.
 */
@NullMarked
package dev.bellows.partition;

import org.jspecify.annotations.NullMarked;
