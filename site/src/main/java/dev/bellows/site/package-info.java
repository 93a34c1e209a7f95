/** The documentation as one static site. */
@NullMarked
package dev.bellows.site;

import org.jspecify.annotations.NullMarked;
