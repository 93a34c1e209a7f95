/** The items of the Standard notes (001): the standard Bloom filter. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.notes;
