package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.internal.math.BinomialInterval;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.scalable.ScalableBloomFilter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class FunctionsTest {
  private static final int KEYS = 2000;

  private SparkSession spark;

  @BeforeEach
  void session() {
    spark = LocalSpark.session();
    spark.conf().set("spark.sql.codegen.wholeStage", true);
    spark.conf().set("spark.sql.codegen.factoryMode", "FALLBACK");
  }

  private Row one(String sql) {
    return spark.sql(sql).head();
  }

  private byte[] bytes(String sql) {
    return one(sql).getAs(0);
  }

  private BloomFilter filter(String sql) throws Exception {
    return BloomFilter.fromBytes(bytes(sql));
  }

  private static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder("X'");
    for (byte b : bytes) {
      text.append("%02x".formatted(b));
    }
    return text.append('\'').toString();
  }

  /** A type, the SQL of its value number {@code id}, and the same key in plain Java. */
  static Stream<Arguments> types() {
    return Stream.of(
        type("TINYINT", "cast(id % 100 AS TINYINT)", (f, i) -> f.put(i % 100)),
        type("SMALLINT", "cast(id - 1000 AS SMALLINT)", (f, i) -> f.put(i - 1000)),
        type("INT", "cast(-id AS INT)", (f, i) -> f.put(-i)),
        type("BIGINT", "id * 10000000000", (f, i) -> f.put(i * 10_000_000_000L)),
        type("FLOAT", "cast(id / 8 - 1 AS FLOAT)", (f, i) -> f.put(i / 8.0 - 1, KeyHasher.DOUBLES)),
        type("DOUBLE", "cast(id AS DOUBLE) / 3", (f, i) -> f.put(i / 3.0, KeyHasher.DOUBLES)),
        type("STRING", "concat('ключ ', id)", (f, i) -> f.put("ключ " + i)),
        type(
            "BINARY",
            "cast(concat('b', id) AS BINARY)",
            (f, i) -> f.put(("b" + i).getBytes(StandardCharsets.UTF_8))),
        type(
            "DATE",
            "date_add(DATE'1969-12-01', cast(id AS INT))",
            (f, i) -> f.put(LocalDate.of(1969, 12, 1).plusDays(i).toEpochDay())),
        type(
            "TIMESTAMP",
            "timestampadd(MINUTE, id, TIMESTAMP'2020-02-29 23:00:00.000001')",
            (f, i) ->
                f.put(micros(Instant.parse("2020-02-29T23:00:00.000001Z").plusSeconds(60 * i)))),
        type(
            "TIMESTAMP_NTZ",
            "timestampadd(MINUTE, id, TIMESTAMP_NTZ'2020-02-29 23:00:00')",
            (f, i) ->
                f.put(
                    micros(
                        LocalDateTime.of(2020, 2, 29, 23, 0)
                            .plusMinutes(i)
                            .toInstant(ZoneOffset.UTC)))),
        type(
            "DECIMAL(10,2)",
            "cast((id - 1000) / 100 AS DECIMAL(10,2))",
            (f, i) -> f.put(plain(BigDecimal.valueOf(i - 1000, 2)))),
        type(
            "DECIMAL(38,10)",
            "cast(id AS DECIMAL(38,10)) * 1000000000000000",
            (f, i) -> f.put(plain(BigDecimal.valueOf(i).multiply(new BigDecimal("1e15"))))),
        type(
            "STRUCT",
            "struct(id AS a, concat('t', id) AS b, cast(id / 4 AS DECIMAL(9,3)) AS c,"
                + " struct(cast(id AS DOUBLE) AS x, cast('y' AS BINARY) AS y) AS d)",
            (f, i) ->
                f.put(
                    i,
                    KeyHasher.<Long>of(
                        (id, sink) -> {
                          KeyHasher.Sink ab = sink.putLong(id).putText("t" + id);
                          ab.putText(plain(BigDecimal.valueOf(id * 250, 3)));
                          ab.putDouble(id).putBytes(new byte[] {'y'});
                        }))));
  }

  private static Arguments type(String name, String sql, ObjLongConsumer<BloomFilter> put) {
    return Arguments.of(name, sql, put);
  }

  private static String plain(BigDecimal value) {
    return value.stripTrailingZeros().toPlainString();
  }

  private static long micros(Instant instant) {
    return instant.getEpochSecond() * 1_000_000 + instant.getNano() / 1000;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("types")
  void aFilterBuiltInSparkIsTheOneBuiltInJava(
      String name, String sql, ObjLongConsumer<BloomFilter> put) throws Exception {
    BloomFilter built =
        filter("SELECT bellows_agg(%s, 0.01) FROM range(0, %d, 1, 4)".formatted(sql, KEYS));
    BloomFilter java = BloomFilter.builder().bits(built.bits()).hashes(built.hashes()).build();
    for (long i = 0; i < KEYS; i++) {
      put.accept(java, i);
    }
    assertThat(built).isEqualTo(java);
    assertThat(built.expectedFpp()).isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("types")
  void aFilterBuiltInJavaAnswersInSpark(String name, String sql, ObjLongConsumer<BloomFilter> put) {
    BloomFilter java = BloomFilter.create(KEYS, 1e-6);
    for (long i = 0; i < KEYS; i++) {
      put.accept(java, i);
    }
    String query =
        "SELECT count_if(bellows_might_contain(%s, %s)) FROM range(0, %d, 1, 2)"
            .formatted(hex(java.toBytes()), sql, KEYS);
    assertThat(one(query).getLong(0)).as("generated code").isEqualTo(KEYS);
    spark.conf().set("spark.sql.codegen.wholeStage", false);
    spark.conf().set("spark.sql.codegen.factoryMode", "NO_CODEGEN");
    assertThat(one(query).getLong(0)).as("interpreted").isEqualTo(KEYS);
  }

  @ParameterizedTest
  @ValueSource(strings = {"FALLBACK", "NO_CODEGEN"})
  void keysAlwaysPassAndAbsentKeysAtTheRate(String mode) {
    spark.conf().set("spark.sql.codegen.wholeStage", mode.equals("FALLBACK"));
    spark.conf().set("spark.sql.codegen.factoryMode", mode);
    Row row =
        one(
            "WITH f AS (SELECT bellows_agg(id, 0.02) AS filter FROM range(0, 50000, 1, 5)) SELECT"
                + " count_if(id < 50000 AND bellows_might_contain((SELECT filter FROM f), id)),"
                + " count_if(id >= 50000 AND bellows_might_contain((SELECT filter FROM f), id)),"
                + " (SELECT bellows_info(filter).expected_fpp FROM f)"
                + " FROM range(0, 250000, 1, 3)");
    assertThat(row.getLong(0)).isEqualTo(50_000);
    assertThat(BinomialInterval.of(row.getLong(1), 200_000, 1e-9).contains(row.getDouble(2)))
        .isTrue();
    assertThat(row.getDouble(2)).isLessThanOrEqualTo(0.02);
  }

  @Test
  void nullsAreNotKeysAndHaveNoAnswer() throws Exception {
    BloomFilter withNulls =
        filter("SELECT bellows_agg(if(id % 2 = 0, id, NULL), 0.01) FROM range(1000)");
    assertThat(withNulls).isEqualTo(filter("SELECT bellows_agg(id, 0.01) FROM range(0, 1000, 2)"));
    for (String mode : List.of("FALLBACK", "NO_CODEGEN")) {
      spark.conf().set("spark.sql.codegen.factoryMode", mode);
      Row row =
          one(
              "SELECT bellows_might_contain(f, cast(NULL AS BIGINT)), bellows_might_contain(f,"
                  + " NULL), bellows_might_contain(NULL, 1), bellows_might_contain(cast(NULL AS"
                  + " BINARY), n), bellows_might_contain(f, if(n = 3, NULL, n)),"
                  + " bellows_might_contain(f, struct(n, if(n = 3, NULL, n))), bellows_fold(NULL,"
                  + " 0.1), bellows_info(cast(NULL AS BINARY)) FROM (SELECT bellows_agg(id, 0.01)"
                  + " AS f, count(*) AS n FROM range(3))");
      for (int i = 0; i < row.size(); i++) {
        assertThat(row.isNullAt(i)).as("%s, %s", row.schema().apply(i), mode).isTrue();
      }
    }
  }

  /**
   * What docs/on-spark.md warns of: {@code =} pads the shorter of two CHAR columns, this does not.
   */
  @Test
  void charsAreHashedWithTheirPadding(@TempDir Path folder) {
    spark.sql(
        "CREATE TABLE padded (c5 CHAR(5), c10 CHAR(10)) USING json LOCATION '%s'"
            .formatted(folder.toUri()));
    try {
      spark.sql("INSERT INTO padded VALUES ('a', 'a')");
      Row row =
          one(
              "SELECT c5 = c10, bellows_might_contain((SELECT bellows_agg(c10, 1e-9) FROM padded),"
                  + " c5), bellows_might_contain((SELECT bellows_agg(rtrim(c10), 1e-9) FROM"
                  + " padded), rtrim(c5)) FROM padded");
      assertThat(row).isEqualTo(RowFactory.create(true, false, true));
    } finally {
      spark.sql("DROP TABLE padded");
    }
  }

  @Test
  void aStructWithANullFieldIsNotAKey() throws Exception {
    assertThat(filter("SELECT bellows_agg(struct(id, if(id = 5, NULL, 'x')), 0.01) FROM range(6)"))
        .isEqualTo(filter("SELECT bellows_agg(struct(id, 'x'), 0.01) FROM range(5)"));
  }

  @Test
  void noKeysGiveAnEmptyFilter() throws Exception {
    for (String from :
        List.of("range(0)", "(SELECT cast(NULL AS BIGINT) AS id)", "(SELECT NULL AS id)")) {
      BloomFilter empty = filter("SELECT bellows_agg(id, 0.01) FROM " + from);
      assertThat(empty.approximateElementCount()).isZero();
      assertThat(empty.mightContain(1)).isFalse();
    }
    assertThat(one("SELECT bellows_union_agg(cast(NULL AS BINARY))").isNullAt(0)).isTrue();
  }

  @Test
  void everyGroupHasItsOwnSize() {
    List<Row> groups =
        spark
            .sql(
                "SELECT g, bellows_info(f), n FROM (SELECT cast(sqrt(id) / 10 AS INT) AS g,"
                    + " bellows_agg(id, 0.01) AS f, count(*) AS n FROM range(0, 40000, 1, 4)"
                    + " GROUP BY 1)")
            .collectAsList();
    assertThat(groups).hasSize(20);
    for (Row group : groups) {
      Row info = group.getStruct(1);
      long keys = group.getLong(2);
      assertThat(info.<Double>getAs("expected_fpp")).isLessThanOrEqualTo(0.01);
      assertThat(info.<Long>getAs("bits")).isLessThan(14 * keys + 1024);
      assertThat(info.<Double>getAs("approximate_keys")).isBetween(0.9 * keys, 1.1 * keys);
    }
  }

  @Test
  void moreGroupsThanFitAHashTableFallBackToSorting() {
    Row row =
        one(
            "SELECT count(*), count_if(bellows_might_contain(f, g)) FROM (SELECT id % 1000 AS g,"
                + " bellows_agg(id, 0.01) AS f FROM range(0, 10000, 1, 4) GROUP BY 1)");
    assertThat(row).isEqualTo(RowFactory.create(1000L, 1000L));
  }

  @Test
  void unionsHoldEveryPartsKeys() throws Exception {
    String parts =
        "(SELECT id % 7 AS part, bellows_agg(id, 0.01, 6000) AS f FROM range(0, 5000, 1, 4)"
            + " GROUP BY 1)";
    BloomFilter union = filter("SELECT bellows_union_agg(f) FROM " + parts);
    assertThat(union).isEqualTo(filter("SELECT bellows_agg(id, 0.01, 6000) FROM range(5000)"));
    assertThatThrownBy(
            () ->
                one(
                    "SELECT bellows_union_agg(f) FROM (SELECT id % 300 AS part, bellows_agg(id,"
                        + " 0.01) AS f FROM range(0, 30000, 1, 2) GROUP BY 1)"))
        .hasStackTraceContaining("build the parts with room for the keys of all");
  }

  @Test
  void filtersOfDifferentRatesAndFiltersWithoutRoomHaveDifferentMessages() {
    assertThatThrownBy(
            () ->
                one(
                    "SELECT bellows_union_agg(f) FROM (SELECT bellows_agg(id, 0.01, 5000) AS f"
                        + " FROM range(100) UNION ALL SELECT bellows_agg(id, 0.001, 5000)"
                        + " FROM range(100))"))
        .hasStackTraceContaining("filters of different fpp cannot be united")
        .hasStackTraceContaining("2x3")
        .hasStackTraceContaining("4x2");
    assertThatThrownBy(
            () ->
                one(
                    "SELECT bellows_union_agg(f) FROM (SELECT bellows_agg(id, 0.01, 5000) AS f"
                        + " FROM range(5000) UNION ALL SELECT bellows_agg(id, 0.0199, 5000)"
                        + " FROM range(5000, 10000))"))
        .hasStackTraceContaining("filters of one fpp and one number of keys have one size");
  }

  /** Two filters at one percent, each full: their union is far above it. */
  @Test
  void aUnionThatDegradesSaysSo() {
    Row info =
        one("SELECT bellows_info(bellows_union_agg(f)) FROM (SELECT id % 2 AS part,"
                + " bellows_agg(id, 0.01, 5000) AS f FROM range(10000) GROUP BY 1)")
            .getStruct(0);
    assertThat(info.<Double>getAs("expected_fpp")).isBetween(0.05, 0.5);
    assertThat(info.<String>getAs("warning"))
        .contains("above the rates for which 6 bits per key are made")
        .contains("bellows_agg(key, fpp, keys)");
  }

  @Test
  void foldingShrinksToTheRate() throws Exception {
    BloomFilter folded =
        filter("SELECT bellows_fold(bellows_agg(id, 0.001), 0.05) FROM range(10000)");
    assertThat(folded)
        .isEqualTo(filter("SELECT bellows_agg(id, 0.001) FROM range(10000)").foldToFpp(0.05));
    assertThatThrownBy(
            () -> one("SELECT bellows_fold(bellows_agg(id, 0.01), 1e-9) FROM range(10000)"))
        .hasStackTraceContaining("no folding has fpp 1.0E-9");
  }

  @Test
  void infoIsTheStatsOfTheFilter() throws Exception {
    Row info = one("SELECT bellows_info(bellows_agg(id, 0.01)) FROM range(100)").getStruct(0);
    var filter = filter("SELECT bellows_agg(id, 0.01) FROM range(100)");
    var stats = filter.stats();
    assertThat(info.<String>getAs("kind")).isEqualTo("bloom");
    assertThat(info.<String>getAs("layout")).isEqualTo("blocked");
    assertThat(info.<String>getAs("hash_scheme")).isEqualTo("xxh3-64");
    assertThat(info.<Long>getAs("bits")).isEqualTo(stats.bits());
    assertThat(info.<Integer>getAs("hashes")).isEqualTo(stats.hashes());
    assertThat(info.<Long>getAs("ones")).isEqualTo(stats.ones());
    assertThat(info.<Double>getAs("fill")).isEqualTo(stats.fill());
    assertThat(info.<Double>getAs("approximate_keys")).isEqualTo(stats.approximateKeys());
    assertThat(info.<Double>getAs("expected_fpp")).isEqualTo(stats.expectedFpp());
    assertThat(info.<Long>getAs("bytes")).isEqualTo(filter.sizeInBytes());
  }

  @Test
  void infoIsNullWhereTheKindHasNoNumber() {
    RangeBloomFilter range =
        RangeBloomFilter.create(RangeSchema.of(4096, 4).withTexts("name"), HashScheme.DEFAULT);
    range.put("name", "x");
    Row info = one("SELECT bellows_info(%s)".formatted(hex(range.toBytes()))).getStruct(0);
    assertThat(info.<String>getAs("kind")).isEqualTo("range");
    assertThat(info.<Long>getAs("ones")).isEqualTo(4);
    assertThat(info.<Double>getAs("approximate_keys")).isNull();
    BloomFilter filter = BloomFilter.builder().id(1).keys(100).fpp(0.01).build();
    FoldedFilters foldings = FoldedFilters.of(filter.foldBy(1));
    info = one("SELECT bellows_info(%s)".formatted(hex(foldings.toBytes()))).getStruct(0);
    assertThat(info.<String>getAs("kind")).isEqualTo("folded");
    assertThat(info.<Long>getAs("ones")).isNull();
    assertThat(info.<Double>getAs("fill")).isNull();
    assertThat(info.<Double>getAs("approximate_keys")).isZero();
  }

  @Test
  void filtersThatTakeNoKeysAreRefusedByTheirKind() {
    RangeBloomFilter filter =
        RangeBloomFilter.create(RangeSchema.of(4096, 4).open(), HashScheme.DEFAULT);
    assertThatThrownBy(
            () -> one("SELECT bellows_might_contain(%s, 1)".formatted(hex(filter.toBytes()))))
        .hasStackTraceContaining("a filter of kind range takes no keys");
  }

  @Test
  void otherKindsOfFiltersAnswerToo() {
    ScalableBloomFilter scalable = ScalableBloomFilter.create(0.0001);
    for (long i = 0; i < 3000; i++) {
      scalable.put(i);
    }
    assertThat(
            one("SELECT count_if(bellows_might_contain(%s, id)) FROM range(3000)"
                    .formatted(hex(scalable.toBytes())))
                .getLong(0))
        .isEqualTo(3000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bellows_agg(array(id), 0.01)                | ARRAY<BIGINT> is not a valid key: accepted are TINYINT
          bellows_agg(id = 1, 0.01)                   | BOOLEAN is not a valid key: accepted are TINYINT
          bellows_agg(struct(id, map(1, 2) AS m), .1) | field m: MAP<INT, INT> is not a valid key
          bellows_agg(id, 1.5)                        | fpp must be in (0, 1): 1.5
          bellows_agg(id, 0)                          | fpp must be in (0, 1): 0
          bellows_agg(id, NULL)                       | fpp is a number
          bellows_agg(id, 'x')                        | fpp is a number, not STRING
          bellows_agg(id, id)                         | fpp is the same for all rows
          bellows_agg(id, 0.01, -1)                   | must be at least 0: -1
          bellows_agg(id, 0.01, 100000001)            | must be between 0 and spark.bellows.maxKeys = 100000000: 100000001
          bellows_agg(id, 1e-20)                      | fpp 1.0E-20 cannot be reached
          bellows_fold(X'00', 1)                      | fpp must be in (0, 1): 1
          bellows_fold(X'00', 0.1 - 0.2)              | fpp must be in (0, 1): -0.1
          bellows_agg(id)                             | bellows_agg takes 2 or 3 arguments, not 1
          bellows_agg('a' COLLATE UTF8_LCASE, 0.01)   | calls different bytes equal
          bellows_union_agg(id)                       | a filter is BINARY, not BIGINT
          bellows_might_contain(id, id)               | a filter is BINARY, not BIGINT
          bellows_might_contain(X'00', array(id))     | ARRAY<BIGINT> is not a valid key
          bellows_might_contain(X'00', id)            | not a Bellows filter
          bellows_fold(id, 0.1)                       | requires the "BINARY" type
          bellows_info(id)                            | a filter is BINARY, not BIGINT
          """)
  void wrongArgumentsAreNamedBeforeAnythingRuns(String call, String sentence) {
    assertThatThrownBy(() -> spark.sql("SELECT " + call + " FROM range(3)"))
        .satisfies(
            e ->
                assertThat(e)
                    .isInstanceOfAny(AnalysisException.class, IllegalArgumentException.class))
        .hasMessageContaining(sentence);
  }

  @Test
  void bytesThatAreNotAFilterAreRefused() {
    for (String call :
        List.of("bellows_might_contain(b, 1)", "bellows_info(b)", "bellows_fold(b, 0.1)")) {
      assertThatThrownBy(() -> one("SELECT " + call + " FROM VALUES (X'0102') AS t(b)"))
          .hasStackTraceContaining("not a Bellows filter");
    }
  }

  /** The limit that is also the room makes the size known and buffers bits; not other filters. */
  @ParameterizedTest
  @ValueSource(ints = {1, 7, 64})
  void aKnownSizeLeavesTheFilterAsItIs(int partitions) {
    String query =
        "SELECT bellows_agg(id DIV 2, 0.01, 20000) FROM range(0, 40000, 1, %d)"
            .formatted(partitions);
    byte[] expected = one(query).getAs(0);
    spark.conf().set("spark.bellows.maxKeys", 20_000);
    try {
      assertThat(one(query).<byte[]>getAs(0)).isEqualTo(expected);
    } finally {
      spark.conf().unset("spark.bellows.maxKeys");
    }
  }

  @Test
  void moreKeysThanTheLimitAreRefused() {
    spark.conf().set("spark.bellows.maxKeys", 1000);
    try {
      assertThatThrownBy(() -> one("SELECT bellows_agg(id, 0.01) FROM range(0, 50000, 1, 3)"))
          .hasStackTraceContaining("spark.bellows.maxKeys = 1000")
          .hasStackTraceContaining("set it to ");
      for (String wrong : List.of("many", "0", "1099511627776")) {
        spark.conf().set("spark.bellows.maxKeys", wrong);
        assertThatThrownBy(() -> spark.sql("SELECT bellows_agg(id, 0.01) FROM range(5)"))
            .as("at analysis")
            .hasMessageContaining("spark.bellows.maxKeys")
            .hasMessageContaining(wrong);
      }
    } finally {
      spark.conf().unset("spark.bellows.maxKeys");
    }
  }
}
