package dev.bellows.spark.bench;

import dev.bellows.BloomFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.aggregate.BloomFilterAggregate;
import org.apache.spark.sql.classic.ExpressionUtils;
import org.apache.spark.sql.functions;

/**
 * {@code bellows_agg} compared with Spark's own aggregate, which is told the right size and wrong
 * ones.
 */
final class AggregateBench {
  static final double FPP = 0.01;
  static final int ABSENT_KEYS = 2_000_000;

  private final Measuring measuring;
  private final long rows;
  private final long keys;

  AggregateBench(Measuring measuring, long rows) {
    this.measuring = measuring;
    this.rows = rows;
    this.keys = rows / 25;
  }

  /** Keys at a power law, every one at least once, over 400 tasks of three very unlike sizes. */
  private Dataset<Row> rows(long count) {
    long half = count / 2;
    long most = count / 10 * 8;
    String draw = "shiftrightunsigned(xxhash64(id), 11) * 1.1102230246251565E-16D";
    return measuring
        .spark
        .range(0, half, 1, 16)
        .union(measuring.spark.range(half, most, 1, 64))
        .union(measuring.spark.range(most, count, 1, 320))
        .toDF("id")
        .selectExpr("id", draw + " AS u")
        .selectExpr(
            "if(id %% 25 = 0, id div 25, cast(%d * u * u * u * u AS BIGINT)) AS key"
                .formatted(count / 25));
  }

  double scanSeconds() throws Exception {
    rows(rows).agg(functions.max("key")).head();
    return measuring.measure("scan", () -> rows(rows).agg(functions.max("key")).head()).seconds();
  }

  static Column bellows() {
    return functions.expr("bellows_agg(key, " + FPP + ")");
  }

  /** Spark's aggregate, told a number of keys and the bits they need at the rate. */
  static Column sparks(long keys) {
    long bits = (long) (-keys * Math.log(FPP) / (Math.log(2) * Math.log(2)));
    Expression key = ExpressionUtils.expression(functions.col("key"));
    return ExpressionUtils.column(
        new BloomFilterAggregate(
            key,
            ExpressionUtils.expression(functions.lit(keys)),
            ExpressionUtils.expression(functions.lit(bits))));
  }

  private byte[] built(long count, Column aggregate) {
    return rows(count).agg(aggregate).head().getAs(0);
  }

  private record Contender(String name, Column aggregate, boolean ours, int rounds) {}

  List<BenchReport.Aggregate> run(int rounds) throws Exception {
    List<Contender> contenders =
        List.of(
            new Contender("Bellows, told nothing", bellows(), true, rounds),
            new Contender("Spark, told the right size", sparks(keys), false, rounds),
            new Contender("Spark, told a tenth", sparks(keys / 10), false, rounds),
            new Contender("Spark, told ten times", sparks(keys * 10), false, 1));
    List<List<Measuring.Run<byte[]>>> runs = new ArrayList<>();
    for (Contender contender : contenders) {
      built(Math.min(rows, 2_000_000), contender.aggregate); // warm up
      runs.add(new ArrayList<>());
    }
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < contenders.size(); i++) {
        Contender contender = contenders.get(i);
        if (round < contender.rounds) {
          runs.get(i)
              .add(measuring.measure(contender.name, () -> built(rows, contender.aggregate)));
        }
      }
    }
    List<BenchReport.Aggregate> table = new ArrayList<>();
    for (int i = 0; i < contenders.size(); i++) {
      Measuring.Run<byte[]> first = runs.get(i).get(0);
      table.add(
          new BenchReport.Aggregate(
              contenders.get(i).name,
              Measuring.seconds(runs.get(i)),
              Measuring.cpuSeconds(runs.get(i)),
              first.shuffleBytes(),
              first.result().length,
              measuredFpp(reader(contenders.get(i).ours, first.result()))));
    }
    return table;
  }

  private static LongPredicate reader(boolean ours, byte[] bytes) throws IOException {
    if (ours) {
      return BloomFilter.fromBytes(bytes)::mightContain;
    }
    return org.apache.spark.util.sketch.BloomFilter.readFrom(new ByteArrayInputStream(bytes))
        ::mightContainLong;
  }

  private double measuredFpp(LongPredicate filter) {
    int passed = 0;
    for (long i = 0; i < ABSENT_KEYS; i++) {
      passed += filter.test(keys + i) ? 1 : 0;
    }
    return (double) passed / ABSENT_KEYS;
  }

  /** The filters of very different numbers of keys, and what they take for a key. */
  List<BenchReport.Size> sizes(long... counts) throws Exception {
    List<BenchReport.Size> table = new ArrayList<>();
    for (long count : counts) {
      Measuring.Run<byte[]> run =
          measuring.measure(
              count + " keys",
              () -> measuring.spark.range(count).toDF("key").agg(bellows()).head().getAs(0));
      table.add(new BenchReport.Size(count, run.seconds(), run.result().length));
    }
    return table;
  }

  /** One filter of a million keys asked about many rows, as a subquery and from a column. */
  List<BenchReport.Asked> asked(long count) throws Exception {
    measuring.spark.sql(
        "CREATE OR REPLACE TEMPORARY VIEW f AS SELECT bellows_agg(id, 0.01) AS filter FROM range(1000000)");
    byte[] filter = measuring.spark.sql("SELECT filter FROM f").head().getAs(0);
    measuring
        .spark
        .createDataFrame(
            List.of(org.apache.spark.sql.RowFactory.create((Object) filter)),
            org.apache.spark.sql.types.StructType.fromDDL("filter BINARY"))
        .createOrReplaceTempView("f");
    String rows = " FROM range(0, %d, 1, 4) ".formatted(count);
    List<BenchReport.Asked> table = new ArrayList<>();
    for (String[] query :
        new String[][] {
          {
            "a scalar subquery",
            "SELECT count_if(bellows_might_contain((SELECT first(filter) FROM f), id))" + rows
          },
          {
            "a column of every row",
            "SELECT count_if(bellows_might_contain(filter, id))" + rows + "CROSS JOIN f"
          },
          {
            "the column alone, copied by Spark",
            "SELECT count_if(length(filter) = id)" + rows + "CROSS JOIN f"
          }
        }) {
      measuring.spark.sql(query[1]).head();
      table.add(
          new BenchReport.Asked(
              query[0],
              filter.length,
              measuring.measure(query[0], () -> measuring.spark.sql(query[1]).head()).seconds()));
    }
    return table;
  }
}
