/**
 * The Bloom filters inside Parquet files: read, folded, dropped, added and indexed without decoding
 * a data page.
 *
 * <ul>
 *   <li>{@link dev.bellows.parquet.ParquetFilters} lists the filters of a file, and writes files
 *       with smaller filters or without them; start here.
 *   <li>{@link dev.bellows.parquet.FoldRequest} says how small filters are to become, {@link
 *       dev.bellows.parquet.ParquetRewrite} is a planned new file.
 *   <li>{@link dev.bellows.parquet.ParquetFilterAdder} adds filters, and is the only class that
 *       needs values ({@link dev.bellows.parquet.ColumnValues}).
 *   <li>{@link dev.bellows.parquet.ParquetIndex} names the files of a folder that may contain a
 *       value.
 *   <li>{@link dev.bellows.parquet.RemoteStore} opens files by their addresses, e.g. on HDFS or S3.
 * </ul>
 *
 * <p>Inside, {@code Footer} parses Thrift's FileMetaData into {@code Chunk}s without losing unknown
 * fields ({@code ThriftStruct}), {@code ChunkFilter} is one filter in a file, and {@code Rewriter}
 * copies a file with {@code Edit}s and moves every offset along ({@code OffsetMap}).
 */
@NullMarked
package dev.bellows.parquet;

import org.jspecify.annotations.NullMarked;
