/** Filters of others that the documents compare with, to be measured beside ours. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.baseline;
