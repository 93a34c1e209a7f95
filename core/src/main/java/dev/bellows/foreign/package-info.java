/** Filters of other libraries, by their bytes: read, asked, folded and written back. */
@NullMarked
package dev.bellows.foreign;

import org.jspecify.annotations.NullMarked;
