/**
 * De-duplication of streams on Apache Flink 2, with a few bytes of state per id. Tested on Flink
 * 2.3.0 with Java 17; rescaling and failures also on 2.2.0.
 *
 * <p>{@link dev.bellows.flink.Deduplicate} is the only class that a job names. It cuts the ids by
 * their hashes into <b>slices</b>, many more than there are subtasks, and keeps a {@link
 * dev.bellows.window.WindowFilter} for each of them in keyed state, so that Flink stores, restores
 * and rescales them like any other state:
 *
 * <pre>
 *   event --&gt; id --&gt; hash --&gt; slice            SliceKeys: the low bits of the hash
 *                      |         |
 *                      |         v keyBy
 *                      +--&gt; DeduplicateFunction  late, duplicate or passed on; timers; metrics
 *                                |
 *                                v
 *                              Slice             a window filter, and the ids that are ahead of it
 *                                |
 *                                v SliceSerializer
 *                              checkpoint        version 1, with the file of the filter inside
 * </pre>
 *
 * <p><b>Terms.</b> With T the window and L the allowed lateness,
 *
 * <dl>
 *   <dt>watermark
 *   <dd>Flink's: no more events are expected at or before it.
 *   <dt>late
 *   <dd>an event whose time plus L is not after the watermark. It is not compared with anything.
 *   <dt>clock
 *   <dd>that of a slice: the watermark plus T. Events between the watermark and the clock are put
 *       into the filter, whose window is therefore 2 T + L. They never move its clock, so that one
 *       event from the future expires nothing.
 *   <dt>ahead
 *   <dd>an event after the clock. Its id is kept exactly, with its time, until the clock reaches
 *       it. There are few of them, except where sources drift apart by more than a window.
 * </dl>
 *
 * <p>Start reading with {@code Slice}, which has no Flink in it.
 */
@NullMarked
package dev.bellows.flink;

import org.jspecify.annotations.NullMarked;
