package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    same(0, "SELECT * FROM large WHERE k IN (SELECT k FROM small)"); // a join only later
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
