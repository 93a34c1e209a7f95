/**
 * Every table and figure of the five documents, recomputed with the public API.
 *
 * <p>An {@link dev.bellows.papers.Item} is one table, figure or claim. Computing it gives an {@link
 * dev.bellows.papers.Outcome}: data, pictures and numbers, each a {@link dev.bellows.papers.Result}
 * with up to three sources (printed, formula, measured), what was compared and the verdict. {@code
 * PaperPages} writes them to {@code docs/papers}, and {@code bellows papers} runs them. The items
 * of each document have a package of their own; start with {@link dev.bellows.papers.Catalogue}.
 */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers;
