/**
 * Document 002 and growing filters for any keys: no size is given in advance, and the rate is
 * bounded.
 */
@NullMarked
package dev.bellows.growth;

import org.jspecify.annotations.NullMarked;
