/** What differs in a browser. */
@NullMarked
package dev.bellows.web.browser;

import org.jspecify.annotations.NullMarked;
