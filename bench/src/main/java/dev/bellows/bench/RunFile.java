package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** A run as JSON: results.json, a line for each score and store. */
final class RunFile {
  private static final JSON LINE = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

  private RunFile() {}

  /** The JSON object. */
  static Map<String, Object> fields(Run run) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("date", run.date());
    fields.put("quick", run.quick());
    fields.put("machine", run.machine());
    fields.put("versions", run.versions());
    fields.put("scores", run.scores().stream().map(s -> score(run, s)).toList());
    fields.put("stores", run.stores().stream().map(RunFile::store).toList());
    return fields;
  }

  /** The text of the file. */
  static String text(Run run) throws IOException {
    StringBuilder out = new StringBuilder("{\n");
    String between = "";
    for (Map.Entry<String, Object> field : fields(run).entrySet()) {
      out.append(between).append(LINE.asString(field.getKey())).append(": ");
      between = ",\n";
      if (field.getValue() instanceof List<?> list) {
        String comma = "[\n";
        for (Object line : list) {
          out.append(comma).append(LINE.asString(line));
          comma = ",\n";
        }
        out.append(list.isEmpty() ? "[]" : "\n]");
      } else {
        out.append(LINE.asString(field.getValue()));
      }
    }
    return out.append("\n}\n").toString();
  }

  /** Reads it back. */
  static Run run(String text) throws IOException {
    Map<String, Object> fields = JSON.std.mapFrom(text);
    List<Score> scores = new ArrayList<>();
    for (Object entry : (List<?>) fields.getOrDefault("scores", List.of())) {
      Map<?, ?> score = (Map<?, ?>) entry;
      List<double[]> forks = new ArrayList<>();
      for (Object fork : (List<?>) score.get("forks")) {
        forks.add(((List<?>) fork).stream().mapToDouble(RunFile::real).toArray());
      }
      scores.add(
          new Score(
              String.valueOf(score.get("operation")),
              Peer.valueOf(String.valueOf(score.get("peer"))),
              new Sample(forks),
              real(score.get("bytesPerOperation"))));
    }
    List<Store> stores = new ArrayList<>();
    for (Object entry : (List<?>) fields.getOrDefault("stores", List.of())) {
      Map<?, ?> store = (Map<?, ?>) entry;
      stores.add(
          new Store(
              Role.valueOf(String.valueOf(store.get("role"))),
              Peer.valueOf(String.valueOf(store.get("peer"))),
              (long) real(store.get("keys")),
              (long) real(store.get("bits")),
              (long) real(store.get("falsePositives")),
              (long) real(store.get("asked"))));
    }
    return new Run(
        String.valueOf(fields.get("date")),
        Boolean.TRUE.equals(fields.get("quick")),
        strings(fields.get("machine")),
        strings(fields.get("versions")),
        scores,
        stores);
  }

  private static Map<String, Object> score(Run run, Score score) {
    Map<String, Object> fields = new LinkedHashMap<>();
    Sample.Estimate median = score.sample().medianEstimate();
    fields.put("operation", score.operation());
    fields.put("peer", score.peer().name());
    fields.put("least", score.sample().least());
    fields.put("median", median.value());
    fields.put("low", median.low());
    fields.put("high", median.high());
    Score reference = run.scores(score.operation()).get(0);
    Sample.Estimate ratio = score.sample().ratioTo(reference.sample());
    fields.put("ratioTo", reference.peer().name());
    fields.put("ratio", ratio.value());
    fields.put("ratioLow", ratio.low());
    fields.put("ratioHigh", ratio.high());
    fields.put("bytesPerOperation", finite(score.garbage()));
    fields.put(
        "forks",
        score.sample().forks().stream().map(f -> Arrays.stream(f).boxed().toList()).toList());
    return fields;
  }

  private static Map<String, Object> store(Store store) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("role", store.role().name());
    fields.put("peer", store.peer().name());
    fields.put("keys", store.keys());
    fields.put("bits", store.bits());
    fields.put("bitsPerKey", store.bitsPerKey());
    fields.put("falsePositives", store.falsePositives());
    fields.put("asked", store.asked());
    fields.put("fpp", finite(store.fpp()));
    fields.put("fppLow", store.asked() == 0 ? null : store.interval().low());
    fields.put("fppHigh", store.asked() == 0 ? null : store.interval().high());
    return fields;
  }

  private static @Nullable Double finite(double value) {
    return Double.isFinite(value) ? (Double) value : null;
  }

  private static double real(@Nullable Object value) {
    return value instanceof Number number ? number.doubleValue() : Double.NaN;
  }

  private static Map<String, String> strings(@Nullable Object object) {
    Map<String, String> strings = new LinkedHashMap<>();
    if (object instanceof Map<?, ?> map) {
      map.forEach((key, value) -> strings.put(String.valueOf(key), String.valueOf(value)));
    }
    return strings;
  }
}
