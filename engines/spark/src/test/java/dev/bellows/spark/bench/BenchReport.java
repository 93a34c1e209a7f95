package dev.bellows.spark.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.package$;

/** The numbers of one run, as JSON and as the page that people read. */
record BenchReport(
    long rows,
    long keys,
    double scanSeconds,
    List<Aggregate> aggregates,
    List<Size> sizes,
    List<Asked> asked,
    List<Join> selective,
    long unselectiveKeys,
    List<Join> unselective,
    long groupKeys,
    List<Memory> memory) {

  /** One aggregate; seconds ascending. */
  record Aggregate(
      String name,
      List<Double> seconds,
      List<Double> cpuSeconds,
      long shuffleBytes,
      long filterBytes,
      double measuredFpp) {}

  /** One filter of this many keys. */
  record Size(long keys, double seconds, long filterBytes) {}

  /** One way in which a filter reaches its rows. */
  record Asked(String name, long filterBytes, double seconds) {}

  /** One join; seconds ascending. */
  record Join(
      String name,
      String filter,
      List<Double> seconds,
      List<Double> cpuSeconds,
      long shuffleBytes,
      long checksum) {}

  /** The least heap with which a query ended. */
  record Memory(String name, int megabytes, double seconds) {}

  private static double median(List<Double> ascending) {
    return ascending.get(ascending.size() / 2);
  }

  void write(Path base) throws IOException {
    Files.createDirectories(base.toAbsolutePath().getParent());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    json.put("spark", package$.MODULE$.SPARK_VERSION());
    json.put("java", System.getProperty("java.version"));
    json.put("processors", Runtime.getRuntime().availableProcessors());
    json.put("report", this);
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    Files.writeString(Path.of(base + ".json"), mapper.writeValueAsString(json) + "\n");
    Files.writeString(Path.of(base + ".md"), page());
  }

  private String page() {
    StringBuilder page = new StringBuilder();
    page.append(
        text(
            """
            # Bellows on Spark, measured

            Spark %s in local mode, Java %s, %d processors, %s. Made by `SparkBench` (`mvn -B -pl engines/spark -am test -Pspark-bench`);
            wall times are medians where there are several runs; everything was measured in one run.

            ## A filter of a column

            %,d rows, %,d distinct keys at a power law, over 400 tasks of 1/32, 1/213 and 1/1600 of the rows. Asked for: fpp %s.
            Measured with %,d keys that are not in it. Reading the rows alone takes %.1f s.

            | aggregate | runs | wall time | of Spark's right size | tasks' processor time | shuffle | filter | measured fpp |
            |---|---|---|---|---|---|---|---|
            """,
            package$.MODULE$.SPARK_VERSION(),
            System.getProperty("java.version"),
            Runtime.getRuntime().availableProcessors(),
            LocalDate.now(ZoneOffset.UTC),
            rows,
            keys,
            AggregateBench.FPP,
            AggregateBench.ABSENT_KEYS,
            scanSeconds));
    for (Aggregate row : aggregates) {
      page.append(
          text(
              "| %s | %d | %.1f s | %.2fx | %.1f s | %.1f MB | %.2f MB | %.5f |%n",
              row.name,
              row.seconds.size(),
              median(row.seconds),
              median(row.seconds) / median(aggregates.get(1).seconds),
              median(row.cpuSeconds),
              row.shuffleBytes / 1e6,
              row.filterBytes / 1e6,
              row.measuredFpp));
    }
    page.append(
        "\nFilters of other numbers of keys, at the same rate:\n\n"
            + "| keys | wall time | filter | bits per key |\n|---|---|---|---|\n");
    for (Size row : sizes) {
      page.append(
          text(
              "| %,d | %.1f s | %.2f MB | %.2f |%n",
              row.keys, row.seconds, row.filterBytes / 1e6, 8.0 * row.filterBytes / row.keys));
    }
    page.append(memoryTable());
    page.append(askedTable());
    page.append(
        text(
            """

            ## A join that drops nearly all rows

            %,d rows with %,d rows, one row in a thousand has a partner.
            """,
            rows, Math.max(1, rows / 1000)));
    page.append(joinTable(selective));
    page.append(
        text(
            """

            ## A join that drops half of its rows

            %,d rows with %,d rows of as many keys, every second row has a partner. `BloomJoin` estimates first, and filters only where the
            large side has at least 6 rows for each key (`spark.bellows.join.minRowsPerKey`; 0 filters always).
            """,
            4 * unselectiveKeys, unselectiveKeys));
    page.append(joinTable(unselective));
    return page.toString();
  }

  private String memoryTable() {
    StringBuilder table = new StringBuilder();
    table.append(
        text(
            """

            ## Memory: few groups of many keys

            %,d rows in %d groups of %,d keys each, two tasks at a time, in a process of its own with a heap of `-Xmx`. Bellows is told
            nothing, Spark the right number of keys.

            | aggregate | least heap that suffices | wall time with it |
            |---|---|---|
            """,
            MemoryQuery.GROUPS * groupKeys, MemoryQuery.GROUPS, groupKeys));
    for (Memory row : memory) {
      table.append(text("| %s | %d MB | %.0f s |%n", row.name, row.megabytes, row.seconds));
    }
    return table.toString();
  }

  private String askedTable() {
    StringBuilder table = new StringBuilder();
    table.append(
        text(
            """

            ## Where a filter comes from

            One filter of %.2f MB, asked about %,d rows.

            | the filter is | wall time |
            |---|---|
            """,
            asked.get(0).filterBytes / 1e6, rows / 5000));
    for (Asked row : asked) {
      table.append(text("| %s | %.2f s |%n", row.name, row.seconds));
    }
    return table.toString();
  }

  private static String joinTable(List<Join> joins) {
    StringBuilder table = new StringBuilder();
    table.append("\n| join | filter | runs | wall time | tasks' processor time | shuffle |\n");
    table.append("|---|---|---|---|---|---|\n");
    for (Join row : joins) {
      table.append(
          text(
              "| %s | %s | %d | %.1f s | %.1f s | %.2f MB |%n",
              row.name,
              row.filter,
              row.seconds.size(),
              median(row.seconds),
              median(row.cpuSeconds),
              row.shuffleBytes / 1e6));
    }
    return table.toString();
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
