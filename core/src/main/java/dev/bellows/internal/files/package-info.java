/**
 * The container of spec/FORMAT.md: header, sections, checksums, and files that are replaced
 * atomically.
 *
 * <p>{@link dev.bellows.internal.files.FilterWriter} writes a filter, {@link
 * dev.bellows.internal.files.FilterReader} reads and checks one from untrusted input; the header
 * has a full and a compact form. {@link dev.bellows.internal.files.AtomicFile} replaces a file as a
 * whole under its {@link dev.bellows.internal.files.PathLock}.
 */
@NullMarked
package dev.bellows.internal.files;

import org.jspecify.annotations.NullMarked;
