/** The formulas of the documents: rates, their inverses and intervals; no state, no I/O. */
@NullMarked
package dev.bellows.internal.rates;

import org.jspecify.annotations.NullMarked;
