/** Filters that grow with their keys: no size is given in advance, and the rate is bounded. */
@NullMarked
package dev.bellows.growth;

import org.jspecify.annotations.NullMarked;
