package dev.bellows.papers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** The file results.json: an object with the list {@code results}, one line per number. */
public final class ResultsFile {
  private static final JSON LINE = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

  private ResultsFile() {}

  /** Writes the results. */
  public static void write(Path file, List<Result> results) throws IOException {
    StringBuilder out = new StringBuilder("{\"results\": [\n");
    for (int i = 0; i < results.size(); i++) {
      out.append(LINE.asString(results.get(i).fields()));
      out.append(i + 1 < results.size() ? ",\n" : "\n");
    }
    Files.writeString(file, out.append("]}\n"));
  }

  /** Reads the results of an earlier run. */
  public static List<Result> read(Path file) throws IOException {
    Map<String, Object> object = JSON.std.mapFrom(Files.readString(file));
    List<Result> results = new ArrayList<>();
    for (Object entry : (List<?>) object.getOrDefault("results", List.of())) {
      results.add(result((Map<?, ?>) entry));
    }
    return results;
  }

  private static Result result(Map<?, ?> fields) {
    return new Result(
        String.valueOf(fields.get("id")),
        String.valueOf(fields.get("what")),
        real(fields.get("printed")),
        (String) fields.get("rule"),
        real(fields.get("formula")),
        real(fields.get("measured")),
        real(fields.get("low")),
        real(fields.get("high")),
        real(fields.get("alpha")),
        Result.Comparison.ofWords(fields.get("comparison")),
        (Boolean) fields.get("agrees"),
        (String) fields.get("erratum"));
  }

  private static @Nullable Double real(@Nullable Object value) {
    return value instanceof Number number ? (Double) number.doubleValue() : null;
  }
}
