/**
 * The lowest layer of core, which every other package may use and which uses no other package:
 * argument checks ({@link dev.bellows.internal.base.Checks}), numbers as people read them ({@link
 * dev.bellows.internal.base.Prose}), and the floating-point functions that a browser has to replace
 * ({@link dev.bellows.internal.base.Precise}).
 */
@NullMarked
package dev.bellows.internal.base;

import org.jspecify.annotations.NullMarked;
