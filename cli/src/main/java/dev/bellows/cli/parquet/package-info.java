/** {@code bellows parquet}: the filters inside Parquet files. */
@NullMarked
package dev.bellows.cli.parquet;

import org.jspecify.annotations.NullMarked;
