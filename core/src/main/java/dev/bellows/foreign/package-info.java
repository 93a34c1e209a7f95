/**
 * Filters of other libraries, which can be read from their serialized form, queried, folded and
 * written back.
 *
 * <p>Start with {@link dev.bellows.foreign.ForeignFilter}; {@link
 * dev.bellows.foreign.ForeignFilter.Format} lists the libraries. A folded filter is bit for bit
 * identical to one that its library would have built at that size, so the library can load it.
 */
@NullMarked
package dev.bellows.foreign;

import org.jspecify.annotations.NullMarked;
