/** The verb {@code bench}: this library compared with its peers in one run, as ratios. */
@org.jspecify.annotations.NullMarked
package dev.bellows.bench;
