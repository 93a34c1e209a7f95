/** Argument checks, numbers as text, UTF-8: what everything else stands on. */
@NullMarked
package dev.bellows.internal.base;

import org.jspecify.annotations.NullMarked;
