package dev.bellows.spark.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.spark.BellowsExtensions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Spark Connect server as a process. This process is its client, without the classes of a driver.
 */
@Tag("engines")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class ConnectTest {
  private static final Pattern STARTED =
      Pattern.compile("Spark Connect server started at: (127\\.0\\.0\\.1:\\d+)");

  @TempDir static Path folder;

  private static String serverClassPath;
  private static Child server;
  private static String url;
  private static SparkSession spark;

  /** The same, with filters before joins. */
  private static SparkSession filtering;

  @BeforeAll
  static void start() throws Exception {
    serverClassPath = Files.readString(Path.of(System.getProperty("bellows.connect.server")));
    server =
        Child.start(
            folder,
            serverClassPath,
            STARTED,
            List.of(
                "spark.master=local[2]",
                "spark.app.name=bellows connect",
                "spark.ui.enabled=false",
                "spark.driver.host=127.0.0.1",
                "spark.driver.bindAddress=127.0.0.1",
                "spark.connect.grpc.binding.address=127.0.0.1",
                "spark.connect.grpc.binding.port=0",
                "spark.sql.shuffle.partitions=2",
                "spark.sql.autoBroadcastJoinThreshold=-1",
                "spark.sql.warehouse.dir=" + folder,
                "spark.sql.extensions=" + BellowsExtensions.class.getName()),
            "org.apache.spark.sql.connect.service.SparkConnectServer");
    url = "sc://" + server.await().group(1);
    spark = Refusals.session(url);
    filtering = Refusals.session(url);
    filtering.sql("SET spark.bellows.join.enabled = true");
  }

  @AfterAll
  static void end() {
    if (server != null) {
      server.close();
    }
  }

  private static Row first(String query) {
    return spark.sql(query).head();
  }

  private static String plan(SparkSession session, String query) {
    return session.sql("EXPLAIN EXTENDED " + query).head().getString(0);
  }

  private static List<String> sorted(Dataset<Row> rows) {
    return rows.collectAsList().stream().map(Row::toString).sorted().toList();
  }

  @Test
  void thisProcessHasNoClassesOfADriver() {
    assertThat(spark.getClass().getName()).isEqualTo("org.apache.spark.sql.connect.SparkSession");
    for (String driver :
        List.of(
            "org.apache.spark.package$",
            "org.apache.spark.sql.catalyst.expressions.Expression",
            "org.apache.spark.sql.classic.Dataset")) {
      assertThatThrownBy(() -> Class.forName(driver)).isInstanceOf(ClassNotFoundException.class);
    }
  }

  @Test
  void everyFunctionWorksThroughTheSession() throws Exception {
    Row filters =
        first(
            "SELECT bellows_agg(id, 0.01), bellows_agg(id, 0.01, 5000), bellows_frozen_agg(id,"
                + " 0.01) FROM range(1000)");
    byte[] bytes = filters.getAs(0);
    BloomFilter filter = BloomFilter.fromBytes(bytes);
    assertThat(filter.mightContain(999)).isTrue();
    assertThat(filter.expectedFpp()).isLessThanOrEqualTo(0.01);
    assertThat((byte[]) filters.getAs(1)).hasSizeGreaterThan(3 * bytes.length);

    // as bytes of the client, and as a subquery on the server
    Dataset<Row> known =
        spark
            .range(100_000)
            .toDF("k")
            .where(
                functions.call_function(
                    "bellows_might_contain", functions.lit(bytes), functions.col("k")));
    assertThat(known.count()).isBetween(1000L, 3000L);
    for (String function : List.of("bellows_agg", "bellows_frozen_agg")) {
      long passed =
          first(
                  """
                  WITH f AS (SELECT %s(id, 0.01) AS filter FROM range(1000))
                  SELECT count(*) FROM range(100000)
                  WHERE bellows_might_contain((SELECT filter FROM f), id)\
                  """
                      .formatted(function))
              .getLong(0);
      assertThat(passed).as(function).isBetween(1000L, 3000L);
    }

    Row united =
        first(
            """
            WITH parts AS (
              SELECT bellows_agg(id, 0.001, 4000) AS part FROM range(4000) GROUP BY id % 4),
              whole AS (SELECT bellows_union_agg(part) AS filter FROM parts)
            SELECT bellows_info(filter).kind, length(filter), length(bellows_fold(filter, 0.1)),
              bellows_might_contain(filter, 3999) FROM whole\
            """);
    assertThat(united.getString(0)).isEqualTo("bloom");
    assertThat(united.getInt(2)).isLessThan(united.getInt(1));
    assertThat(united.getBoolean(3)).isTrue();
  }

  @Test
  void aJoinIsFilteredIfItsSessionEnablesIt() {
    for (SparkSession session : List.of(spark, filtering)) {
      session.sql("SELECT id AS k, id % 3 AS l FROM range(30000)").createOrReplaceTempView("large");
      session.sql("SELECT id * 7 AS k, id AS s FROM range(3000)").createOrReplaceTempView("small");
      session.table("large").join(session.table("small"), "k").createOrReplaceTempView("joined");
    }
    for (String query :
        List.of("SELECT * FROM large JOIN small USING (k)", "SELECT * FROM joined")) {
      assertThat(plan(spark, query)).doesNotContain("bellows_");
      assertThat(plan(filtering, query)).contains("bellows_may_match(", "bellows_agg(");
      List<String> rows = sorted(spark.sql(query));
      assertThat(rows).hasSize(3000);
      assertThat(sorted(filtering.sql(query))).isEqualTo(rows);
    }
  }

  private static void assertRefused(List<String> refusals) {
    String sentence =
        "java.lang.UnsupportedOperationException: %s needs the driver's own session, not one of"
            + " Spark Connect: start the server with"
            + " spark.sql.extensions=dev.bellows.spark.BellowsExtensions, call the SQL functions,"
            + " and set spark.bellows.join.enabled=true to filter joins";
    String join = sentence.formatted("BloomJoin");
    assertThat(refusals).containsExactly(join, join, join, sentence.formatted("BellowsFunctions"));
  }

  @Test
  void whatNeedsTheDriverIsRefusedInOneSentence() {
    assertRefused(Refusals.of(spark));
  }

  /** A client that has all jars of the server. */
  @Test
  void theSentenceIsTheSameNextToTheClassesOfADriver() throws Exception {
    Pattern done = Pattern.compile(Refusals.DONE);
    try (Child client =
        Child.start(folder, serverClassPath, done, List.of(), Refusals.class.getName(), url)) {
      client.await();
      assertRefused(
          client
              .output()
              .lines()
              .filter(line -> line.startsWith(Refusals.RESULT))
              .map(line -> line.substring(Refusals.RESULT.length()))
              .toList());
    }
  }
}
