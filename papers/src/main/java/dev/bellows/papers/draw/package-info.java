/** Pictures as SVG: one palette, light and dark. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.draw;
