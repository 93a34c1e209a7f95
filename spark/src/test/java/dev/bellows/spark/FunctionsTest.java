package dev.bellows.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.KeyHasher;
import dev.bellows.KeySink;
import dev.bellows.ScalableBloomFilter;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
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
        type("FLOAT", "cast(id / 8 - 1 AS FLOAT)", (f, i) -> f.put(i / 8.0 - 1)),
        type("DOUBLE", "cast(id AS DOUBLE) / 3", (f, i) -> f.put(i / 3.0)),
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
                          KeySink ab = sink.putLong(id).putText("t" + id);
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
    BloomFilter java =
        BloomFilter.builder().bits(built.bits()).hashes(built.hashes()).build();
    for (long i = 0; i < KEYS; i++) {
      put.accept(java, i);
    }
    assertThat(built).isEqualTo(java);
    assertThat(built.expectedFpp()).isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("types")
  void aFilterBuiltInJavaAnswersInSpark(
      String name, String sql, ObjLongConsumer<BloomFilter> put) {
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
  void strangersPassAtTheRateAndKeysAlways(String mode) {
    spark.conf().set("spark.sql.codegen.wholeStage", mode.equals("FALLBACK"));
    spark.conf().set("spark.sql.codegen.factoryMode", mode);
    Row row =
        one(
            "WITH f AS (SELECT bellows_agg(id, 0.02) AS filter FROM range(0, 50000, 1, 5)) SELECT"
                + " count_if(id < 50000 AND bellows_might_contain((SELECT filter FROM f), id)),"
                + " count_if(id >= 50000 AND bellows_might_contain((SELECT filter FROM f), id))"
                + " FROM range(0, 250000, 1, 3)");
    assertThat(row.getLong(0)).isEqualTo(50_000);
    var interval = dev.bellows.plan.BinomialInterval.of(200_000, 0.02, 1e-9);
    assertThat(row.getLong(1)).isPositive().isLessThanOrEqualTo(interval.high());
  }
}
