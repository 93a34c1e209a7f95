/**
 * The files of a durable folder: a journal of changes and snapshots of the content.
 *
 * <pre>
 *  folder/
 *    filter                 format version, id of the folder, and the settings of its filter
 *    manifest-TERM          the list of the following files, replaced atomically
 *    snapshot-TERM-NUMBER   the content after a number of changes
 *    journal-TERM-NUMBER    a segment: the changes after those of the one before
 *    reached                how far the last segment is on disk
 *    lock                   locked while the folder is open
 *    owner                  the term, the process id and the settings of the last owner
 * </pre>
 *
 * <dl>
 *   <dt>change
 *   <dd>one hash that is put or removed, or one clear.
 *   <dt>version
 *   <dd>the number of changes so far. Versions number changes, and are used by replicas to request
 *       deltas.
 *   <dt>term
 *   <dd>the number of an owner: each opening for writing has a higher one.
 *   <dt>group
 *   <dd>changes that are written together: one {@linkplain Frame frame} of the journal, with its
 *       length, the version of its first change and two checksums.
 *   <dt>torn
 *   <dd>the end of a journal that a crash left incomplete. Nothing after it was forced to disk.
 * </dl>
 *
 * <p><b>The invariants.</b> The versions of all groups, segment after segment, have no gap. Groups
 * are written only to a segment that the {@linkplain Manifest manifest} lists, and only the last
 * segment may have a torn end. A file of one owner is never changed by another.
 *
 * <p>All file access goes through {@link Disk}, so that tests can lose unsynced writes, fill the
 * disk and tear files. {@link dev.bellows.internal.files.DurableContent} is the interface that a
 * folder requires of a filter; each durable kind implements it in its own package.
 */
@NullMarked
package dev.bellows.internal.journal;

import org.jspecify.annotations.NullMarked;
