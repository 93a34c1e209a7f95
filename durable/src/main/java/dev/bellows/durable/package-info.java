/**
 * Filters that survive their process: {@link dev.bellows.durable.DurableFilter} keeps a filter in a
 * folder, with a journal of its changes and snapshots of its content.
 *
 * <pre>
 *             put                        commit                     snapshot
 *  key --&gt; hash --&gt; filter in memory --&gt; journal-0...42 --&gt;  snapshot-0...42
 *                                          journal-0...99              |
 *                                                |                     |
 *                     since(version)             v                     v
 *  replica  &lt;------- {@link dev.bellows.durable.Delta} -------  changed hashes  or  all content
 * </pre>
 *
 * <dl>
 *   <dt>version
 *   <dd>the number of changes so far. A replica knows the version up to which it has all of them.
 *   <dt>epoch
 *   <dd>the version of the last removal. Deltas do not contain removals, so a replica of an older
 *       epoch needs the whole content.
 * </dl>
 *
 * <p>Without removals a filter is a join semilattice: a put that is repeated or arrives late does
 * no harm. Deltas may therefore be lost, repeated and reordered. The same holds for the clock of a
 * {@code WindowFilter}, which only moves forward.
 */
@NullMarked
package dev.bellows.durable;

import org.jspecify.annotations.NullMarked;
