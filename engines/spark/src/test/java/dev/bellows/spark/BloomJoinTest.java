package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.spark.internal.SharedFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filtered joins have the rows of plain ones. What is tagged {@code types} or {@code spark-version}
 * depends on the version of Spark and not on that of Scala, and runs once for each.
 */
class BloomJoinTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  /** Settings that speed up hundreds of queries of a few rows, and filter small tables too. */
  @BeforeEach
  void set() {
    SparkSession.setActiveSession(spark);
    set("spark.bellows.join.minRowsPerKey", 0);
    set("spark.sql.codegen.wholeStage", false);
    set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    set("spark.sql.autoBroadcastJoinThreshold", -1);
    set("spark.sql.shuffle.partitions", 1);
  }

  @AfterEach
  void leaveSession() {
    SparkSession.clearActiveSession();
  }

  /** In the session of this test alone. */
  private void set(String name, Object value) {
    spark.conf().set(name, value.toString());
  }

  private static List<String> sorted(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void theJoinIsTheSameAndTheLargeSideSmall() {
    set("spark.sql.codegen.wholeStage", true);
    set("spark.sql.codegen.factoryMode", "FALLBACK");
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
  void aFilterThatCannotPayOffIsNotBuilt() {
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
    set("spark.bellows.join.minRowsPerKey", "some");
    assertThatThrownBy(() -> BloomJoin.prefilter(large, half, "k"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is a number of rows such as 6.0, not some");
  }

  /** Nineteen of twenty rows match: after 8,192 of them the filter lets 31 times as many pass. */
  @ParameterizedTest
  @Tag("spark-version")
  @CsvSource({"NO_CODEGEN, false", "FALLBACK, true"})
  void aFilterThatDropsTooFewRowsIsSkippedForAWhile(String mode, boolean wholeStage) {
    set("spark.sql.codegen.factoryMode", mode);
    set("spark.sql.codegen.wholeStage", wholeStage);
    Dataset<Row> large = spark.range(0, 262_144, 1, 1).toDF("k");
    Dataset<Row> most =
        spark.range(0, 249_036, 1, 1).selectExpr("id div 19 * 20 + id % 19 + 1 AS k");
    assertThat(passed(BloomJoin.join(large, most, "inner", "k"), 249_036))
        .as("without the 410 of the first 8192 that have no match")
        .isBetween(262_144L - 410, 262_144L - 408);
    assertThat(BloomJoin.prefilter(large, most, "k").count())
        .as("where no join needs to follow, all are asked about")
        .isBetween(249_036L, 249_036L + 15);
    set("spark.bellows.join.maxPassed", 1);
    assertThat(passed(BloomJoin.join(large, most, "inner", "k"), 249_036))
        .isBetween(249_036L, 249_036L + 15);
  }

  /** The rows of the large side that a join of so many rows is given. */
  private static long passed(Dataset<Row> joined, long rows) {
    SparkPlan plan = joined.groupBy().count().queryExecution().executedPlan();
    assertThat(plan.executeCollect()[0].getLong(0)).isEqualTo(rows);
    return plan.find(
            node ->
                node instanceof FilterExec filter
                    && filter.condition().toString().contains("bellows_may_match"))
        .get()
        .longMetric("numOutputRows")
        .value();
  }

  @Test
  void anEmptySideLeavesNothing() {
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(100)");
    assertThat(BloomJoin.prefilter(large, large.where("k < 0"), "k").count()).isZero();
  }

  @Test
  void keysAreComparedAsTheJoinComparesThem() {
    Dataset<Row> large = spark.sql("SELECT id AS k FROM range(10)");
    Dataset<Row> small = spark.sql("SELECT cast(id + 5 AS STRING) AS k FROM range(10)");
    assertThat(sorted(BloomJoin.prefilter(large, small, "k").join(small, "k")))
        .isEqualTo(sorted(large.join(small, "k")))
        .hasSize(5);
    assertThatThrownBy(() -> BloomJoin.prefilter(large, small))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(BloomJoin.join(large, small, "inner").count()).isEqualTo(100);
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

  /** Every type of join returns the same rows as Spark's own join. */
  @Test
  void everyTypeOfJoinIsRight() {
    Dataset<Row> large = spark.sql("SELECT if(id = 9, NULL, id) AS k, id AS l FROM range(100)");
    Dataset<Row> small = spark.sql("SELECT if(id = 3, NULL, id * 7) AS k, id AS s FROM range(30)");
    List<String> types =
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
            "left_anti");
    for (String type : types) {
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

  /** Counts the rows of plain joins and of ours, in one query for many pairs of sides. */
  private static final class Pairs {
    private final List<Dataset<Row>> counts = new ArrayList<>();

    /** Refused by Spark's analysis, or added; both joins alike. */
    void add(String pair, String type, Dataset<Row> large, Dataset<Row> small, String... keys) {
      Dataset<Row> plain;
      try {
        plain = large.join(small, keys, type);
      } catch (Exception refused) {
        assertThatThrownBy(() -> BloomJoin.join(large, small, type, keys))
            .as(pair)
            .isInstanceOf(refused.getClass());
        return;
      }
      counts.add(plain.selectExpr("'%s, %s'".formatted(pair, type), "1 AS plain", "0 AS ours"));
      counts.add(
          BloomJoin.join(large, small, type, keys)
              .selectExpr("'%s, %s'".formatted(pair, type), "0 AS plain", "1 AS ours"));
    }

    /** The number of joins that have rows. */
    int assertSame() {
      List<Row> sums =
          union(counts)
              .toDF("pair", "plain", "ours")
              .coalesce(1)
              .groupBy("pair")
              .sum("plain", "ours")
              .collectAsList();
      assertThat(sums).allSatisfy(row -> assertThat(row.get(1)).isEqualTo(row.get(2)));
      return sums.size();
    }

    /** Joins each large side with each small one; the number of joins that have rows. */
    static int ofAll(Map<String, Dataset<Row>> larges, Map<String, Dataset<Row>> smalls) {
      int joined = 0;
      for (String left : larges.keySet()) {
        Pairs pairs = new Pairs();
        smalls.forEach(
            (right, small) ->
                pairs.add(left + " and " + right, "inner", larges.get(left), small, "k"));
        joined += pairs.assertSame();
      }
      return joined;
    }

    /** Halves first: Spark analyzes every union that is part of another one again. */
    private static Dataset<Row> union(List<Dataset<Row>> parts) {
      int half = parts.size() / 2;
      return half == 0
          ? parts.get(0)
          : union(parts.subList(0, half)).union(union(parts.subList(half, parts.size())));
    }
  }

  /**
   * Every pair of types that Spark joins, in a time zone with a change of clocks, nulls included.
   * Casts that fail give null, so that one query holds them all.
   */
  @Test
  @Tag("types")
  void everyPairOfTypesKeepsItsRows() {
    set("spark.sql.session.timeZone", "America/New_York");
    set("spark.sql.ansi.enabled", false);
    Map<String, Dataset<Row>> larges = new LinkedHashMap<>();
    Map<String, Dataset<Row>> smalls = new LinkedHashMap<>();
    TYPES.forEach(
        (type, key) -> {
          larges.put(type, keys(key, 30));
          smalls.put(type, keys(key, 12));
        });
    assertThat(Pairs.ofAll(larges, smalls)).isGreaterThan(90);
  }

  private Dataset<Row> keys(String key, int count) {
    return spark.sql(
        "SELECT if(id = 5, NULL, %s) AS k FROM range(0, %d, 1, 1)"
            .formatted(key.formatted("id"), count));
  }

  /** Where a failed cast is an error, Spark casts to other types. */
  @Test
  @Tag("types")
  void castsThatMayFailKeepTheirRows() {
    set("spark.sql.ansi.enabled", true);
    Map<String, Dataset<Row>> larges = new LinkedHashMap<>();
    Map<String, Dataset<Row>> smalls = new LinkedHashMap<>();
    for (String type : List.of("INT", "FLOAT", "DECIMAL(10,2)", "DECIMAL(38,10)", "STRING")) {
      larges.put(type, keys("cast(%s AS " + type + ")", 30));
      smalls.put(type, keys("cast(%s AS " + type + ")", 12));
    }
    larges.put("VOID", keys("NULL", 30));
    smalls.put("VOID", keys("NULL", 12));
    assertThat(Pairs.ofAll(larges, smalls)).isEqualTo(25);
  }

  /** A plain join casts only what passed the predicates that the optimizer moves below it. */
  @Test
  @Tag("spark-version")
  void castsDoNotComeBeforePredicates() {
    set("spark.sql.ansi.enabled", true);
    Dataset<Row> texts =
        spark.sql(
            "SELECT if(id % 10 = 0, 'n/a', cast(id AS STRING)) AS k, id AS t FROM range(100)");
    Dataset<Row> ints = spark.sql("SELECT cast(id AS INT) AS k, id % 2 AS two FROM range(100)");
    for (String predicate : List.of("t % 10 > 0", "t % 10 > 0 AND two < 5")) {
      assertThat(texts.join(ints, "k").where(predicate).count()).isEqualTo(90);
      assertThat(BloomJoin.join(texts, ints, "inner", "k").where(predicate).count()).isEqualTo(90);
      assertThat(BloomJoin.join(ints, texts, "inner", "k").where(predicate).count()).isEqualTo(90);
      assertThat(BloomJoin.prefilter(texts, ints, "k").join(ints, "k").where(predicate).count())
          .isEqualTo(90);
    }
    String[] keys = {"k", "two"};
    Dataset<Row> wide = texts.selectExpr("k", "t", "cast(t % 2 AS STRING) AS two");
    assertThat(BloomJoin.join(wide, ints, "inner", keys).where("t % 10 > 0").count()).isEqualTo(90);
    assertThatThrownBy(() -> texts.join(ints, "k").count())
        .hasStackTraceContaining("CAST_INVALID_INPUT");
    assertThatThrownBy(() -> BloomJoin.join(texts, ints, "inner", "k").count())
        .as("an error of the join stays one")
        .hasStackTraceContaining("CAST_INVALID_INPUT");
  }

  @Test
  @Tag("spark-version")
  void zerosAndNansAreEqualAsInTheJoin() {
    String values = " FROM VALUES (0.0D), (-0.0D), (double('NaN')), (1.5D), (NULL) AS t(k)";
    Pairs pairs = new Pairs();
    for (String left : List.of("FLOAT", "DOUBLE")) {
      for (String right : List.of("FLOAT", "DOUBLE")) {
        String key = "SELECT %s(%sk) AS k, 1 AS one";
        pairs.add(
            left + " and " + right,
            "inner",
            spark.sql(key.formatted(left, "") + values),
            spark.sql(key.formatted(right, "-") + values + " WHERE k < 1 OR isnan(k)"),
            "k");
        pairs.add(
            left + " and " + right + " with another key",
            "semi",
            spark.sql(key.formatted(left, "") + values),
            spark.sql(key.formatted(right, "-") + values + " WHERE k < 1 OR isnan(k)"),
            "k",
            "one");
      }
    }
    assertThat(pairs.assertSame()).isEqualTo(8);
  }

  /** Spark pads the shorter of two CHAR columns before it compares them. */
  @Test
  @Tag("spark-version")
  void charsOfDifferentLengthsMatch(@TempDir Path folder) {
    spark.sql(
        "CREATE TABLE chars (c5 CHAR(5), c10 CHAR(10), v10 VARCHAR(10), s STRING, n BIGINT)"
            + " USING json LOCATION '%s'".formatted(folder.toUri()));
    try {
      spark
          .range(0, 9, 1, 1)
          .selectExpr("if(id = 5, NULL, concat('k', id)) AS k", "id")
          .selectExpr("k", "k", "k", "k", "id")
          .write()
          .insertInto("chars");
      assertThat(joinChars("c5", "c10", "v10", "s")).isEqualTo(8 + 3 * 2);
      set("spark.sql.readSideCharPadding", false);
      assertThat(joinChars("c5", "c10")).isEqualTo(4 + 3 * 2);
    } finally {
      spark.sql("DROP TABLE chars");
    }
  }

  /** The number of joins with rows: CHAR matches CHAR, and the other columns match each other. */
  private int joinChars(String... columns) {
    Pairs pairs = new Pairs();
    Dataset<Row> chars = spark.table("chars");
    for (String left : columns) {
      for (String right : columns) {
        String pair = left + " and " + right;
        Dataset<Row> large = chars.selectExpr(left + " AS k", "n");
        Dataset<Row> small = chars.where("n < 7").selectExpr(right + " AS k", "n");
        pairs.add(pair, "inner", large, small, "k");
        if (left.startsWith("c") && right.startsWith("c") && !left.equals(right)) {
          pairs.add(pair, "right", large, small, "k");
          pairs.add(pair, "semi", large, small, "k");
          pairs.add(pair + " with another key", "inner", large, small, "n", "k");
        }
      }
    }
    return pairs.assertSame();
  }

  @Test
  void namesAreThoseOfColumns() {
    Dataset<Row> large =
        spark.range(0, 100, 1, 2).selectExpr("id AS `a.b`", "id AS `c d`", "id AS `É`");
    Dataset<Row> small =
        spark.range(0, 9, 1, 1).selectExpr("id AS `É`", "int(id) AS `a.b`", "id AS `C D`");
    assertThat(BloomJoin.prefilter(large, small, "a.b").count()).isEqualTo(9);
    assertThat(BloomJoin.prefilter(large, small, "a.b", "É").count()).isEqualTo(9);
    assertThat(sorted(BloomJoin.join(large, small, "inner", "a.b", "c D", "É")))
        .isEqualTo(sorted(large.join(small, new String[] {"a.b", "c D", "É"}, "inner")))
        .hasSize(9);
    assertThatThrownBy(() -> BloomJoin.join(large, small, "inner", "nothing"))
        .isInstanceOf(AnalysisException.class);
  }

  @Test
  void aSideIsJoinedWithItself() {
    Dataset<Row> large = spark.range(0, 1000, 1, 2).selectExpr("id AS k", "id % 7 AS n");
    Dataset<Row> small = large.where("k % 50 = 0").hint("broadcast");
    assertThat(BloomJoin.prefilter(large, small, "k").count()).isBetween(20L, 22L);
    assertThat(sorted(BloomJoin.join(large, small, "inner", "k")))
        .isEqualTo(sorted(large.join(small, "k")))
        .hasSize(20);
  }

  /** The filter is built when the query runs, not when it is defined. */
  @Test
  void aChangingSmallSideIsReadWhenTheQueryRuns(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("keys.json");
    Files.writeString(file, "{\"k\":1}\n{\"k\":2}\n{\"k\":3}\n");
    Dataset<Row> large = spark.range(0, 1000, 1, 2).toDF("k");
    Dataset<Row> small = spark.read().schema("k BIGINT").json(file.toString());
    Dataset<Row> likely = BloomJoin.prefilter(large, small, "k");
    Dataset<Row> joined = BloomJoin.join(large, small, "inner", "k");
    assertThat(joined.collectAsList()).extracting(row -> row.getLong(0)).contains(1L, 2L, 3L);
    Files.writeString(file, "{\"k\":7}\n{\"k\":8}\n{\"k\":9}\n");
    assertThat(large.join(small, "k").count()).isEqualTo(3);
    assertThat(likely.join(small, "k").count()).isEqualTo(3);
    assertThat(joined.count()).isEqualTo(3);
  }

  /** The three ways in which Spark evaluates an expression, and stages that are planned late. */
  @ParameterizedTest
  @CsvSource({
    "true, FALLBACK, false",
    "true, FALLBACK, true",
    "false, FALLBACK, false",
    "false, NO_CODEGEN, false"
  })
  void everyExecutionKeepsItsRows(boolean wholeStage, String mode, boolean adaptive) {
    Dataset<Row> large = spark.range(0, 1000, 1, 2).selectExpr("id AS k", "id % 100 AS n");
    Dataset<Row> small = spark.range(0, 9, 1, 1).selectExpr("id * 10 AS k", "id + 3 AS n");
    set("spark.sql.adaptive.enabled", adaptive);
    set("spark.sql.codegen.wholeStage", wholeStage);
    set("spark.sql.codegen.factoryMode", mode);
    Dataset<Row> twice = BloomJoin.prefilter(large, small, "k");
    assertThat(twice.count()).isEqualTo(9);
    twice = BloomJoin.prefilter(twice, small.drop("k"), "n");
    assertThat(sorted(twice)).isEqualTo(List.of("[10,10]"));
  }

  @Test
  void aKeyMayPartitionTheLargeSide(@TempDir Path folder) {
    Path files = folder.resolve("large");
    spark
        .range(0, 40, 1, 1)
        .selectExpr("id", "id % 4 AS k")
        .write()
        .partitionBy("k")
        .parquet(files.toString());
    Dataset<Row> large = spark.read().parquet(files.toString());
    Dataset<Row> small = spark.range(2, 4, 1, 1).toDF("k");
    Dataset<Row> likely = BloomJoin.prefilter(large, small, "k");
    assertThat(likely.count()).isEqualTo(20);
    assertThat(BloomJoin.join(large, small, "inner", "k").count()).isEqualTo(20);
  }

  /** Joins that Spark runs and a filter cannot help are plain joins, with a line in the log. */
  @Test
  @Tag("spark-version")
  void unfilterableJoinsAreUnchanged() {
    Map<String, String> smalls = new LinkedHashMap<>();
    smalls.put("BOOLEAN", "SELECT DISTINCT id % 2 = 0 AS k FROM range(60)");
    smalls.put("days", "SELECT make_dt_interval(int(id)) AS k FROM range(60)");
    smalls.put("months", "SELECT make_ym_interval(0, int(id)) AS k FROM range(60)");
    smalls.put("ARRAY", "SELECT array(id) AS k FROM range(60)");
    smalls.put("STRUCT", "SELECT struct(id, int(NULL)) AS k FROM range(60)");
    smalls.put("limit", "SELECT id AS k FROM range(0, 60, 1, 2) LIMIT 5");
    smalls.put("inner limit", "SELECT id % 9 AS k FROM (SELECT * FROM range(60) LIMIT 5)");
    smalls.put("offset", "SELECT id AS k FROM range(0, 60, 1, 2) OFFSET 5");
    smalls.put("sample", "SELECT id AS k FROM (SELECT * FROM range(60)) TABLESAMPLE (90 PERCENT)");
    smalls.put("random keys", "SELECT bigint(rand(1) * 3) AS k FROM range(60)");
    smalls.put("random rows", "SELECT id AS k FROM range(60) WHERE rand(1) < 0.9");
    smalls.put("rank", "SELECT row_number() OVER (ORDER BY id % 3) AS k FROM range(60)");
    smalls.put("any key", "SELECT any_value(id) AS k FROM range(60) GROUP BY id % 3");
    if (spark.version().compareTo("4.0") >= 0) {
      smalls.put("collation", "SELECT DISTINCT 'a' COLLATE UTF8_LCASE AS k FROM range(60)");
      smalls.put("trimming", "SELECT DISTINCT 'a' COLLATE UTF8_BINARY_RTRIM AS k FROM range(60)");
    }
    if (spark.version().compareTo("4.1") >= 0) {
      set("spark.sql.timeType.enabled", true);
      smalls.put("TIME", "SELECT DISTINCT TIME'12:00:00' AS k FROM range(60)");
    }
    smalls.forEach((name, query) -> assertPlain(name, spark.sql(query)));
  }

  private static void assertPlain(String name, Dataset<Row> small) {
    Dataset<Row> large = small.union(small);
    assertThatThrownBy(() -> BloomJoin.prefilter(large, small, "k"), name)
        .isInstanceOf(IllegalArgumentException.class);
    try (Logged log = Logged.by("dev.bellows.spark.internal.JoinFilter")) {
      Dataset<Row> joined = BloomJoin.join(large, small, "inner", "k");
      assertThat(log.messages())
          .as(name)
          .singleElement()
          .asString()
          .startsWith("WARN no filter before the join: ");
      assertThat(joined.count()).as(name).isPositive();
    }
  }

  /** A key that cannot be hashed leaves the filter to the others. */
  @Test
  void theOtherKeysAreFiltered() {
    Dataset<Row> large = spark.range(0, 1000, 1, 2).selectExpr("id AS k", "id % 2 = 0 AS even");
    Dataset<Row> small = spark.range(0, 10, 1, 1).selectExpr("id AS k", "id % 4 = 0 AS even");
    assertThat(BloomJoin.prefilter(large, small, "k", "even").count()).isEqualTo(10);
    assertThat(sorted(BloomJoin.join(large, small, "inner", "even", "k")))
        .isEqualTo(sorted(large.join(small, new String[] {"even", "k"}, "inner")))
        .hasSize(8);
  }

  /** Only what decides about keys makes a small side vary. */
  @Test
  void columnsThatAreNotKeysDoNotMatter() {
    Dataset<Row> large = spark.range(0, 1000, 1, 2).toDF("k");
    Dataset<Row> small = spark.range(0, 40, 1, 2).selectExpr("id % 10 AS k", "rand() AS r");
    assertThat(BloomJoin.prefilter(large, small, "k").count()).isEqualTo(10);
    assertThat(BloomJoin.prefilter(large, small.dropDuplicates("k"), "k").count()).isEqualTo(10);
    Dataset<Row> groups = small.groupBy("k").agg(functions.first("r"), functions.sum("k").as("s"));
    assertThat(BloomJoin.prefilter(large, groups.where("s >= 0"), "k").count()).isEqualTo(10);
  }

  @Test
  void aStreamIsFilteredByRowsAtRest(@TempDir Path folder) throws Exception {
    Path input = Files.createDirectories(folder.resolve("input"));
    StringBuilder lines = new StringBuilder();
    for (int k = 0; k < 100; k++) {
      lines.append("{\"k\":%d}\n".formatted(k));
    }
    Files.writeString(input.resolve("keys.json"), lines);
    Dataset<Row> stream = spark.readStream().schema("k BIGINT").json(input.toString());
    Dataset<Row> small = spark.range(90, 110, 1, 1).toDF("k");
    assertThat(streamed(BloomJoin.prefilter(stream, small, "k"))).isEqualTo(10);
    assertThat(streamed(BloomJoin.join(stream, small, "inner", "k"))).isEqualTo(10);
    try (Logged log = Logged.by("dev.bellows.spark.internal.JoinFilter")) {
      assertThat(BloomJoin.join(small, stream, "inner", "k").isStreaming()).isTrue();
      assertThat(log.messages())
          .containsExactly("WARN no filter before the join: the small side is a stream");
    }
  }

  private long streamed(Dataset<Row> rows) throws Exception {
    StreamingQuery query =
        rows.writeStream()
            .format("memory")
            .queryName("streamed")
            .trigger(Trigger.AvailableNow())
            .start();
    query.awaitTermination();
    return spark.table("streamed").count();
  }
}
