/**
 * A filter that changes its size with its number of keys: it folds and unfolds to keep its false
 * positive rate in a band while keys are put and removed (Folding paper, Section IV).
 *
 * <pre>
 *   puts, removals ---+--------------------+
 *                     v                    v
 *              +-------------+   fold   +--------+
 *              |  capacity   | -------&gt; |  view  | &lt;--- queries, snapshots to send
 *              +-------------+          +--------+
 *               full size, fixed         a divisor of it, chosen so that the rate
 *                                        stays in [fpp - tolerance, fpp + tolerance]
 * </pre>
 *
 * <p>With few keys, the view is small, and few bytes have to be sent. As keys arrive, the view is
 * replaced by a larger folding of the capacity.
 *
 * <pre>{@code
 * ElasticBloomFilter filter =
 *     ElasticBloomFilter.builder().keys(1_000_000).fpp(0.01).tolerance(0.005).build();
 * filter.put("alice");
 * BloomFilter small = filter.snapshot();  // the view, with its id and state
 * }</pre>
 *
 * <p>Start with {@link dev.bellows.elastic.ElasticBloomFilter}, the only public class. Inside,
 * {@code FoldBand} decides which sizes a view may have, and {@code FoldingView} keeps the filters
 * and replaces the view while other threads read and write.
 *
 * <p>Folding saves bandwidth and cache, not memory: the capacity stays allocated. If the number of
 * keys is unknown, use one of the growing filters in {@link dev.bellows.growth}.
 */
@NullMarked
package dev.bellows.elastic;

import org.jspecify.annotations.NullMarked;
