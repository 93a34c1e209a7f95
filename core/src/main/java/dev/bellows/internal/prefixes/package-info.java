/**
 * The table of hash prefixes behind {@code FingerprintFilter}: chunks that split while other
 * threads read and write them.
 */
@NullMarked
package dev.bellows.internal.prefixes;

import org.jspecify.annotations.NullMarked;
