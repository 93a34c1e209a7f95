/** The filters and the value types a user meets. */
@NullMarked
package dev.bellows;

import org.jspecify.annotations.NullMarked;
