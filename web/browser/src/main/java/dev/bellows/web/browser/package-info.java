/**
 * Replacements for classes that a browser lacks, or that only make sense with several threads. The
 * compiler to JavaScript uses them instead of the originals; {@link
 * dev.bellows.web.browser.Substitution} lists the pairs. Everything else of core is compiled
 * unchanged. A page has one thread, so locks and fences do nothing here.
 */
@NullMarked
package dev.bellows.web.browser;

import org.jspecify.annotations.NullMarked;
