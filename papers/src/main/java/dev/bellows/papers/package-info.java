/**
 * Every table and figure of the five documents, recomputed with the public API: one {@link
 * dev.bellows.papers.Item} each, and the pages made of them.
 */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers;
