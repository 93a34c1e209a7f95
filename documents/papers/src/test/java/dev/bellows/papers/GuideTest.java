package dev.bellows.papers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.math.BloomRates;
import dev.bellows.papers.partition.GrowthWorkload;
import dev.bellows.partition.PartitionPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The figures of the guide on growth are those that a command gives: of results.json, between
 * comments that name them, of the planner, and of filters that are built here. To update them after
 * {@code bellows papers}, run this with {@code -Dbellows.golden.write=true}.
 */
class GuideTest {
  private static final Path DOCS =
      Path.of(System.getProperty("bellows.root", "..")).resolve("docs");
  private static final Path GUIDE = DOCS.resolve("when-you-do-not-know-how-many.md");
  private static final Pattern NUMBER =
      Pattern.compile("<!--(\\d{3}/\\S+) (\\S+)-->([^<]*)<!---->");
  private static final Pattern TABLE = Pattern.compile("<!--memory-->\n([^<]*)<!---->");

  private static final Pattern GROWTH = Pattern.compile("<!--growth-->\n([^<]*)<!---->");

  private static Map<String, Result> results() throws IOException {
    Map<String, Result> results = new HashMap<>();
    for (Result result : ResultsFile.read(DOCS.resolve("papers/results.json"))) {
      results.put(result.id(), result);
    }
    return results;
  }

  private static double value(Map<String, Result> results, String id) {
    Result result = results.get(id);
    assertThat(result).as(id).isNotNull();
    return Objects.requireNonNull(
        result.measured() == null ? result.formula() : result.measured(), id);
  }

  private static String generated(String guide, long mostKeys) throws IOException {
    Map<String, Result> results = results();
    String numbers =
        NUMBER
            .matcher(guide)
            .replaceAll(
                found ->
                    Matcher.quoteReplacement(
                        "<!--%s %s-->%s<!---->"
                            .formatted(
                                found.group(1),
                                found.group(2),
                                String.format(
                                    Locale.ROOT, found.group(2), value(results, found.group(1))))));
    String tables =
        TABLE
            .matcher(numbers)
            .replaceAll(Matcher.quoteReplacement("<!--memory-->\n" + table(results) + "<!---->"));
    return GROWTH
        .matcher(tables)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    "<!--growth-->\n" + growth(found.group(1), mostKeys) + "<!---->"));
  }

  /**
   * Fingerprint filters of the longs from 0, made here and now; rows of more keys than {@code
   * mostKeys} stay as the guide has them.
   */
  private static String growth(String inGuide, long mostKeys) {
    return "| target | keys | rate, the exact sum | heap, bits per key | file, bits per key |\n"
        + "|---|---|---|---|---|\n"
        + row("1 %", 0.01, 1_000_000)
        + row("0.4 %", 0.004, 10_000)
        + row("0.4 %", 0.004, 1_000_000)
        + (mostKeys < 10_000_000 ? inGuide.split("\n")[5] + "\n" : row("0.4 %", 0.004, 10_000_000))
        + row("1e-6", 1e-6, 1_000_000);
  }

  private static String row(String target, double fpp, long keys) {
    FingerprintFilter filter = FingerprintFilter.create(fpp);
    LongStream.range(0, keys).forEach(filter::put);
    double rate = filter.expectedFpp();
    return String.format(
        Locale.ROOT,
        "| %s | %,d | %s | %.1f | %.1f |\n",
        target,
        keys,
        fpp < 0.001
            ? String.format(Locale.ROOT, "%.1e", rate).replace("e-0", "e-")
            : String.format(Locale.ROOT, "%.3f %%", 100 * rate),
        8.0 * filter.heapBytes() / keys,
        8.0 * filter.toBytes().length / keys);
  }

  private static String table(Map<String, Result> results) {
    StringBuilder table = new StringBuilder("| ids | spread | PUBLISHED | EXACT_LEAVES | list |\n");
    table.append("|---|---|---|---|---|\n");
    for (String spread : new String[] {"uniform", "clustered", "sorted"}) {
      for (int keys = 1000; keys <= 1_000_000; keys *= 10) {
        String place = "002/memory/%s/keys=%d/".formatted(spread, keys);
        table.append(
            String.format(
                Locale.ROOT,
                "| %,d | %s | %.0f | %.0f | %.0f |\n",
                keys,
                spread,
                value(results, place + "published"),
                value(results, place + "exact-leaves"),
                value(results, place + "dbf")));
      }
    }
    return table.toString();
  }

  @Test
  void theFiguresAreThoseOfThePages() throws IOException {
    String guide = Files.readString(GUIDE);
    if (Boolean.getBoolean("bellows.golden.write")) {
      Files.writeString(GUIDE, generated(guide, Long.MAX_VALUE));
      guide = Files.readString(GUIDE);
    }
    assertThat(NUMBER.matcher(guide).results()).hasSizeGreaterThanOrEqualTo(2);
    assertThat(TABLE.matcher(guide).results()).hasSize(1);
    assertThat(GROWTH.matcher(guide).results()).hasSize(1);
    assertThat(guide).isEqualTo(generated(guide, 1_000_000));
  }

  @Tag("scale")
  @Test
  void theFiguresOfManyKeysAreThoseOfAFilter() throws IOException {
    String guide = Files.readString(GUIDE);
    assertThat(guide).isEqualTo(generated(guide, Long.MAX_VALUE));
  }

  @Test
  void theSizesAreThoseOfThePlanner() throws IOException {
    String guide = Files.readString(GUIDE).replaceAll("\\s+", " ");
    PartitionPlan plan = GrowthWorkload.plan();
    assertThat(guide)
        .contains(
            "A unit filter of %,d keys at 1e-4 has %,d bits"
                .formatted(plan.unitKeys(), plan.unitBits()))
        .contains(
            "--universe 2^30 --depth %d --fpp 1e-4 --hashes %d"
                .formatted(plan.depth(), plan.hashes()))
        .contains(
            "needs is %.1f bits per key"
                .formatted(BloomRates.bitsPerKey(plan.hashes(), plan.fpp())));
  }
}
