package dev.bellows.spark.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.spark.package$;

/** The numbers of one run, as JSON and as the page that people read. */
record BenchReport(
    long rows,
    long keys,
    double fpp,
    int absentKeys,
    double scanSeconds,
    List<Aggregate> aggregates,
    List<Join> joins) {

  /** One aggregate; seconds ascending. */
  record Aggregate(
      String name,
      List<Double> seconds,
      List<Double> cpuSeconds,
      long shuffleBytes,
      long filterBytes,
      double measuredFpp) {}

  /** One join; seconds ascending. */
  record Join(
      String name,
      boolean prefilter,
      List<Double> seconds,
      List<Double> cpuSeconds,
      long shuffleBytes,
      long checksum) {}

  private static double median(List<Double> ascending) {
    return ascending.get(ascending.size() / 2);
  }

  void write(Path base) throws IOException {
    Files.createDirectories(base.toAbsolutePath().getParent());
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("date", LocalDate.now(java.time.ZoneOffset.UTC).toString());
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

            Spark %s in local mode, Java %s, %d processors, %s. Made by `SparkBench` (`mvn -B -pl spark -am test -Pspark-bench`);
            wall times are medians of %d runs; everything stands in one process and one run.

            ## A filter of a column

            %,d rows, %,d distinct keys at a power law, over 400 tasks of 1/32, 1/213 and 1/1600 of the rows. Asked for: fpp %s.
            Measured with %,d keys that are not in it. Reading the rows alone takes %.1f s.

            | aggregate | wall time | of Spark's right size | tasks' processor time | shuffle | filter | measured fpp |
            |---|---|---|---|---|---|---|
            """,
            package$.MODULE$.SPARK_VERSION(),
            System.getProperty("java.version"),
            Runtime.getRuntime().availableProcessors(),
            LocalDate.now(java.time.ZoneOffset.UTC),
            aggregates.get(0).seconds.size(),
            rows,
            keys,
            fpp,
            absentKeys,
            scanSeconds));
    for (Aggregate row : aggregates) {
      page.append(
          text(
              "| %s | %.1f s | %.2fx | %.1f s | %.1f MB | %.2f MB | %.5f |%n",
              row.name,
              median(row.seconds),
              median(row.seconds) / median(aggregates.get(1).seconds),
              median(row.cpuSeconds),
              row.shuffleBytes / 1e6,
              row.filterBytes / 1e6,
              row.measuredFpp));
    }
    page.append(
        text(
            """

            ## A join

            %,d rows with %,d rows, one row in a thousand has a partner.

            | join | prefilter | wall time | tasks' processor time | shuffle |
            |---|---|---|---|---|
            """,
            rows, Math.max(1, rows / 1000)));
    for (Join row : joins) {
      page.append(
          text(
              "| %s | %s | %.1f s | %.1f s | %.1f MB |%n",
              row.name,
              row.prefilter ? "BloomJoin" : "none",
              median(row.seconds),
              median(row.cpuSeconds),
              row.shuffleBytes / 1e6));
    }
    return page.toString();
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
