/**
 * The main filters and the types that all filters share. Start with {@link
 * dev.bellows.BloomFilter}.
 *
 * <pre>
 * key --KeyHasher--&gt; hash --Layout--&gt; positions --&gt; filter --fold--&gt; smaller filter
 * </pre>
 *
 * <ul>
 *   <li><b>Filters</b>: {@link dev.bellows.BloomFilter}, {@link dev.bellows.CountingBloomFilter}
 *       and {@link dev.bellows.FoldedFilters}; the other packages have more kinds. {@link
 *       dev.bellows.MappedFilter} opens a file without reading it, {@link dev.bellows.BloomLoader}
 *       fills a filter fast.
 *   <li><b>Capabilities</b>: every kind is a {@link dev.bellows.Filter}; {@link
 *       dev.bellows.KeyFilter} (put), {@link dev.bellows.Membership} (query), {@link
 *       dev.bellows.RemovableKeys}, {@link dev.bellows.Foldable} and {@link dev.bellows.Mergeable}
 *       say what else it can do.
 *   <li><b>Keys</b>: a {@link dev.bellows.KeyHasher} says which bytes of a key are hashed, a {@link
 *       dev.bellows.HashScheme} hashes them to 64 bits. Nothing after that depends on the key.
 *   <li><b>Layouts</b>: a {@link dev.bellows.Layout} maps the hash to positions, and knows the
 *       rates.
 * </ul>
 *
 * <p>Glossary: <i>bits</i> is the size m, <i>hashes</i> the number of positions per key k,
 * <i>keys</i> the number of keys n, <i>fpp</i> a target or predicted false positive probability,
 * <i>ladder</i> the sizes that a filter folds to, <i>capacity</i> the unfolded size, <i>state</i>
 * the content that a folding was taken from.
 */
@NullMarked
package dev.bellows;

import org.jspecify.annotations.NullMarked;
