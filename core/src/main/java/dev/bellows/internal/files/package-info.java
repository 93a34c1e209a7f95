/**
 * The container of spec/FORMAT.md: header, sections, checksums, and files that are replaced
 * atomically.
 */
@NullMarked
package dev.bellows.internal.files;

import org.jspecify.annotations.NullMarked;
