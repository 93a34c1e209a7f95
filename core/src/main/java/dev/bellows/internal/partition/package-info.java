/**
 * The mathematics of the Partition paper: how an id space is divided and which rate its leaves
 * have.
 */
@NullMarked
package dev.bellows.internal.partition;

import org.jspecify.annotations.NullMarked;
