package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random queries, over tables from several sources, have the same rows with filters as without. */
class SameRowsTest {
  private static final String ENABLED = "spark.bellows.join.enabled";

  private static final Map<String, List<String>> SETTINGS =
      new TreeMap<>(
          Map.of(
              "spark.sql.ansi.enabled", List.of("true", "false"),
              "spark.sql.adaptive.enabled", List.of("false", "false", "true"),
              "spark.sql.cbo.enabled", List.of("false", "true"),
              "spark.sql.cbo.joinReorder.enabled", List.of("false", "true"),
              "spark.sql.autoBroadcastJoinThreshold", List.of("-1", "-1", "2000"),
              "spark.bellows.join.maxPassed", List.of("0.9", "1")));

  @TempDir Path folder;

  private final SparkSession spark = LocalSpark.session().newSession();
  private final List<String> tables = new ArrayList<>();
  private final List<String> different = new ArrayList<>();
  private int filtered;
  private int answered;

  @BeforeEach
  void createTables() {
    SparkSession.setActiveSession(spark);
    set("spark.sql.shuffle.partitions", "1");
    set("spark.sql.codegen.wholeStage", "false");
    set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    set("spark.bellows.join.minRowsPerKey", "1");
    spark
        .udf()
        .register(
            "plus_one",
            (UDF1<Integer, Integer>) k -> k == null ? null : k + 1,
            DataTypes.IntegerType);
    spark
        .udf()
        .register(
            "same",
            functions
                .udf((UDF1<Integer, Integer>) k -> k, DataTypes.IntegerType)
                .asNondeterministic());
    add("large", 2000, 700);
    add("middle", 160, 220);
    add("small", 50, 300);
    view(
        "joined_view",
        "SELECT a.k, b.s, a.v, b.d FROM large_parquet a JOIN small_csv b ON a.k = b.k");
    view("limited_view", "SELECT * FROM middle_range ORDER BY k, s, v, d LIMIT 40");
    view("filtered_view", "SELECT * FROM large_csv WHERE k IN (SELECT k FROM small_parquet)");
  }

  @AfterEach
  void leaveSession() {
    spark.catalog().clearCache();
    SparkSession.clearActiveSession();
  }

  private void set(String name, String value) {
    spark.conf().set(name, value);
  }

  private void view(String name, String query) {
    spark.sql(query).createOrReplaceTempView(name);
  }

  private void add(String name, int rows, int keys) {
    String query =
        """
        SELECT CAST(if(id %% 41 = 7, NULL, id * 7919 %% %1$d) AS INT) k,
          if(id %% 37 = 5, 'n/a', CAST(id * 31 %% %1$d AS STRING)) s, id v,
          CAST(if(id %% 29 = 3, 'NaN', CAST(id %% 90 AS STRING)) AS DOUBLE) d
        FROM range(0, %2$d, 1, 2)\
        """
            .formatted(keys, rows);
    view(name + "_range", query);
    Dataset<Row> content = spark.sql(query).coalesce(1);
    String csv = folder.resolve(name + ".csv").toString();
    String parquet = folder.resolve(name + ".parquet").toString();
    content.write().option("header", true).csv(csv);
    content.write().parquet(parquet);
    spark
        .read()
        .option("header", true)
        .schema(content.schema())
        .csv(csv)
        .createOrReplaceTempView(name + "_csv");
    spark.read().parquet(parquet).createOrReplaceTempView(name + "_parquet");
    set("spark.sql.sources.useV1SourceList", "");
    spark.read().parquet(parquet).createOrReplaceTempView(name + "_version2");
    spark.conf().unset("spark.sql.sources.useV1SourceList");
    view(name + "_cached", query);
    spark.catalog().cacheTable(name + "_cached");
    for (String source : List.of("range", "csv", "parquet", "version2", "cached")) {
      tables.add(name + "_" + source);
    }
  }

  private void addIceberg() {
    set("spark.sql.catalog.l", "org.apache.iceberg.spark.SparkCatalog");
    set("spark.sql.catalog.l.type", "hadoop");
    set("spark.sql.catalog.l.warehouse", folder.resolve("iceberg").toString());
    for (String name : List.of("large", "middle", "small")) {
      String table = "l.db." + name;
      spark.sql("CREATE TABLE %s USING iceberg AS SELECT * FROM %s_range".formatted(table, name));
      tables.add(table);
    }
  }

  /** The rows of the last command, or null if one of them failed. */
  private String run(List<String> commands, boolean rule) {
    set(ENABLED, Boolean.toString(rule));
    try {
      Dataset<Row> last = null;
      for (String command : commands) {
        last = spark.sql(command);
        if (rule && last.queryExecution().optimizedPlan().toString().contains("bellows_may_")) {
          filtered++;
        }
      }
      return last.collectAsList().stream().map(Row::toString).sorted().toList().toString();
    } catch (Exception e) {
      failure = e;
      return null;
    }
  }

  private Exception failure;

  private void compare(List<String> commands) {
    // a filter may drop a row that would have failed, but never fails where the query does not
    String plain = run(commands, false);
    if (plain != null) {
      answered++;
      failure = null;
      String ours = run(commands, true);
      if (!plain.equals(ours)) {
        different.add(
            "%s%n  settings %s%n  plain %s%n  ours %s %s"
                .formatted(commands, settings(), plain, ours, failure));
      }
    }
  }

  private String settings() {
    StringBuilder all = new StringBuilder();
    SETTINGS
        .keySet()
        .forEach(name -> all.append(name).append('=').append(spark.conf().get(name)).append(' '));
    return all.toString();
  }

  private void compareAll(int from, int to, int depth, int changes) {
    for (int seed = from; seed < to; seed++) {
      SplittableRandom choices = new SplittableRandom(seed);
      SETTINGS.forEach((name, values) -> set(name, values.get(choices.nextInt(values.size()))));
      RandomQueries queries = new RandomQueries(seed, depth, tables);
      compare(
          changes > 0 && seed % changes == 0
              ? queries.change("l.db.target")
              : List.of(queries.query()));
    }
    System.out.printf(
        "%d queries: %d with a result, %d with filters, %d different%n",
        to - from, answered, filtered, different.size());
    assertThat(different).isEmpty();
    assertThat(answered).as("queries with a result").isGreaterThan((to - from) * 6 / 10);
    assertThat(filtered).as("queries with filters").isGreaterThan((to - from) / 4);
  }

  @Test
  void threeHundredQueries() {
    compareAll(0, 300, 2, 0);
  }

  /** Also of Iceberg, whose jar is there under {@code -Pengines} only. */
  @Test
  @Tag("engines")
  void tenThousandQueries() {
    addIceberg();
    int from = Integer.getInteger("bellows.from", 0);
    compareAll(from, from + Integer.getInteger("bellows.queries", 10_000), 3, 40);
  }
}
