/**
 * Reads the values of Parquet files through parquet-java, for {@link
 * dev.bellows.parquet.ParquetFilterAdder}. Several jars of parquet-java share packages, which no
 * module can read, so this module works on the class path only.
 */
@NullMarked
package dev.bellows.parquetjava;

import org.jspecify.annotations.NullMarked;
