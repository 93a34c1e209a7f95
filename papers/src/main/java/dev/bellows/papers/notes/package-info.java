/** Document 001: the standard filter. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.notes;
