/** The {@code bellows} command: one class per verb. */
@NullMarked
package dev.bellows.cli;

import org.jspecify.annotations.NullMarked;
