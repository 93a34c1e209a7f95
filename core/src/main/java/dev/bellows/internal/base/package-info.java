/** Argument checks, numbers as text and UTF-8, used by all other packages. */
@NullMarked
package dev.bellows.internal.base;

import org.jspecify.annotations.NullMarked;
