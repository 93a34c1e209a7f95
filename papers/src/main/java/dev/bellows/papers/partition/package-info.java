/** Document 002: the dynamic partition filter. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.partition;
