/** What the planners answer, as named fields: the same for the command line and the page. */
@NullMarked
package dev.bellows.internal.answers;

import org.jspecify.annotations.NullMarked;
