package dev.bellows.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FoldedFilters;
import dev.bellows.KeyFilter;
import dev.bellows.Layout;
import dev.bellows.Means;
import dev.bellows.Membership;
import dev.bellows.Rates;
import dev.bellows.Repository;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.BinarizedFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.Criterion;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.autoscale.ThresholdPlan;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every number that a filter states next to the measured one: a row for each, of filters with many
 * seeds. A number that is stated as exact must be within three standard errors of the measured one,
 * a bound must not be beyond it by more than three. {@code mvn test -Dtest=StatedNumbersTest
 * -Dbellows.stated.write=true} writes the table in docs/reliability.md.
 */
class StatedNumbersTest {
  private static final int N = 4000;
  private static final int ABSENT = 20_000;
  private static final double SIGMAS = 3;

  /** A relative difference that no row distinguishes. */
  private static final double NEGLIGIBLE = 1e-9;

  private static final Path PAGE = Repository.path("docs/reliability.md");
  private static final String BEGIN = "<!-- stated numbers -->\n";
  private static final String END = "<!-- end of stated numbers -->\n";

  private enum Is {
    EXACT("="),
    AT_MOST("at most"),
    AT_LEAST("at least");

    private final String word;

    Is(String word) {
      this.word = word;
    }
  }

  /** A number as it is stated, and as it is measured. */
  private record Pair(double stated, double measured) {}

  private interface Sample {
    Pair of(long seed);
  }

  private record Row(String filter, String number, Is is, Sample sample) {}

  private static final List<Row> ROWS = new ArrayList<>();

  private static void row(String filter, String number, Is is, Sample sample) {
    ROWS.add(new Row(filter, number, is, sample));
  }

  /** The rate of absent keys. */
  private static <F extends Filter & Membership> void rate(String name, LongFunction<F> maker) {
    rate(name, Is.EXACT, maker);
  }

  private static <F extends Filter & Membership> void rate(
      String name, Is is, LongFunction<F> maker) {
    row(name, "rate", is, seed -> rate(maker.apply(seed)));
  }

  private static <F extends Filter & Membership> Pair rate(F filter) {
    return new Pair(filter.expectedFpp(), share(ABSENT, i -> filter.mightContain(-1 - i)));
  }

  private static void fpr(String name, LongFunction<? extends GradedMembership> maker, Read read) {
    row(
        name,
        "rate",
        Is.EXACT,
        seed -> {
          GradedMembership filter = maker.apply(seed);
          return new Pair(read.rates(filter).fpr(), share(ABSENT, i -> filter.accepts(-1 - i)));
        });
  }

  private static void tpr(
      String name, int keys, LongFunction<? extends GradedMembership> maker, Read read) {
    row(
        name,
        "share of its keys found",
        Is.EXACT,
        seed -> {
          GradedMembership filter = maker.apply(seed);
          return new Pair(read.rates(filter).tpr(), share(keys, filter::accepts));
        });
  }

  private interface Read {
    ThresholdPlan.Rates rates(GradedMembership filter);
  }

  private static double share(long trials, LongPredicate hit) {
    return (double) Rates.count(trials, hit) / trials;
  }

  private static <F extends KeyFilter> F fill(F filter, long from, long to) {
    LongStream.range(from, to).forEach(filter::put);
    return filter;
  }

  private static BloomFilter bits(Layout.Family layout, double fpp, long seed, long from, long to) {
    return fill(BloomFilter.builder().keys(N).fpp(fpp).layout(layout).seed(seed).build(), from, to);
  }

  private static CountingBloomFilter counters(Layout.Family layout, long seed) {
    return fill(
        CountingBloomFilter.builder().keys(N).fpp(0.01).layout(layout).seed(seed).build(), 0, N);
  }

  private static BloomFilter identified(long seed) {
    return fill(
        BloomFilter.builder()
            .bits(55_440)
            .hashes(5)
            .layout(Layout.Family.CLASSIC)
            .seed(seed)
            .id(1)
            .build(),
        0,
        N);
  }

  private static ElasticBloomFilter elastic(Layout.Family layout, long seed) {
    return ElasticBloomFilter.builder()
        .keys(N)
        .fpp(0.01)
        .tolerance(0.002)
        .layout(layout)
        .seed(seed)
        .build();
  }

  private static FingerprintFilter prefixes(double fpp, long seed, long from, long to) {
    return fill(FingerprintFilter.builder().fpp(fpp).seed(seed).build(), from, to);
  }

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  private static final Duration WINDOW = Duration.ofHours(7);

  /** A window into which N keys per window were put, evenly, over 12 hours. */
  private static WindowFilter window(WindowFilter.Builder builder, long seed, int fold) {
    WindowFilter filter = builder.window(WINDOW).fpp(0.02).seed(seed).build();
    long keys = (long) N * fold * 12 / 7;
    long step = Duration.ofHours(12).toMillis() / keys;
    for (long key = 0; key < keys; key++) {
      filter.put(key, START.plusMillis(key * step));
    }
    return filter;
  }

  private static DynamicPartitionBloomFilter partition(long seed, long from, long to) {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(1 << 20)
            .depth(8)
            .fpp(0.02)
            .seed(seed)
            .build();
    LongStream.range(from, to).map(i -> i * 37).forEach(filter::putId);
    return filter;
  }

  private static double absentIds(LongPredicate contains) {
    return share(ABSENT, i -> contains.test(i * 37 + 11));
  }

  private static final int RANGES = 60;

  /** The first number of the range, at every distance from the marks in turn. */
  private static long low(long seed) {
    return 400 + seed % 12;
  }

  private static RangeBloomFilter ranges(Attribute attribute, long seed) {
    RangeBloomFilter filter =
        RangeBloomFilter.create(
            RangeSchema.of(4096, 5, attribute).withTexts("name"),
            dev.bellows.HashScheme.xxh3(seed));
    filter.putRange("a", low(seed), low(seed) + RANGES - 1);
    for (int i = 0; i < 150; i++) {
      filter.put("name", "text " + i);
    }
    return filter;
  }

  private static AutoscalingBloomFilter autoscaling(long seed, int keys, int times) {
    AutoscalingBloomFilter filter =
        AutoscalingBloomFilter.builder().bits(10_000).hashes(100).seed(seed).build();
    for (int round = 0; round < times; round++) {
      for (long key = 0; key < keys; key++) {
        if (round <= key % times) {
          filter.put(key);
        }
      }
    }
    return filter;
  }

  private static CountingReading reading(long seed) {
    CountingBloomFilter counters = counters(Layout.Family.CLASSIC, seed);
    return CountingReading.of(
        fill(counters, N, 4 * N), new ThresholdPlan.Rule.Tuned(Criterion.accuracy(), 0));
  }

  static {
    Layout.Family classic = Layout.Family.CLASSIC;
    Layout.Family blocked = Layout.Family.BLOCKED;
    rate("plain, classic, 1 %", seed -> bits(classic, 0.01, seed, 0, N));
    rate("plain, blocked, 1 %", seed -> bits(blocked, 0.01, seed, 0, N));
    rate("plain, classic, four times its keys", seed -> bits(classic, 0.01, seed, 0, 4 * N));
    rate("plain, blocked, four times its keys", seed -> bits(blocked, 0.01, seed, 0, 4 * N));
    rate("plain, classic, a folding by 3", seed -> identified(seed).foldBy(3));
    rate(
        "plain, blocked, a folding by 2",
        seed ->
            fill(BloomFilter.builder().bits(64 * 1024).hashes(6).seed(seed).build(), 0, N)
                .foldBy(2));
    rate(
        "plain, classic, a union",
        seed -> bits(classic, 0.01, seed, 0, N).union(bits(classic, 0.01, seed, N, 2 * N), 1));
    rate(
        "plain, blocked, a union",
        seed -> bits(blocked, 0.01, seed, 0, N).union(bits(blocked, 0.01, seed, N, 2 * N), 1));
    row(
        "plain, classic",
        "keys",
        Is.EXACT,
        seed -> new Pair(bits(classic, 0.01, seed, 0, N).approximateElementCount(), N));
    row(
        "plain, blocked",
        "keys",
        Is.EXACT,
        seed -> new Pair(bits(blocked, 0.01, seed, 0, N).approximateElementCount(), N));
    row(
        "plain, a folding",
        "keys",
        Is.EXACT,
        seed -> new Pair(identified(seed).foldBy(2).approximateElementCount(), N));
    rate(
        "two foldings together",
        seed -> FoldedFilters.of(identified(seed).foldBy(3)).with(identified(seed).foldBy(5)));
    rate("counting, classic", seed -> counters(classic, seed));
    rate("counting, blocked", seed -> counters(blocked, seed));
    row(
        "counting, half of the keys removed",
        "keys",
        Is.EXACT,
        seed -> {
          CountingBloomFilter filter = counters(classic, seed);
          LongStream.range(0, N / 2).forEach(filter::remove);
          return new Pair(filter.approximateElementCount(), N / 2.0);
        });
    rate("elastic, classic", seed -> fill(elastic(classic, seed), 0, N / 3));
    rate("elastic, blocked", seed -> fill(elastic(blocked, seed), 0, N / 3));
    for (Layout.Family layout : Layout.Family.values()) {
      row(
          "elastic, " + (layout == classic ? "classic" : "blocked"),
          "share in the band",
          Is.EXACT,
          seed -> {
            ElasticBloomFilter filter = elastic(layout, seed);
            long changes = 0;
            long inBand = 0;
            for (long key = 0; key < N; key++) {
              boolean isChange = filter.put(key);
              changes += isChange ? 1 : 0;
              inBand += isChange && filter.isInBand() ? 1 : 0;
            }
            return new Pair(filter.bandShare(), (double) inBand / changes);
          });
    }
    rate("fingerprint", seed -> prefixes(0.01, seed, 0, N));
    rate("fingerprint, cut to 5 %", seed -> prefixes(0.001, seed, 0, N).foldToFpp(0.05));
    rate(
        "fingerprint, cut, then as many keys again",
        seed -> fill(prefixes(0.001, seed, 0, N).foldToFpp(0.05), N, 2 * N));
    rate(
        "fingerprint, a union",
        seed -> prefixes(0.01, seed, 0, N).union(prefixes(0.01, seed, N, 2 * N)));
    rate(
        "fingerprint, removable",
        Is.AT_MOST,
        seed -> fill(FingerprintFilter.builder().fpp(0.01).removable().seed(seed).build(), 0, N));
    row(
        "fingerprint, removable",
        "keys",
        Is.EXACT,
        seed ->
            new Pair(
                fill(FingerprintFilter.builder().fpp(0.01).removable().seed(seed).build(), 0, N)
                    .approximateElementCount(),
                N));
    rate(
        "scalable",
        seed ->
            fill(
                ScalableBloomFilter.builder().fpp(0.01).initialKeys(500).seed(seed).build(), 0, N));
    rate("frozen, of keys", seed -> fill(seed));
    rate(
        "frozen, of a union of prefixes",
        seed -> prefixes(0.0001, seed, 0, N).union(prefixes(0.0001, seed, N, 2 * N)).freeze(0.02));
    row(
        "frozen, of a union of prefixes",
        "keys",
        Is.AT_MOST,
        seed ->
            new Pair(
                prefixes(0.0001, seed, 0, N)
                    .union(prefixes(0.0001, seed, N, 2 * N))
                    .freeze(0.02)
                    .mostKeys(),
                2.0 * N));
    rate("window, a ring", seed -> window(WindowFilter.builder().keys(N), seed, 1));
    rate("window, prefixes", Is.AT_MOST, seed -> window(WindowFilter.builder(), seed, 1));
    rate(
        "window, a ring, four times its keys",
        seed -> window(WindowFilter.builder().keys(N), seed, 4));
    row(
        "window, prefixes, every key put again",
        "keys",
        Is.AT_MOST,
        seed -> {
          WindowFilter filter = WindowFilter.builder().window(WINDOW).fpp(0.02).seed(seed).build();
          for (long put = 0; put < 4 * N; put++) {
            filter.put(put % N, START.plusMillis(put * 1000));
          }
          return new Pair(filter.approximateElementCount(), N);
        });
    row(
        "partition",
        "rate of an id",
        Is.AT_MOST,
        seed -> {
          DynamicPartitionBloomFilter filter = partition(seed, 0, N);
          return new Pair(filter.expectedFpp(), absentIds(filter::mightContainId));
        });
    row(
        "partition, a union of views",
        "rate of an id",
        Is.AT_MOST,
        seed -> {
          PartitionView view =
              partition(seed, 0, N).view().union(partition(seed, N, 2 * N).view(), 1);
          return new Pair(view.expectedFpp(), absentIds(view::mightContainId));
        });
    row(
        "range, division and overlapping",
        "rate of a number",
        Is.EXACT,
        seed -> {
          RangeBloomFilter filter =
              ranges(Attribute.divisionOverlapping("a", Domain.of(0, 999), 5, 2, 3), seed);
          long outside =
              Rates.count(low(seed), i -> filter.mightContain("a", i))
                  + Rates.count(
                      1000 - low(seed) - RANGES,
                      i -> filter.mightContain("a", low(seed) + RANGES + i));
          return new Pair(filter.outsideFpp("a", RANGES), outside / (1000.0 - RANGES));
        });
    row(
        "range",
        "rate of a text",
        Is.EXACT,
        seed -> {
          RangeBloomFilter filter = ranges(Attribute.plain("a", Domain.of(0, 999), 5), seed);
          return new Pair(
              filter.valueFpp("name"),
              share(ABSENT, i -> filter.mightContain("name", "no text " + i)));
        });
    fpr(
        "autoscaling",
        seed -> autoscaling(seed, 500, 1),
        f -> ((AutoscalingBloomFilter) f).rates());
    tpr(
        "autoscaling",
        500,
        seed -> autoscaling(seed, 500, 1),
        f -> ((AutoscalingBloomFilter) f).rates());
    fpr(
        "autoscaling, keys put 1 to 5 times",
        seed -> autoscaling(seed, 500, 5),
        f -> ((AutoscalingBloomFilter) f).rates());
    row(
        "autoscaling, keys put 1 to 5 times",
        "share of its keys found",
        Is.AT_LEAST,
        seed -> {
          AutoscalingBloomFilter filter = autoscaling(seed, 500, 5);
          return new Pair(filter.leastTpr(), share(500, filter::accepts));
        });
    row(
        "autoscaling, keys put 1 to 3 times",
        "keys",
        Is.EXACT,
        seed -> new Pair(autoscaling(seed, 300, 3).approximateElementCount(), 300));
    fpr(
        "binarized",
        seed -> autoscaling(seed, 1000, 1).binarize(),
        f -> ((BinarizedFilter) f).rates());
    tpr(
        "binarized",
        1000,
        seed -> autoscaling(seed, 1000, 1).binarize(),
        f -> ((BinarizedFilter) f).rates());
    fpr(
        "autoscaling, likelihood",
        seed -> autoscaling(seed, 1000, 1).likelihood(),
        f -> ((AutoscalingBloomFilter.LikelihoodReading) f).rates());
    tpr(
        "autoscaling, likelihood",
        1000,
        seed -> autoscaling(seed, 1000, 1).likelihood(),
        f -> ((AutoscalingBloomFilter.LikelihoodReading) f).rates());
    fpr(
        "counting, read through thresholds",
        seed -> reading(seed),
        f -> ((CountingReading) f).rates());
  }

  private static FrozenFilter fill(long seed) {
    return FrozenFilter.builder().fpp(0.01).seed(seed).build(LongStream.range(0, N).toArray());
  }

  private record Result(Row row, double stated, double measured, double sigmas) {
    /** The distance in the direction that contradicts what is stated. */
    double wrongBy() {
      return switch (row.is) {
        case EXACT -> Math.abs(sigmas);
        case AT_MOST -> sigmas;
        case AT_LEAST -> -sigmas;
      };
    }

    String line() {
      return Prose.format(
          "| %s | %s | %s %.5g | %.5g | %+.1f |\n",
          row.filter, row.number, row.is.word, stated, measured, sigmas);
    }
  }

  private static Result measure(Row row, int filters) {
    Means differences = new Means();
    Means stated = new Means();
    Means measured = new Means();
    for (long seed = 0; seed < filters; seed++) {
      Pair pair = row.sample.of(seed);
      stated.add(pair.stated);
      measured.add(pair.measured);
      differences.add(pair.measured - pair.stated);
    }
    double error = Math.max(differences.error(), NEGLIGIBLE * Math.abs(stated.mean()));
    double sigmas = differences.mean() == 0 ? 0 : differences.mean() / error;
    return new Result(row, stated.mean(), measured.mean(), sigmas);
  }

  private static String table(int filters) {
    StringBuilder table =
        new StringBuilder(
            "| filter | number | stated | measured, mean of "
                + filters
                + " filters | standard errors |\n|---|---|---:|---:|---:|\n");
    List<String> wrong = new ArrayList<>();
    for (Row row : ROWS) {
      Result result = measure(row, filters);
      table.append(result.line());
      if (!(result.wrongBy() <= SIGMAS)) {
        wrong.add(result.line());
      }
    }
    assertThat(wrong).as(table.toString()).isEmpty();
    return table.toString();
  }

  @Test
  void everyStatedNumberIsTheMeasuredOne() throws IOException {
    assertThat(ROWS).hasSizeGreaterThanOrEqualTo(40);
    write(table(12));
  }

  @Test
  @Tag("scale")
  void withManyFilters() throws IOException {
    write(table(100));
  }

  private static void write(String table) throws IOException {
    if (Boolean.getBoolean("bellows.stated.write")) {
      String page = Files.readString(PAGE);
      int from = page.indexOf(BEGIN) + BEGIN.length();
      Files.writeString(PAGE, page.substring(0, from) + table + page.substring(page.indexOf(END)));
    }
  }
}
