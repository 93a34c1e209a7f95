package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.spark.internal.SharedFilter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BloomJoinTest {
  private final SparkSession spark = LocalSpark.session();

  /** Small tables are filtered too, or these tests would say nothing about filters. */
  @BeforeEach
  void alwaysFilter() {
    spark.conf().set("spark.bellows.join.minRowsPerKey", 0);
  }

  private static List<String> sorted(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void theJoinIsTheSameAndTheLargeSideSmall() {
    Dataset<Row> small = spark.sql("SELECT cast(id * 50 AS INT) AS k, id AS s FROM range(0, 2000)");
    Dataset<Row> large =
        spark.sql("SELECT id AS k, concat('r', id) AS l FROM range(0, 200000, 1, 6)");
    int readsBefore = SharedFilter.reads();
    Dataset<Row> likely = BloomJoin.prefilter(large, small, "k");
    assertThat(likely.count()).isBetween(2000L, 2000L + 2 * 20L);
    assertThat(SharedFilter.reads() - readsBefore).as("once for six tasks").isEqualTo(1);
    assertThat(sorted(likely.join(small, "k"))).isEqualTo(sorted(large.join(small, "k")));
    assertThat(BloomJoin.prefilter(large, small, 1e-5, "k").count())
        .isLessThanOrEqualTo(likely.count());
  }

  @Test
  void severalKeysAreOneKey() {
    Dataset<Row> small = spark.sql("SELECT id AS a, concat('b', id) AS b FROM range(0, 500)");
    Dataset<Row> large =
        spark.sql(
            "SELECT if(id = 7, NULL, id) AS a, concat('b', id + id % 2) AS b"
                + " FROM range(0, 500, 1, 2)");
    Dataset<Row> likely = BloomJoin.prefilter(large, small, 1e-4, "a", "b");
    assertThat(likely.count()).as("but for even ids no pair matches").isBetween(250L, 252L);
    List<String> keys = List.of("a", "b");
    assertThat(sorted(likely.join(small, keys.toArray(String[]::new))))
        .isEqualTo(sorted(large.join(small, keys.toArray(String[]::new))));
  }

  @Test
  void aFilterThatCannotPayIsNotBuilt() {
    spark.conf().unset("spark.bellows.join.minRowsPerKey");
    Dataset<Row> large = spark.range(0, 10_000).toDF("k");
    Dataset<Row> half = spark.range(0, 10_000, 2).toDF("k");
    try (Logged log = Logged.by("dev.bellows.spark.internal.JoinFilter")) {
      assertThat(BloomJoin.prefilter(large, half, "k")).as("2 rows for a key").isSameAs(large);
      assertThat(log.messages())
          .singleElement()
          .asString()
          .startsWith("INFO no filter before the join: about 10000 rows and ")
          .endsWith("fewer than 6.0 rows for a key (spark.bellows.join.minRowsPerKey)");
    }
    assertThat(BloomJoin.join(large, half, "inner", "k").count()).isEqualTo(5000);
    Dataset<Row> few = spark.range(0, 10_000).selectExpr("id % 100 AS k");
    assertThat(BloomJoin.prefilter(large, few, "k").count())
        .as("as many rows, but 100 rows for a key")
        .isBetween(100L, 110L);
    spark.conf().set("spark.bellows.join.minRowsPerKey", "some");
    assertThatThrownBy(() -> BloomJoin.prefilter(large, half, "k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a number of rows such as 6.0, not some");
  }

  @Test
  void anEmptySideLeavesNothing() {
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(100)");
    assertThat(BloomJoin.prefilter(large, large.limit(0), "k").count()).isZero();
  }

  @Test
  void keysAreComparedAsTheJoinComparesThem() {
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(10)");
    Dataset<Row> small = spark.sql("SELECT cast(id + 5 AS STRING) AS k FROM range(10)");
    assertThat(sorted(BloomJoin.prefilter(large, small, "k").join(small, "k")))
        .isEqualTo(sorted(large.join(small, "k")))
        .hasSize(5);
    assertThatThrownBy(() -> BloomJoin.prefilter(large, small))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least one key");
  }

  @Test
  void structsAreRefusedWithTheWayOut() {
    Dataset<Row> rows =
        spark.sql("SELECT struct(id AS a, if(id = 3, NULL, id) AS b) AS k FROM range(10)");
    assertThatThrownBy(() -> BloomJoin.prefilter(rows, rows, "k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("key k is a struct")
        .hasMessageContaining("name its fields");
  }

  /** Every type of join has the rows that Spark's own join has. */
  @Test
  void everyTypeOfJoinIsRight() {
    Dataset<Row> large = spark.sql("SELECT if(id = 9, NULL, id) AS k, id AS l FROM range(100)");
    Dataset<Row> small = spark.sql("SELECT if(id = 3, NULL, id * 7) AS k, id AS s FROM range(30)");
    for (String type :
        List.of(
            "inner",
            "left",
            "left_outer",
            "right",
            "rightouter",
            "full",
            "full_outer",
            "semi",
            "left_semi",
            "anti",
            "left_anti")) {
      assertThat(sorted(BloomJoin.join(large, small, type, "k")))
          .as(type)
          .isEqualTo(sorted(large.join(small, new String[] {"k"}, type)));
    }
  }

  private static final Map<String, String> TYPES = types();

  private static Map<String, String> types() {
    Map<String, String> types = new LinkedHashMap<>();
    for (String type :
        List.of(
            "TINYINT",
            "SMALLINT",
            "INT",
            "BIGINT",
            "FLOAT",
            "DOUBLE",
            "DECIMAL(10,2)",
            "DECIMAL(20,0)",
            "STRING")) {
      types.put(type, "cast(%s AS " + type + ")");
    }
    types.put("BINARY", "cast(cast(%s AS STRING) AS BINARY)");
    types.put("DATE", "date_add(DATE'2024-03-09', cast(%s AS INT))");
    types.put("TIMESTAMP", "cast(date_add(DATE'2024-03-09', cast(%s AS INT)) AS TIMESTAMP)");
    types.put("NTZ", "cast(date_add(DATE'2024-03-09', cast(%s AS INT)) AS TIMESTAMP_NTZ)");
    return types;
  }

  /**
   * Every pair of types that Spark joins, in a time zone with a change of clocks, nulls included.
   */
  @Test
  void everyPairOfTypesKeepsItsRows() {
    spark.conf().set("spark.sql.session.timeZone", "America/New_York");
    spark.conf().set("spark.sql.shuffle.partitions", 1);
    spark.conf().set("spark.sql.codegen.wholeStage", false); // some hundred queries of a few rows
    spark.conf().set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    spark.conf().set("spark.sql.autoBroadcastJoinThreshold", -1);
    try {
      int joined = 0;
      for (String left : TYPES.keySet()) {
        for (String right : TYPES.keySet()) {
          joined += assertSameRows(left, right) ? 1 : 0;
        }
      }
      assertThat(joined).isGreaterThan(90);
    } finally {
      spark.conf().set("spark.sql.session.timeZone", "UTC");
      spark.conf().set("spark.sql.shuffle.partitions", 2);
      spark.conf().set("spark.sql.codegen.wholeStage", true);
      spark.conf().set("spark.sql.codegen.factoryMode", "FALLBACK");
      spark.conf().unset("spark.sql.autoBroadcastJoinThreshold");
    }
  }

  private boolean assertSameRows(String left, String right) {
    Dataset<Row> large = keys(TYPES.get(left), 30);
    Dataset<Row> small = keys(TYPES.get(right), 12);
    long rows;
    try {
      rows = large.join(small, "k").count();
    } catch (Exception refused) {
      assertThatThrownBy(() -> BloomJoin.prefilter(large, small, "k").join(small, "k").count())
          .as("%s and %s", left, right)
          .isInstanceOf(Exception.class);
      return false;
    }
    assertThat(BloomJoin.prefilter(large, small, 1e-4, "k").join(small, "k").count())
        .as("%s and %s", left, right)
        .isEqualTo(rows);
    return true;
  }

  private Dataset<Row> keys(String form, int count) {
    return spark.sql(
        "SELECT if(id = 5, NULL, %s) AS k FROM range(0, %d, 1, 1)"
            .formatted(form.formatted("id"), count));
  }
}
