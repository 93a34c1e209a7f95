/** The registry: every kind of filter once, with the method that reads it. */
@NullMarked
package dev.bellows.internal.kinds;

import org.jspecify.annotations.NullMarked;
