/** Document 002 and growth of any keys: filters without a size, at a bounded rate. */
@NullMarked
package dev.bellows.growth;

import org.jspecify.annotations.NullMarked;
