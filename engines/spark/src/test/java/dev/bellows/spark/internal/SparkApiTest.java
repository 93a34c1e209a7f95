package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SparkApiTest {
  @ParameterizedTest
  @CsvSource({"3.5.0", "3.5.8", "4.1.3", "4.2.0"})
  void supportedVersionsAreFine(String spark) {
    assertThat(SparkApi.problemWith(spark, "2.13.17")).isNull();
  }

  @ParameterizedTest
  @CsvSource({"3.4.4", "2.4.8", "4.0.1", "4.3.0", "5.0.0"})
  void otherVersionsGetOneSentence(String spark) {
    assertThat(SparkApi.problemWith(spark, "2.13.17"))
        .isEqualTo(
            "Bellows runs on Spark 3.5 (Scala 2.12 and 2.13), 4.1 and 4.2, not on Spark " + spark);
  }

  @Test
  void theOtherScalaVersionIsToldWhichArtifactToUse() {
    assertThat(SparkApi.problemWith("3.5.7", "2.12.18"))
        .isEqualTo(
            "this is bellows-spark_2.13, and Spark 3.5.7 here runs on Scala 2.12.18: use"
                + " bellows-spark_2.12");
  }
}
