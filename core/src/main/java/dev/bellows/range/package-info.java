/** Document 003: filters of numeric ranges and texts under named attributes. */
@NullMarked
package dev.bellows.range;

import org.jspecify.annotations.NullMarked;
