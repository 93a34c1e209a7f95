/**
 * The Bloom filters inside Parquet files: read, folded, dropped, added and indexed without decoding
 * a data page.
 */
@NullMarked
package dev.bellows.parquet;

import org.jspecify.annotations.NullMarked;
