/**
 * The files of a durable folder: a journal of changes and snapshots of the content.
 *
 * <pre>
 *  folder/
 *    filter               format version, id of the folder, and the settings of its filter
 *    lock                 locked while the folder is open; holds the process id of the holder
 *    snapshot-VERSION     the content after that many changes
 *    journal-VERSION      a segment: the changes starting with that number
 * </pre>
 *
 * <dl>
 *   <dt>change
 *   <dd>one hash that is put or removed, or one clear.
 *   <dt>version
 *   <dd>the number of changes so far. Versions number changes, name files, and are used by replicas
 *       to request deltas.
 *   <dt>group
 *   <dd>changes that are written together: one {@linkplain Frame frame} of the journal, with its
 *       length, the version of its first change and two checksums.
 *   <dt>torn
 *   <dd>the end of a journal that a crash left incomplete. Nothing after it was forced to disk.
 * </dl>
 *
 * <p><b>The invariant of the journal.</b> The versions of all groups, segment after segment, have
 * no gap. A segment may end with a torn group, or with groups that a later segment repeats, as long
 * as the later segment does not begin after the end of the earlier one.
 *
 * <p>All file access goes through {@link Disk}, so that tests can lose unsynced writes, fill the
 * disk and tear files. {@link dev.bellows.internal.files.DurableContent} is the interface that a folder requires of a filter;
 * each durable kind implements it in its own package.
 */
@NullMarked
package dev.bellows.internal.journal;

import org.jspecify.annotations.NullMarked;
