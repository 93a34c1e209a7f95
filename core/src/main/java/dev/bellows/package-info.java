/** The main filters, and the types that all filters use. */
@NullMarked
package dev.bellows;

import org.jspecify.annotations.NullMarked;
