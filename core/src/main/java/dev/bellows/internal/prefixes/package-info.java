/**
 * The table of hash prefixes behind {@code FingerprintFilter}: extendible hashing, in chunks that
 * split and join while other threads read and write them.
 *
 * <p>A <b>prefix</b> is the first {@code length} bits of a 64-bit hash. It matches every hash that
 * begins with these bits, a share of 2^-length of all hashes. One prefix <b>covers</b> another if
 * it is a prefix of it. The bits of a hash choose where its prefix is stored:
 *
 * <pre>
 *  hash    1011 | 010011010 | 110100101101 | 0010111...
 *          depth  9 bits      slack          not stored
 *          chunk  bucket      slot
 *
 *  directory                          chunk, an array of words
 *  +----+                             +--------------------------------------------------------+
 *  | 00 | --+                         | 0       head: depth, width, counts, version, lock      |
 *  | 01 | --+-&gt; chunk of depth 1      | 1       index: packed slots before each 64 buckets     |
 *  | 10 | ----&gt; chunk of depth 2      | 2..17   packed slots of each bucket, 0 to 3, as 2 bits |
 *  | 11 | ----&gt; chunk of depth 2      | 18..    packed slots, in the order of buckets  ---&gt;    |
 *  +----+                             | ..last  &lt;---  spilled slots, each with its bucket      |
 *                                     +--------------------------------------------------------+
 * </pre>
 *
 * <dl>
 *   <dt>directory
 *   <dd>2^d references to chunks, indexed by the first d bits of a hash. A chunk of depth d - k
 *       stands in 2^k neighboring entries.
 *   <dt>chunk
 *   <dd>the prefixes that share their first {@code depth} bits, its <b>address</b>.
 *   <dt>bucket
 *   <dd>one of 512 parts of a chunk, chosen by the next 9 bits.
 *   <dt>slot
 *   <dd>what a prefix has beyond its bucket, with a one after its last bit, aligned to the top of
 *       {@code width} bits: slots of one width hold prefixes of any length. The tag, if there is
 *       one, is in the lowest bits.
 *   <dt>packed, spilled
 *   <dd>the first three slots of a bucket, and the others. Slots of a bucket are sorted by their
 *       bits, shorter ones first, the spilled ones last.
 *   <dt>slack
 *   <dd>how many bits beyond its bucket a put stores. A split takes one of them, a join gives it
 *       back: prefixes keep their length, only the border between bucket and slot moves.
 *   <dt>ending
 *   <dd>a prefix that ends with its bucket and has no bits in its slot.
 *   <dt>copy
 *   <dd>when a chunk with an ending splits, the ending goes to two buckets. Together they match
 *       what it matched, and one of them is a copy. The number of keys is the number of prefixes
 *       less that of copies.
 *   <dt>set, removable
 *   <dd>a set stores nothing that a stored prefix covers; a removable store keeps one prefix for
 *       every put, so that each can be removed.
 * </dl>
 *
 * <p><b>The sticky rule.</b> Equal prefixes of a removable store are counted up to a limit: 255, or
 * 8 where they may have been copied, which are endings and all prefixes of at most {@code
 * stickyLength} bits. Equal prefixes at their limit are <b>sticky</b>: they stand for any number of
 * puts. From then on none of them is removed, and a put is not stored if sticky prefixes equal its
 * own or are endings of its bucket. Splits and copies therefore keep 8 of more equal endings, and
 * raise {@code stickyLength} to their length.
 *
 * <p><b>Covering.</b> Only chosen hashes agree in so many bits that neither splits nor buckets can
 * distinguish them. A bucket that has too many of them is covered: a set cuts their prefixes until
 * few are left, a removable store replaces them by 8 sticky endings. Hashes nearby become false
 * positives; no key is lost.
 *
 * <p><b>Tags.</b> A set can store a tag of up to 8 bits with each prefix, as the lowest bits of its
 * slot; without tags slots have no such bits. What tags mean is said by an object of the store's
 * owner, {@link PrefixStore.Tags}. In a window filter, for instance, a tag is the number of a
 * generation modulo 2^bits, the newer of two tags is the merged one, and tags of generations that
 * have expired are dead:
 *
 * <pre>{@code
 * PrefixStore store = new PrefixStore(slack, chunkKeys, tags);
 * long live = store.tags(hash, SETS) & liveSet;     // a query; SETS[tag] = 1L << tag
 * long found = store.put(hash, tag, SETS, keepSet); // a query and a put, in one step
 * boolean isNew = (found & liveSet) == 0;
 * next = store.dropDead(next);                      // a step of a sweep
 * }</pre>
 *
 * <ul>
 *   <li>{@link PrefixStore#put(long, int, long[], long)} writes nothing if a matching prefix has a
 *       tag of {@code keepSet}: all tags that are at least as new, to refresh a key, or all live
 *       ones, to keep its first tag. Otherwise the longest matching prefix gets the tag if it has
 *       as many bits as a put stores now, and if not, a new prefix is stored. So prefixes that have
 *       become short age with their tags, and the rate depends on recent puts only.
 *   <li>Splits and joins move slots with their tags. Where one prefix replaces several (endings of
 *       one bucket, equal prefixes of a union or a fold, covering) it has the merged tag. A prefix
 *       with the merged tag of its own and that of a longer one makes that one superfluous.
 *   <li>Prefixes with dead tags are dropped before a chunk splits and by a sweep of {@link
 *       PrefixStore#dropDead}, and copies, merges and files leave them out. A tag may be used again
 *       when a whole sweep has begun and ended since it died.
 *   <li>A union of stores whose tags differ in meaning loads {@code both(one.prefixes(),
 *       retagged(other.prefixes(), translation))}; {@link PrefixSource#retagged} also leaves
 *       prefixes out. In files, {@code PrefixPlanes.encodeTags} adds one part to those of the
 *       prefixes.
 *   <li>{@link PrefixTally} counts by length and tag: {@code totalOf(tag)}, {@code rateOf(tag)}.
 *       Dead prefixes are counted until they are dropped.
 *   <li>Prefixes have at most 63 bits less those of a tag.
 * </ul>
 *
 * <p><b>Threads.</b> A writer locks one chunk through its head and gives it a new version at the
 * end; a reader takes no lock and reads again if the head has changed. A chunk that others replaced
 * stays locked forever, which sends its readers and writers back to the directory. A frozen chunk
 * is locked for writers only.
 *
 * <p><b>Errors.</b> Whatever a put or remove throws, it has changed nothing. A stack overflows only
 * where a method is called, so that each change is made by one method that calls nothing.
 *
 * <p>Start reading with {@link PrefixStore}, then {@link PrefixChunk}. {@link PrefixRun} is a chunk
 * taken apart: splits, joins, copies and covering work on it. {@link PrefixLoader} builds a whole
 * store from the sorted prefixes of a {@link PrefixSource}, {@link PrefixImage} writes and reads
 * the chunks as they are.
 */
@NullMarked
package dev.bellows.internal.prefixes;

import org.jspecify.annotations.NullMarked;
