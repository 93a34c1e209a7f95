/** The container of spec/FORMAT.md: header, sections, checksums, files. */
@NullMarked
package dev.bellows.internal.codec;

import org.jspecify.annotations.NullMarked;
