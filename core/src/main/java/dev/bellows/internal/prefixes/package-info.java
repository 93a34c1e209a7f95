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
 *       occupies 2^k neighboring entries.
 *   <dt>chunk
 *   <dd>the prefixes that share their first {@code depth} bits, its <b>address</b>.
 *   <dt>bucket
 *   <dd>one of 512 parts of a chunk, chosen by the next 9 bits.
 *   <dt>slot
 *   <dd>the bits of a prefix beyond its bucket, followed by a one bit and aligned to the top of
 *       {@code width} bits, so slots of one width hold prefixes of any length. The tag, if there is
 *       one, is in the lowest bits.
 *   <dt>packed, spilled
 *   <dd>the first three slots of a bucket are packed, all others are spilled. The slots of a bucket
 *       are sorted by their bits, shorter prefixes first; the spilled ones come last.
 *   <dt>slack
 *   <dd>the number of bits beyond its bucket that a put stores. A split takes one bit of a slot, a
 *       join gives it back: prefixes keep their length, only the boundary between bucket and slot
 *       moves.
 *   <dt>ending
 *   <dd>a prefix that ends with its bucket and has no bits in its slot.
 *   <dt>copy
 *   <dd>when a chunk with an ending is split, the ending becomes two prefixes, in two buckets.
 *       Together they match what it matched; one of them counts as a copy. The number of keys is
 *       the number of prefixes minus the number of copies.
 *   <dt>set, removable
 *   <dd>a set stores nothing that a stored prefix covers; a removable store keeps one prefix for
 *       every put, so that each can be removed.
 * </dl>
 *
 * <p><b>The sticky rule.</b> Equal prefixes of a removable store are counted up to a limit: 255, or
 * 8 for those that may have been copied, which are endings and all prefixes of at most {@code
 * stickyLength} bits. Equal prefixes at their limit are <b>sticky</b>: they represent any number of
 * puts. From then on none of them is removed, and a put is not stored if there are sticky prefixes
 * that equal its own or are endings of its bucket. If there are more than 8 equal endings, splits
 * and copies therefore keep only 8, and raise {@code stickyLength} to their length.
 *
 * <p><b>Covering.</b> Only hashes chosen by an attacker agree in so many bits that neither splits
 * nor buckets can separate them. A bucket that has too many of them is covered: a set shortens
 * their prefixes until few are left, a removable store replaces them by 8 sticky endings. Similar
 * hashes become false positives, but no key is lost.
 *
 * <p><b>Tags.</b> A set can store a tag of up to 6 bits with each prefix, as the lowest bits of its
 * slot; without tags, slots have no such bits. The owner of the store defines what tags mean
 * through {@link PrefixStore.Tags}. In a window filter, for example, a tag is the number of a
 * generation modulo 2^bits, two tags are merged into the newer one, and the tags of expired
 * generations are dead:
 *
 * <pre>{@code
 * PrefixStore store = new PrefixStore(slack, chunkKeys, tags);
 * long live = store.tags(hash) & liveSet;     // a query; a set has bit t for tag t
 * long found = store.put(hash, tag, keepSet); // a query and a put, in one step
 * boolean isNew = (found & liveSet) == 0;
 * next = store.dropDead(next);                // a step of a sweep
 * }</pre>
 *
 * <ul>
 *   <li>{@link PrefixStore#put(long, int, long)} writes nothing if a matching prefix has a tag of
 *       {@code keepSet}: all tags that are at least as new in order to refresh a key, or all live
 *       tags in order to keep its first tag. Otherwise the longest matching prefix gets the tag if
 *       it has as many bits as a put would store now; if not, a new prefix is stored. Prefixes that
 *       have become too short therefore expire with their tags, and the rate depends on recent puts
 *       only.
 *   <li>{@link PrefixStore#put(long, int, long, java.util.function.BooleanSupplier)} checks, while
 *       its chunk is locked, that tags still mean what they did when the caller chose them.
 *   <li>Splits and joins move slots with their tags. If one prefix replaces several (endings of one
 *       bucket, equal prefixes of a union or a fold, covering), it gets the merged tag. A prefix
 *       makes a longer one that it covers redundant if its tag is already the merged tag of both.
 *   <li>Prefixes with dead tags are dropped before a chunk is split and by a sweep of {@link
 *       PrefixStore#dropDead}; copies, merges and files omit them. A tag may be reused once a
 *       complete sweep has run since it died.
 *   <li>A union of stores whose tags differ in meaning loads {@code both(one.prefixes(),
 *       retagged(other.prefixes(), translation))}. In files, {@code PrefixPlanes.encodeTags} adds
 *       one part to those of the prefixes.
 *   <li>{@link PrefixTally} counts by length and tag: {@code totalOf(tag)}, {@code rateOf(tag)}.
 *       Dead prefixes are counted until they are dropped.
 *   <li>Prefixes have at most 63 bits less those of a tag.
 * </ul>
 *
 * <p><b>Threads.</b> A writer locks one chunk through its head and gives it a new version at the
 * end; a reader takes no lock and retries if the head has changed. A chunk that was replaced stays
 * locked forever, which sends its readers and writers back to the directory. A frozen chunk is
 * locked for writers only.
 *
 * <p><b>Errors.</b> A put or removal that throws has changed nothing, not even after a stack
 * overflow: that can only happen when a method is called, so each change is made by a single method
 * that calls no other.
 *
 * <p>Start reading with {@link PrefixStore}, then {@link PrefixChunk}. {@link PrefixRun} is an
 * unpacked chunk, which splits, joins, copies and covering work on. {@link PrefixLoader} builds a
 * whole store from the sorted prefixes of a {@link PrefixSource}, {@link PrefixImage} writes and
 * reads the chunks as they are.
 */
@NullMarked
package dev.bellows.internal.prefixes;

import org.jspecify.annotations.NullMarked;
