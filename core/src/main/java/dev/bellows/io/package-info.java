/** Reading filters: kinds, limits and the exception for bytes that are not a filter. */
@NullMarked
package dev.bellows.io;

import org.jspecify.annotations.NullMarked;
