/** Filters of other libraries: read from their bytes, queried, folded and written back. */
@NullMarked
package dev.bellows.foreign;

import org.jspecify.annotations.NullMarked;
