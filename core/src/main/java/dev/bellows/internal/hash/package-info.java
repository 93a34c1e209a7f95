/** Hash functions that no library on the class path provides. */
@NullMarked
package dev.bellows.internal.hash;

import org.jspecify.annotations.NullMarked;
