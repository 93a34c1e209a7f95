/** The items of the Range thesis (003): numeric ranges. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.range;
