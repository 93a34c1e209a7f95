/** Charts and drawings as SVG, with one palette for light and dark pages. */
@org.jspecify.annotations.NullMarked
package dev.bellows.papers.draw;
