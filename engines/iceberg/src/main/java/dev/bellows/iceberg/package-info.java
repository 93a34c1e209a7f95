/**
 * Smaller Bloom filters in the data files of Apache Iceberg tables.
 *
 * <p>{@link dev.bellows.iceberg.FoldFilters} is the only class to start with. It never changes a
 * file: it writes copies with folded filters, and commits a snapshot that names them instead.
 *
 * <pre>
 *   snapshot --&gt; data files, with the deletes that apply to them
 *                     |
 *                     v FileCopier        refused, or copied through the table's FileIO
 *                  copies
 *                     |
 *                     v Commit            one rewrite for each data sequence number, in one
 *                  snapshots              transaction; what was changed meanwhile is left out
 * </pre>
 */
@NullMarked
package dev.bellows.iceberg;

import org.jspecify.annotations.NullMarked;
