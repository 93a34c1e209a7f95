/** The verbs that work on filters in files, one class each. */
@NullMarked
package dev.bellows.cli.verbs;

import org.jspecify.annotations.NullMarked;
