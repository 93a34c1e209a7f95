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
 *       and {@link dev.bellows.FoldedFilters}; other packages contain further kinds. {@link
 *       dev.bellows.MappedFilter} maps a file into memory instead of reading it, {@link
 *       dev.bellows.BloomFilter.Loader} fills a new filter faster than single puts.
 *   <li><b>Capabilities</b>: every kind is a {@link dev.bellows.Filter}; {@link
 *       dev.bellows.KeyFilter} (put), {@link dev.bellows.Membership} (query), {@link
 *       dev.bellows.KeyFilter.Removable}, {@link dev.bellows.Foldable} and {@link
 *       dev.bellows.Mergeable} declare what else it can do.
 *   <li><b>Keys</b>: a {@link dev.bellows.KeyHasher} determines which bytes of a key are hashed,
 *       and a {@link dev.bellows.HashScheme} hashes them to 64 bits. All later steps depend on this
 *       hash only.
 *   <li><b>Layouts</b>: a {@link dev.bellows.Layout} maps the hash to positions, and computes false
 *       positive rates and sizes.
 * </ul>
 *
 * <p>Glossary: <i>bits</i> is the size m of a filter, <i>hashes</i> the number k of positions per
 * key, <i>keys</i> the number n of keys, <i>fpp</i> a target or predicted false positive
 * probability, <i>ladder</i> the sizes to which a filter folds, <i>capacity</i> the unfolded size,
 * <i>state</i> the content from which a folding was made.
 */
@NullMarked
package dev.bellows;

import org.jspecify.annotations.NullMarked;
