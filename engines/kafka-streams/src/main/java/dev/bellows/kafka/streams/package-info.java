/**
 * De-duplication for Kafka Streams: {@link dev.bellows.kafka.streams.Deduplicate} passes on the
 * first event of each id within a window of time, and {@link
 * dev.bellows.kafka.streams.WindowFilterStore} is the state that it needs, in less than 4 bytes per
 * id. Needs Kafka Streams 4.3; tested on 4.3.1 with Java 17, and on no other version.
 *
 * <pre>
 *  event --&gt; {@link dev.bellows.kafka.streams.Deduplicate} --&gt; first event of its id
 *                |  hash of the id, time
 *                v
 *         {@link dev.bellows.kafka.streams.WindowFilterStore}     one window filter per task, in memory
 *                |  new hashes, sorted and packed, once per commit
 *                v
 *         changelog topic, compacted      restored from after a failure, and by standby replicas
 * </pre>
 *
 * <p><b>One filter per task.</b> A task owns a partition of its topics, and the number of
 * partitions is fixed while an application runs, so that the partition is the slice of the key
 * space: there is nothing to rescale inside it.
 *
 * <p><b>The changelog.</b> Compaction keeps the last record of each key, so that no two records
 * that are needed may have one key. A record holds hashes that were put in one generation of the
 * window, and its key names
 *
 * <dl>
 *   <dt>the generation
 *   <dd>by its expiry: the stream time from which on none of its ids counts. Records that have
 *       expired are deleted by tombstones.
 *   <dt>the writer
 *   <dd>a random number of the store that wrote it, so that a process that was replaced and does
 *       not know it yet cannot overwrite a record of its successor.
 *   <dt>the sequence
 *   <dd>the number of records before it with that expiry and that writer.
 * </dl>
 *
 * <p>One more record holds the stream time; it is written before the tombstones that follow from
 * it. Putting a hash again changes nothing, so that records may be restored repeatedly.
 *
 * <p><b>Commits.</b> Hashes are sent when Kafka Streams flushes the caches of a task, which happens
 * before it commits offsets. {@code StateStore.flush} and {@code commit} would be too late: they
 * are called after the offsets were committed. Records of an aborted transaction are not restored.
 */
@NullMarked
package dev.bellows.kafka.streams;

import org.jspecify.annotations.NullMarked;
