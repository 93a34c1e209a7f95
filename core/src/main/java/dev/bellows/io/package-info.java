/**
 * Classes that read filters from files, streams and bytes. Start with {@link
 * dev.bellows.io.Filters}, which reads filters of any kind; a {@link dev.bellows.io.FilterFormat}
 * reads those of one kind.
 *
 * <p>Input is not trusted: {@link dev.bellows.io.ReadOptions} limits the memory, checksums and
 * parameters are verified while reading, and invalid bytes cause a {@link
 * dev.bellows.io.FilterFormatException} that contains their offset. The format is specified in
 * spec/FORMAT.md.
 */
@NullMarked
package dev.bellows.io;

import org.jspecify.annotations.NullMarked;
