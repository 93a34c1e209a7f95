package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.Filters;
import dev.bellows.spark.LocalSpark;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters that miss stored keys never decide which rows stay: no key is denied silently. */
class CertaintyTest {
  private static final int KEYS = 1000;

  private final SparkSession spark = LocalSpark.session();

  /** One filter of each kind that may miss a key, with the keys 0 to 999. */
  static List<Filter> graded() {
    AutoscalingBloomFilter counters = AutoscalingBloomFilter.create(2 * KEYS, 6);
    LongStream.range(0, KEYS).forEach(counters::put);
    CountingBloomFilter counting =
        CountingBloomFilter.builder().bits(2 * KEYS).layout(new Layout.Classic(6)).build();
    LongStream.range(0, KEYS).forEach(counting::put);
    CountingReading reading =
        CountingReading.of(counting, new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0));
    return List.of(counters, counters.binarize(), reading.binarize());
  }

  @Test
  void everyKindThatMayMissKeysIsTested() {
    assertThat(graded().stream().map(Filter::kind))
        .containsExactlyInAnyOrderElementsOf(
            Filters.formats().stream()
                .filter(format -> GradedMembership.class.isAssignableFrom(format.type()))
                .map(FilterFormat::kind)
                .toList());
  }

  @ParameterizedTest
  @MethodSource("graded")
  void theseKindsMissKeys(Filter filter) {
    GradedMembership membership = (GradedMembership) filter;
    assertThat(LongStream.range(0, KEYS).filter(key -> !membership.accepts(key)).count())
        .isPositive();
  }

  @ParameterizedTest
  @MethodSource("graded")
  void aConstantIsRefusedBeforeAnythingRuns(Filter filter) {
    Dataset<Row> keys = spark.range(KEYS).toDF("id");
    assertThatThrownBy(
            () ->
                keys.where(
                    functions.call_function(
                        "bellows_might_contain",
                        functions.lit(filter.toBytes()),
                        functions.col("id"))))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("kind " + filter.kind().word())
        .hasMessageContaining("its answer \"no\" is not certain");
  }

  @ParameterizedTest
  @MethodSource("graded")
  void aColumnIsRefusedWhenItIsRead(Filter filter) {
    Dataset<Row> column =
        spark
            .createDataFrame(
                List.of(RowFactory.create((Object) filter.toBytes())),
                StructType.fromDDL("filter BINARY"))
            .crossJoin(spark.range(KEYS));
    String condition = "NOT bellows_might_contain(filter, id)";
    for (String mode : List.of("FALLBACK", "NO_CODEGEN")) {
      spark.conf().set("spark.sql.codegen.wholeStage", mode.equals("FALLBACK"));
      spark.conf().set("spark.sql.codegen.factoryMode", mode);
      assertRefused(filter, column.where(condition));
      assertRefused(filter, column.selectExpr(condition));
    }
    column.createOrReplaceTempView("graded");
    assertRefused(
        filter,
        spark.sql(
            "SELECT count(*) FROM range(1000) WHERE"
                + " bellows_might_contain((SELECT first(filter) FROM graded), id)"));
  }

  @AfterEach
  void generateCode() {
    spark.conf().set("spark.sql.codegen.wholeStage", true);
    spark.conf().set("spark.sql.codegen.factoryMode", "FALLBACK");
  }

  @ParameterizedTest
  @MethodSource("graded")
  void aBroadcastFilterIsRefusedWhenItIsRead(Filter filter) {
    Dataset<Row> keys = spark.range(KEYS).toDF("id");
    BroadcastFilter broadcast =
        new BroadcastFilter(Literal.create(filter.toBytes(), DataTypes.BinaryType));
    assertRefused(
        filter,
        keys.filter(
            SparkApi.column(
                new MightContain(
                    SparkApi.seq(List.of(broadcast, SparkApi.expression(keys.col("id"))))))));
  }

  private static void assertRefused(Filter filter, Dataset<Row> rows) {
    assertThatThrownBy(rows::collectAsList)
        .hasStackTraceContaining("kind " + filter.kind().word())
        .hasStackTraceContaining("its answer \"no\" is not certain");
  }

  @ParameterizedTest
  @MethodSource("graded")
  void theseKindsHaveInfoButNeitherFoldNorMerge(Filter filter) {
    Dataset<Row> one =
        spark.createDataFrame(
            List.of(RowFactory.create((Object) filter.toBytes())),
            StructType.fromDDL("filter BINARY"));
    Row info = one.selectExpr("bellows_info(filter)").head().getStruct(0);
    assertThat(info.<String>getAs("kind")).isEqualTo(filter.kind().word());
    assertThat(info.<Double>getAs("expected_fpp")).isEqualTo(filter.expectedFpp());
    for (String call : List.of("bellows_fold(filter, 0.1)", "bellows_union_agg(filter)")) {
      assertThatThrownBy(() -> one.selectExpr(call).head())
          .hasStackTraceContaining("not one of kind " + filter.kind().word());
    }
  }
}
