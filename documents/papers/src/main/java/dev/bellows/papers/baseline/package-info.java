/** Filters from other work that the documents compare with, to be measured next to this library. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.baseline;
