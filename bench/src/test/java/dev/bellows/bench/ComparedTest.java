package dev.bellows.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Funnels;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.hadoop.util.hash.Hash;
import org.apache.spark.util.sketch.IncompatibleMergeException;
import org.fastfilter.Filter;
import org.fastfilter.FilterType;
import org.junit.jupiter.api.Test;
import org.roaringbitmap.RoaringBitmap;
import org.roaringbitmap.longlong.Roaring64Bitmap;
import tools.jackson.jr.ob.JSON;

/**
 * The statements of docs/compared.md about other libraries: figures are those of the committed run,
 * sizes and rates are measured here, and operations that a library is said to lack are tried.
 * {@code -Dbellows.compared.write=true} writes the table of the run into the page.
 */
class ComparedTest {
  private static final Path ROOT = Path.of(System.getProperty("bellows.root"));
  private static final Path PAGE = ROOT.resolve("docs/compared.md");
  private static final String BEGIN = "<!-- compared:begin -->\n";
  private static final String END = "<!-- compared:end -->";
  private static final int KEYS = 1_000_000;

  /** The columns of the table: operation and title. */
  private static final Map<String, String> OPERATIONS = operations();

  private static final Map<String, String> PEERS = peers();

  private static Map<String, String> operations() {
    Map<String, String> titles = new LinkedHashMap<>();
    titles.put("query-long-half", "query, half hits");
    titles.put("query-long-miss", "query, misses");
    titles.put("put-long", "put");
    titles.put("load-long", "load by one thread");
    titles.put("query-text", "query text");
    titles.put("1e8-query-long-half", "query, 1e8 keys");
    return titles;
  }

  private static Map<String, String> peers() {
    Map<String, String> names = new LinkedHashMap<>();
    names.put("BLOCKED", "Bellows BLOCKED");
    names.put("CLASSIC", "Bellows CLASSIC");
    names.put("GUAVA", "Guava");
    names.put("SPARK_V1", "Spark V1");
    names.put("SPARK_V2", "Spark V2");
    names.put("HADOOP", "Hadoop");
    names.put("DATASKETCHES", "DataSketches");
    names.put("FASTFILTER_BLOOM", "fastfilter Bloom");
    names.put("FASTFILTER_BLOCKED", "fastfilter BlockedBloom");
    names.put("COMMONS", "Commons Collections");
    names.put("PARQUET", "Parquet split block");
    return names;
  }

  // ---- the committed run

  @Test
  void theTableIsThatOfTheCommittedRun() throws IOException {
    String page = Files.readString(PAGE);
    String table = table(run());
    if (Boolean.getBoolean("bellows.compared.write")) {
      int from = page.indexOf(BEGIN) + BEGIN.length();
      page = page.substring(0, from) + table + page.substring(page.indexOf(END));
      Files.writeString(PAGE, page);
    }
    assertThat(page)
        .as("written by -Dtest=ComparedTest -Dbellows.compared.write=true")
        .contains(BEGIN + table + END);
  }

  private static String table(Map<String, Object> run) {
    StringBuilder table = new StringBuilder();
    Map<?, ?> machine = (Map<?, ?>) run.get("machine");
    Map<Object, Object> versions = new TreeMap<>((Map<?, ?>) run.get("versions"));
    List<String> named = new ArrayList<>();
    versions.forEach((name, version) -> named.add(name + " " + version));
    table.append(
        "%s, %s, %s, %s. %s.\n\n"
            .formatted(
                run.get("date"),
                machine.get("processor"),
                machine.get("cores"),
                machine.get("jdk"),
                String.join(", ", named)));
    table.append("| library | bits per key |");
    OPERATIONS.values().forEach(title -> table.append(" ").append(title).append(" |"));
    table.append("\n|---|---:|").append("---:|".repeat(OPERATIONS.size())).append("\n");
    PEERS.forEach(
        (peer, name) -> {
          table.append("| ").append(name).append(" | ").append(bitsPerKey(run, peer)).append(" |");
          for (String operation : OPERATIONS.keySet()) {
            Double ratio = score(run, operation, peer, "ratio");
            table.append(ratio == null ? " |" : " %.2f |".formatted(ratio));
          }
          table.append("\n");
        });
    table.append("\nNanoseconds of Bellows BLOCKED, the least seen:");
    List<String> times = new ArrayList<>();
    OPERATIONS.forEach(
        (operation, title) ->
            times.add(" %s %.1f".formatted(title, score(run, operation, "BLOCKED", "least"))));
    return table.append(String.join(",", times)).append(".\n").toString();
  }

  private static String bitsPerKey(Map<String, Object> run, String peer) {
    for (Object store : (List<?>) run.get("stores")) {
      Map<?, ?> one = (Map<?, ?>) store;
      if (one.get("role").equals("LONGS") && one.get("peer").equals(peer)) {
        return "%.2f".formatted(((Number) one.get("bitsPerKey")).doubleValue());
      }
    }
    throw new AssertionError("no store of " + peer);
  }

  private static Double score(Map<String, Object> run, String operation, String peer, String what) {
    for (Object score : (List<?>) run.get("scores")) {
      Map<?, ?> one = (Map<?, ?>) score;
      if (one.get("operation").equals(operation) && one.get("peer").equals(peer)) {
        return ((Number) one.get(what)).doubleValue();
      }
    }
    return null;
  }

  private static Map<String, Object> run() throws IOException {
    return JSON.std.mapFrom(Files.readString(ROOT.resolve("docs/bench/results.json")));
  }

  /** Every figure of the first section, each with the row of the run that it comes from. */
  @Test
  void theFiguresOfSlownessAreThoseOfTheCommittedRun() throws IOException {
    Map<String, Object> run = run();
    String page = Files.readString(PAGE);
    String slower = page.substring(page.indexOf("## Where"), page.indexOf("## What each"));
    says(slower, "%.2f of the time", score(run, "query-long-half", "FASTFILTER_BLOCKED", "ratio"));
    says(slower, "%.1f times", 1 / score(run, "query-long-half", "FASTFILTER_BLOCKED", "ratio"));
    says(slower, "Bellows needs %.1f ns", score(run, "batch-query-long", "BLOCKED", "least"));
    says(slower, "instead of %.1f", score(run, "query-long-half", "BLOCKED", "least"));
    says(
        slower, "%.2f of the time, because", score(run, "put-long", "FASTFILTER_BLOCKED", "ratio"));
    says(slower, "`Bloom` takes %.2f.", score(run, "put-long", "FASTFILTER_BLOOM", "ratio"));
    says(slower, "takes %.1f ns", score(run, "load-long", "BLOCKED", "least"));
    says(slower, "instead of %.1f", score(run, "put-long", "BLOCKED", "least"));
    says(slower, "`BlockedBloom` %.1f", score(run, "load-long", "FASTFILTER_BLOCKED", "least"));
    says(slower, "takes %.2f and", score(run, "counting-put", "FASTFILTER_COUNTING", "ratio"));
    says(slower, "query %.2f of", score(run, "counting-query", "FASTFILTER_COUNTING", "ratio"));
    says(
        slower,
        "query %.2f.",
        score(run, "counting-query", "FASTFILTER_SUCCINCT_BLOCKED", "ratio"));
    for (String peer : List.of("SPARK_V2", "DATASKETCHES", "COMMONS", "HADOOP")) {
      assertThat(score(run, "union", peer, "ratio")).as(peer).isBetween(0.2, 0.3);
    }
    says(slower, "takes %.2f and Parquet", score(run, "read", "DATASKETCHES", "ratio"));
    says(slower, "Parquet %.2f", score(run, "read", "PARQUET", "ratio"));
    says(page, "takes %.1f times as long", score(run, "query-long-half", "GUAVA", "ratio"));
    double bits = Double.parseDouble(bitsPerKey(run, "FASTFILTER_BLOCKED"));
    double ours = Double.parseDouble(bitsPerKey(run, "BLOCKED"));
    says(slower, "%.1f instead", bits);
    says(slower, "instead of %.1f per key", ours);
    assertThat(bits / ours).isBetween(1.065, 1.075);
  }

  /** The figures of growing filters are those of their study. */
  @Test
  void theFiguresOfGrowthAreThoseOfTheStudy() throws IOException {
    String study = Files.readString(ROOT.resolve("docs/bench/growth.md"));
    String page = Files.readString(PAGE);
    says(page, "takes %.2f times the query", row(study, "query, one by one", "FingerprintFilter"));
    says(page, "queries take %.0f times", row(study, "query, one by one", "Hadoop Dynamic"));
    assertThat(study).contains("Hadoop DynamicBloomFilter, 1,000,000 keys: 3.8950");
    assertThat(study).contains("| pre-sized BLOCKED | 1,000,000 | 12.26 | |");
    assertThat(study).contains("| FingerprintFilter | grid | 17.35 |");
  }

  private static double row(String study, String operation, String peer) {
    Matcher row =
        Pattern.compile("\\| " + operation + " \\| 1,000,000 \\| " + peer + ".*?\\| ([\\d.]+) \\(")
            .matcher(study);
    assertThat(row.find()).isTrue();
    return Double.parseDouble(row.group(1));
  }

  private static void says(String text, String format, double value) {
    assertThat(text).contains(format.formatted(value));
  }

  // ---- the libraries themselves

  @Test
  void staticFiltersHaveTheBitsAndRatesOfTheTable() throws IOException {
    String page = Files.readString(PAGE);
    SplittableRandom random = new SplittableRandom(44);
    long[] present = random.longs(KEYS).toArray();
    long[] absent = random.longs(KEYS).toArray();
    Map<FilterType, String> rows = new LinkedHashMap<>();
    rows.put(FilterType.XOR_8, "| Xor8 | 9.84 | 0.45 % |");
    rows.put(FilterType.XOR_16, "| Xor16 | 19.68 | 0.0015 % |");
    rows.put(FilterType.XOR_PLUS_8, "| XorPlus8 | 9.16 | 0.39 % |");
    rows.put(FilterType.CUCKOO_8, "| Cuckoo8 | 8.42 | 2.9 % |");
    rows.put(FilterType.CUCKOO_16, "| Cuckoo16 | 16.84 | 0.011 % |");
    rows.forEach(
        (type, row) -> {
          assertThat(page).contains(row);
          String[] cells = row.split("[|%]");
          Filter filter = type.construct(present, 10);
          assertThat(Arrays.stream(present).allMatch(filter::mayContain)).as("%s", type).isTrue();
          // the bits of XorPlus8 depend on the seeds that fastfilter draws
          assertThat((double) filter.getBitCount() / KEYS)
              .as("%s", type)
              .isBetween(Double.parseDouble(cells[2]) - 0.03, Double.parseDouble(cells[2]) + 0.03);
          // fastfilter uses random seeds, so no two runs are the same: seven standard
          // deviations, and for Xor8 the range of rates that the page names
          double expected = Double.parseDouble(cells[3]) / 100 * KEYS;
          double slack =
              (type == FilterType.XOR_8 ? 0.2 : 0.05) * expected + 7 * Math.sqrt(expected);
          assertThat((double) Arrays.stream(absent).filter(filter::mayContain).count())
              .as("%s", type)
              .isBetween(expected - slack, expected + slack);
        });
  }

  @Test
  void theOthersRefuseToMergeOtherSizes() throws Exception {
    var guava = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), 1000, 0.01);
    var larger = com.google.common.hash.BloomFilter.create(Funnels.longFunnel(), 2000, 0.01);
    assertThatThrownBy(() -> guava.putAll(larger)).isInstanceOf(IllegalArgumentException.class);

    var spark = org.apache.spark.util.sketch.BloomFilter.create(1000, 0.01);
    var other = org.apache.spark.util.sketch.BloomFilter.create(2000, 0.01);
    assertThatThrownBy(() -> spark.mergeInPlace(other))
        .isInstanceOf(IncompatibleMergeException.class);

    var hadoop = new org.apache.hadoop.util.bloom.BloomFilter(1000, 7, Hash.MURMUR_HASH);
    assertThatThrownBy(
            () ->
                hadoop.or(new org.apache.hadoop.util.bloom.BloomFilter(2000, 7, Hash.MURMUR_HASH)))
        .isInstanceOf(IllegalArgumentException.class);

    var sketch = BloomFilterBuilder.createByAccuracy(1000, 0.01, 1);
    assertThatThrownBy(() -> sketch.union(BloomFilterBuilder.createByAccuracy(2000, 0.01, 1)))
        .isInstanceOf(RuntimeException.class);

    var bellows = dev.bellows.BloomFilter.builder().bits(512 * 60).hashes(6).build();
    var small = dev.bellows.BloomFilter.builder().bits(512 * 40).hashes(6).build();
    bellows.put(1);
    small.put(2);
    assertThat(bellows.union(small).mightContain(1)).isTrue();
    assertThat(bellows.union(small).mightContain(2)).isTrue();
  }

  @Test
  void fastfilterHasNeitherUnionsNorFiles() {
    assertThat(Arrays.stream(Filter.class.getMethods()).map(method -> method.getName()))
        .containsOnly(
            "add",
            "remove",
            "mayContain",
            "getBitCount",
            "supportsAdd",
            "supportsRemove",
            "cardinality");
    Filter xor = FilterType.XOR_8.construct(new long[] {1, 2, 3}, 0);
    assertThat(xor.supportsAdd()).isFalse();
    assertThatThrownBy(() -> xor.add(4)).isInstanceOf(RuntimeException.class);
  }

  /**
   * Removing absent keys also removes present ones; Bellows refuses keys that are certainly absent.
   */
  @Test
  void removingAnAbsentKeyCorruptsFastfiltersCounters() {
    SplittableRandom random = new SplittableRandom(44);
    long[] present = random.longs(1000).toArray();
    Filter theirs = FilterType.COUNTING_BLOOM.construct(present, 10);
    var ours = dev.bellows.CountingBloomFilter.builder().keys(1000).fpp(0.01).build();
    Arrays.stream(present).forEach(ours::put);
    long[] absent = random.longs(1000).filter(key -> !ours.mightContain(key)).toArray();
    for (long key : absent) {
      theirs.remove(key);
      assertThat(ours.remove(key)).isFalse();
    }
    assertThat(Arrays.stream(present).filter(theirs::mayContain).count()).isLessThan(900);
    assertThat(Arrays.stream(present).allMatch(ours::mightContain)).isTrue();
  }

  /** Exact sets: almost no space for a run, more than the keys themselves for random longs. */
  @Test
  void roaringBitmapsAreSmallForRunsAndLargeForRandomLongs() {
    RoaringBitmap run = new RoaringBitmap();
    run.add(0L, KEYS);
    run.runOptimize();
    assertThat(8.0 * run.getSizeInBytes() / KEYS).isLessThan(0.01);
    Roaring64Bitmap random = new Roaring64Bitmap();
    new SplittableRandom(44).longs(KEYS).forEach(random::add);
    assertThat(8.0 * random.serializedSizeInBytes() / KEYS).isGreaterThan(64);
  }

  @Test
  void everyLibraryHasAParagraphThatSaysWhenToChooseIt() throws IOException {
    String page = Files.readString(PAGE);
    for (String section : page.substring(page.indexOf("## Guava")).split("(?m)^## ")) {
      if (!section.isBlank() && !section.startsWith("How")) {
        assertThat(section.toLowerCase(Locale.ROOT)).contains("**choose").contains("](http");
      }
    }
  }
}
