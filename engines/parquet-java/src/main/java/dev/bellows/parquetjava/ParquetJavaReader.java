package dev.bellows.parquetjava;

import dev.bellows.parquet.ColumnValues;
import java.io.IOException;
import java.nio.file.Path;

/** Opens Parquet files through parquet-java; loaded as a service. */
public final class ParquetJavaReader implements ColumnValues.Reader {
  /** For the service loader. */
  public ParquetJavaReader() {}

  @Override
  public ColumnValues open(Path file) throws IOException {
    return ParquetJavaValues.open(file);
  }
}
