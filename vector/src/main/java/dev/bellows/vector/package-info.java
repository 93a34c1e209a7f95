/** Blocks of BLOCKED filters as vectors. Nothing here is called by name: core finds it. */
@NullMarked
package dev.bellows.vector;

import org.jspecify.annotations.NullMarked;
