package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import scala.collection.JavaConverters;

/** Filters before the joins of SQL queries, if the session enables them. */
class JoinRuleTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void set() {
    SparkSession.setActiveSession(spark);
    set("spark.bellows.join.enabled", true);
    set("spark.sql.autoBroadcastJoinThreshold", -1);
    set("spark.sql.shuffle.partitions", 1);
    view("large", "SELECT if(id = 9, NULL, id) AS k, cast(id AS STRING) AS text FROM range(3000)");
    view("small", "SELECT if(id = 3, NULL, cast(id * 7 AS INT)) AS k, id AS s FROM range(300)");
  }

  @AfterEach
  void leaveSession() {
    SparkSession.clearActiveSession();
  }

  private void set(String name, Object value) {
    spark.conf().set(name, value.toString());
  }

  private void view(String name, String query) {
    spark.sql(query).createOrReplaceTempView(name);
  }

  private static List<String> sorted(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  private String plan(String query) {
    return spark.sql("EXPLAIN EXTENDED " + query).head().getString(0);
  }

  /** Requires the same rows with and without the rule, and this many filters in the plan. */
  private void same(int filters, String query) {
    set("spark.bellows.join.enabled", true);
    String optimized = plan(query).split("== Optimized Logical Plan ==")[1].split("== Phys")[0];
    assertThat(optimized.split("bellows_may_match", -1)).as(query).hasSize(filters + 1);
    List<String> ours = sorted(spark.sql(query));
    set("spark.bellows.join.enabled", false);
    assertThat(plan(query)).doesNotContain("bellows_");
    assertThat(ours).as(query).isEqualTo(sorted(spark.sql(query))).isNotEmpty();
  }

  @Test
  void theLargeSideOfAnyJoinIsFilteredWhereItsRowsMayGo() {
    same(1, "SELECT * FROM large JOIN small ON large.k = small.k");
    same(1, "SELECT * FROM small JOIN large ON large.k = small.k");
    same(1, "SELECT * FROM small LEFT JOIN large ON small.k = large.k");
    same(1, "SELECT * FROM large RIGHT JOIN small ON small.k = large.k");
    same(1, "SELECT * FROM large LEFT SEMI JOIN small ON large.k = small.k");
    same(0, "SELECT * FROM large LEFT JOIN small ON small.k = large.k");
    same(0, "SELECT * FROM small RIGHT JOIN large ON small.k = large.k");
    same(0, "SELECT * FROM large FULL JOIN small ON small.k = large.k");
    same(0, "SELECT * FROM large LEFT ANTI JOIN small ON small.k = large.k");
    same(0, "SELECT count(*) FROM large JOIN small ON large.k < small.k");
    same(0, "SELECT * FROM large JOIN small ON large.k <=> small.k");
    same(1, "SELECT * FROM large WHERE k IN (SELECT k FROM small)"); // a semi join
    same(0, "SELECT * FROM large WHERE k NOT IN (SELECT k FROM small WHERE k IS NOT NULL)");
  }

  @Test
  void keysAreWhatSparkCompares() {
    same(1, "SELECT * FROM large JOIN small ON large.text = small.k");
    same(1, "SELECT * FROM large JOIN small ON large.k = small.k AND large.text = small.s * 7");
    same(1, "SELECT * FROM large JOIN small ON large.k + 1 = small.k AND large.k < small.s * 9");
    same(1, "SELECT * FROM large JOIN (SELECT k, max(s) m FROM small GROUP BY k) s USING (k)");
    same(
        1,
        "SELECT * FROM large JOIN (SELECT small.k, other.s FROM small JOIN"
            + " (SELECT s FROM small WHERE s < 30) other ON small.s = other.s) s ON large.k = s.k");
  }

  @Test
  void joinsThatMayNotPayOffOrVaryAreLeftAlone() {
    same(0, "SELECT * FROM small a JOIN small b ON a.k = b.k");
    same(0, "SELECT /*+ BROADCAST(small) */ * FROM large JOIN small ON large.k = small.k");
    same(0, "SELECT * FROM large JOIN (SELECT * FROM small ORDER BY s LIMIT 9) s USING (k)");
    same(
        0,
        "SELECT * FROM large JOIN (SELECT k FROM small UNION SELECT s FROM small) s ON large.k = s.k");
    same(0, "SELECT * FROM large l JOIN (SELECT true AS b FROM small) s ON (l.k > 2) = s.b");
    set("spark.sql.autoBroadcastJoinThreshold", 1_000_000);
    same(0, "SELECT * FROM large JOIN small ON large.k = small.k");
    set("spark.sql.autoBroadcastJoinThreshold", -1);
    Dataset<Row> small = spark.table("small");
    set("spark.bellows.join.enabled", true);
    Dataset<Row> filtered = BloomJoin.join(spark.table("large"), small, "inner", "k");
    LogicalPlan join =
        filtered.queryExecution().optimizedPlan().find(node -> node instanceof Join).get();
    assertThat(((Join) join).left().toString().split("bellows_may_match", -1))
        .as("one filter of the large side, not two")
        .hasSize(2);
  }

  @Test
  void filesArePrunedToTheKeysTheFilterNeeds(@TempDir Path folder) {
    for (String name : List.of("large", "small")) {
      spark.table(name).write().parquet(folder.resolve(name).toString());
      view(name, "SELECT * FROM parquet.`%s`".formatted(folder.resolve(name).toUri()));
    }
    set("spark.bellows.join.minRowsPerKey", 0);
    String query = "SELECT * FROM large JOIN small ON large.k = small.k";
    assertThat(plan(query).split("== Physical Plan ==")[1]).contains("ReadSchema: struct<k:int>");
    same(1, query);
  }

  /** Spark makes joins of them, of which a filter must not hold a half-made copy. */
  @Test
  void correlatedSubqueriesKeepTheirRows() {
    view("f2", "SELECT id % 500 AS k2, id AS v FROM range(20000)");
    view("d3", "SELECT id % 40 AS k1, id AS k2 FROM range(100)");
    view("d2", "SELECT id % 40 AS k1, id AS k2 FROM range(62)");
    String join = "SELECT count(*) FROM f2 JOIN d3 ON f2.k2 = d3.k2 WHERE ";
    String inner = "(SELECT d2.k1 FROM d2 WHERE d2.k2 = d3.k2)";
    same(1, join + "d3.k1 IN " + inner);
    same(1, join + "d3.k1 NOT IN " + inner);
    same(1, join + "EXISTS " + inner);
    same(1, join + "NOT EXISTS " + inner);
    same(1, join + "d3.k1 = (SELECT max(d2.k1) FROM d2 WHERE d2.k2 = d3.k2)");
    same(1, join + "d3.k1 > (SELECT min(d2.k1) FROM d2)");
    same(1, join + "EXISTS " + inner + " OR d3.k1 > 30");
    set("spark.sql.codegen.wholeStage", false);
    set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    same(1, join + "EXISTS " + inner);
    set("spark.bellows.join.enabled", true);
    assertThat(spark.sql(join + "d3.k1 IN " + inner).head().getLong(0)).isEqualTo(62 * 40);
  }

  @Test
  void joinsInsideSubqueriesAreFiltered() {
    String joined = "SELECT s FROM large JOIN small ON large.k = small.k";
    same(1, "SELECT * FROM small WHERE s > (" + joined.replace("s FROM", "avg(s) FROM") + ")");
    same(2, "SELECT * FROM small WHERE s IN (" + joined + ")"); // also before the semi join
    same(1, "SELECT * FROM small WHERE EXISTS (" + joined + " WHERE small.s = 7)");
    same(
        2,
        "SELECT * FROM small o WHERE EXISTS (" + joined + " WHERE small.s = o.s AND large.k < 90)");
    same(2, "SELECT * FROM small o, LATERAL (" + joined + " WHERE small.s = o.s)");
  }

  @Test
  void whatIsComputedOnceIsNotCopied() {
    String twice =
        "WITH c AS (SELECT cast(k + rand() * 0.1 AS INT) AS k FROM small)"
            + " SELECT large.k FROM large JOIN c ON large.k = c.k JOIN c d ON d.k = c.k";
    same(0, twice);
    if (spark.version().compareTo("4.1") >= 0) {
      String steps =
          "WITH RECURSIVE r(k) AS (SELECT 0L UNION ALL SELECT r.k + 7 FROM r JOIN small USING (k))"
              + " SELECT * FROM large JOIN r USING (k)";
      same(0, steps);
    }
  }

  @Test
  void tablesOfVersion2KeepTheirRows(@TempDir Path folder) {
    set("spark.sql.sources.useV1SourceList", "");
    set("spark.bellows.join.minRowsPerKey", 1.5);
    for (String name : List.of("large", "small")) {
      spark.table(name).coalesce(1).write().parquet(folder.resolve(name).toString());
      spark.read().parquet(folder.resolve(name).toString()).createOrReplaceTempView(name);
    }
    assertThat(plan("SELECT * FROM small")).contains("RelationV2");
    same(1, "SELECT * FROM large JOIN small ON large.k = small.k");
    same(1, "SELECT * FROM large JOIN small ON large.k = small.k WHERE small.s > 20");
    same(
        1,
        "SELECT * FROM large JOIN small USING (k) WHERE EXISTS (SELECT * FROM small b WHERE b.s = small.s)");
    same(0, "SELECT * FROM large JOIN (SELECT * FROM small LIMIT 299) s ON large.k = s.k");
  }

  /** By the sizes of the files, the wide table has as many rows as the other one. */
  @Test
  void countedRowsDecideAlsoWithoutTheCostBasedOptimizer(@TempDir Path folder) {
    Map<String, String> tables =
        Map.of(
            "narrow", "SELECT id AS k FROM range(3000)",
            "wide", "SELECT id AS k, concat(uuid(), uuid(), uuid(), id) AS t FROM range(400)");
    String query = "SELECT * FROM narrow JOIN wide USING (k)";
    try {
      tables.forEach(
          (name, rows) ->
              spark.sql(
                  "CREATE TABLE %s USING json LOCATION '%s' AS %s"
                      .formatted(name, folder.resolve(name).toUri(), rows)));
      same(0, query);
      tables.keySet().forEach(name -> spark.sql("ANALYZE TABLE " + name + " COMPUTE STATISTICS"));
      same(1, query);
    } finally {
      tables.keySet().forEach(name -> spark.sql("DROP TABLE IF EXISTS " + name));
    }
  }

  /** Rules that a program sets at the same place do not replace this one. */
  @Test
  void rulesOfTheProgramAreKept() {
    same(1, "SELECT * FROM large JOIN small USING (k)");
    spark
        .experimental()
        .extraOptimizations_$eq(JavaConverters.asScalaBuffer(List.<Rule<LogicalPlan>>of()).toSeq());
    same(1, "SELECT * FROM large JOIN small USING (k)");
    assertThat(spark.experimental().extraOptimizations().size()).isEqualTo(1);
  }

  @Test
  void aSettingThatIsNotTrueOrFalseIsRefused() {
    set("spark.bellows.join.enabled", "yes");
    assertThatThrownBy(() -> spark.sql("SELECT * FROM large JOIN small USING (k)").count())
        .hasStackTraceContaining("spark.bellows.join.enabled is true or false, not yes");
    set("spark.bellows.join.enabled", true);
    set("spark.bellows.join.maxPassed", 2);
    assertThatThrownBy(() -> spark.sql("SELECT * FROM large JOIN small USING (k)").count())
        .hasStackTraceContaining("spark.bellows.join.maxPassed is a share of rows from 0 to 1");
  }
}
