package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import org.junit.jupiter.api.Test;

/** Readers of values are a service that may be missing. */
class ColumnValuesTest {
  @Test
  void withoutParquetJavaThereIsNoReader() {
    assertThat(ColumnValues.class.getModule().getName()).isEqualTo("dev.bellows.parquet");
    assertThatIllegalStateException().isThrownBy(ColumnValues.Reader::find);
  }
}
