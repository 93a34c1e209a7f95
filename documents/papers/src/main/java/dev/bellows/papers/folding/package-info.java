/** The items of the Folding paper (000): folding and unfolding. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.folding;
