package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every function on the Spark of this class path: run on each version that is supported. */
class EveryFunctionTest {
  private final SparkSession spark = LocalSpark.session();

  @AfterEach
  void generateCode() {
    spark.conf().set("spark.sql.codegen.wholeStage", true);
    spark.conf().set("spark.sql.codegen.factoryMode", "FALLBACK");
  }

  private Row one(String sql) {
    return spark.sql(sql).head();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TINYINT       | cast(id % 100 AS TINYINT)
          INT           | cast(id AS INT)
          BIGINT        | id
          DOUBLE        | id / 3D
          DECIMAL       | cast(id AS DECIMAL(20, 3)) / 7
          STRING        | concat('key ', id)
          BINARY        | cast(concat('b', id) AS BINARY)
          DATE          | date_add(DATE'2024-01-01', cast(id AS INT))
          TIMESTAMP     | timestampadd(MINUTE, id, TIMESTAMP'2024-01-01 00:00:00')
          TIMESTAMP_NTZ | timestampadd(MINUTE, id, TIMESTAMP_NTZ'2024-01-01 00:00:00')
          STRUCT        | struct(id, concat('t', id) AS t)
          """)
  void keysOfEveryTypePass(String type, String key) {
    for (String mode : List.of("FALLBACK", "NO_CODEGEN")) {
      spark.conf().set("spark.sql.codegen.wholeStage", mode.equals("FALLBACK"));
      spark.conf().set("spark.sql.codegen.factoryMode", mode);
      Row row =
          one(
              ("WITH f AS (SELECT bellows_agg(%1$s, 0.001) AS filter FROM range(0, "
                      + "1000, 1, 3)) SELECT count_if(bellows_might_contain((SELECT filter "
                      + "FROM f), %1$s)) FROM range(0, 1000, 1, 2)")
                  .formatted(key));
      assertThat(row.getLong(0)).as("%s, %s", type, mode).isEqualTo(1000);
    }
  }

  @Test
  void groupsMergeFoldAndDescribeThemselves() throws Exception {
    Row row =
        one(
            "SELECT bellows_fold(bellows_union_agg(f), 0.05), bellows_info(bellows_union_agg(f))"
                + " FROM (SELECT id % 7 AS part, bellows_agg(id, 0.01, 6000) AS f"
                + " FROM range(0, 5000, 1, 4) GROUP BY 1)");
    BloomFilter filter = BloomFilter.fromBytes(row.<byte[]>getAs(0));
    for (long i = 0; i < 5000; i++) {
      assertThat(filter.mightContain(i)).isTrue();
    }
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(0.05);
    Row info = row.getStruct(1);
    assertThat(info.<String>getAs("kind")).isEqualTo("bloom");
    assertThat(info.<Double>getAs("expected_fpp")).isLessThanOrEqualTo(0.01);
    assertThat(info.<String>getAs("warning")).isNull();
  }

  @Test
  void aColumnOfFiltersIsQueriedRowByRow() {
    Row row =
        one(
            "SELECT count_if(id % 3 = part AND bellows_might_contain(f, id)), count_if(id % 3 <>"
                + " part AND bellows_might_contain(f, id)) FROM (SELECT id % 3 AS part,"
                + " bellows_agg(id, 1e-9) AS f FROM range(3000) GROUP BY 1) CROSS JOIN"
                + " range(3000)");
    assertThat(row.getLong(0)).isEqualTo(3000);
    assertThat(row.getLong(1)).isZero();
  }

  @Test
  void viewsOverTheFunctionsOutlastTheSession() {
    String view = "seen_" + Long.toHexString(System.nanoTime());
    spark.sql(
        "CREATE VIEW %s AS SELECT bellows_agg(id, 0.01) AS f FROM range(100)".formatted(view));
    try {
      Row row = spark.newSession().sql("SELECT bellows_might_contain(f, 42) FROM " + view).head();
      assertThat(row.getBoolean(0)).isTrue();
    } finally {
      spark.sql("DROP VIEW " + view);
    }
  }

  @Test
  void frozenFiltersAreBuiltInTheSamePass() {
    spark.sql(
        "CREATE OR REPLACE TEMPORARY VIEW ice AS SELECT bellows_frozen_agg(id % 50000, 0.01) AS f,"
            + " bellows_agg(id % 50000, 0.01) AS g FROM range(0, 100000, 1, 7)");
    Row sizes =
        one(
            "SELECT bellows_info(f).kind, length(f) / length(g), length(bellows_fold(f, 0.1)) /"
                + " length(f) FROM ice");
    assertThat(sizes.getString(0)).isEqualTo("frozen");
    assertThat(sizes.getDouble(1)).isLessThan(0.72);
    assertThat(sizes.getDouble(2)).isLessThan(0.6);
    Row found =
        one(
            "SELECT count_if(id < 50000 AND bellows_might_contain((SELECT f FROM ice), id)),"
                + " count_if(id < 50000 AND bellows_might_contain((SELECT bellows_fold(f, 0.1) FROM"
                + " ice), id)), count_if(id >= 50000 AND bellows_might_contain((SELECT f FROM ice),"
                + " id)) FROM range(250000)");
    assertThat(found.getLong(0)).isEqualTo(50_000);
    assertThat(found.getLong(1)).isEqualTo(50_000);
    assertThat(found.getLong(2)).isBetween(1L, 2_600L); // 200,000 at 1 %, and 13 deviations
    assertThatThrownBy(() -> spark.sql("SELECT bellows_union_agg(f) FROM ice").head())
        .hasMessageContaining("frozen");
  }

  @Test
  void registeringTwiceChangesNothing() {
    SparkSession other = spark.newSession();
    BellowsFunctions.register(other);
    BellowsFunctions.register(other);
    assertThat(
            other
                .sql("SELECT bellows_info(bellows_agg(id, 0.01)).kind FROM range(3)")
                .head()
                .getString(0))
        .isEqualTo("bloom");
    assertThat(other.sql("DESCRIBE FUNCTION bellows_agg").collectAsList().toString())
        .contains("bellows_agg(key, fpp [, keys])");
  }

  @Test
  void wrongArgumentsAreNamedBeforeAnythingRuns() {
    assertThatThrownBy(() -> spark.sql("SELECT bellows_agg(id, 1.5) FROM range(3)"))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("fpp must be in (0, 1): 1.5");
  }
}
