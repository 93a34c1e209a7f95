/** The registry: every kind of filter once, with the way to read it. */
@NullMarked
package dev.bellows.internal.kinds;

import org.jspecify.annotations.NullMarked;
