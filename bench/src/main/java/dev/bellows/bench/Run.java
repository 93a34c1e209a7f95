package dev.bellows.bench;

import dev.bellows.bench.peers.Peer;
import dev.bellows.bench.peers.Role;
import java.io.IOException;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.jr.ob.JSON;

/**
 * One run: everything that was measured, and where; as JSON it is results.json.
 *
 * @param date the day
 * @param quick whether it was a quick run
 * @param machine the processor, the cores, the JDK
 * @param versions the libraries
 * @param scores the times
 * @param stores the memory and the rates
 */
record Run(
    String date,
    boolean quick,
    Map<String, String> machine,
    Map<String, String> versions,
    List<Score> scores,
    List<Store> stores) {
  private static final JSON LINE = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

  /** Reads what {@link #json} wrote. */
  static Run read(String json) throws IOException {
    return JSON.std.beanFrom(Run.class, json);
  }

  /** Returns the text of results.json: a line for each score and store. */
  String json() throws IOException {
    StringBuilder out = new StringBuilder();
    for (Map.Entry<String, Object> field : fields().entrySet()) {
      out.append(out.isEmpty() ? "{\n" : ",\n").append(LINE.asString(field.getKey())).append(": ");
      if (field.getValue() instanceof List<?> list) {
        String between = "[\n";
        for (Object line : list) {
          out.append(between).append(LINE.asString(line));
          between = ",\n";
        }
        out.append(list.isEmpty() ? "[]" : "\n]");
      } else {
        out.append(LINE.asString(field.getValue()));
      }
    }
    return out.append("\n}\n").toString();
  }

  /** Returns the JSON object. */
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("date", date);
    fields.put("quick", quick);
    fields.put("machine", machine);
    fields.put("versions", versions);
    fields.put("scores", scores.stream().map(s -> s.fields(scores(s.operation()).get(0))).toList());
    fields.put("stores", stores.stream().map(Store::fields).toList());
    return fields;
  }

  /** Returns how the contender did. */
  Optional<Score> score(String operation, Peer peer) {
    return scores(operation).stream().filter(s -> s.peer() == peer).findFirst();
  }

  /** Returns all that took part. */
  List<Score> scores(String operation) {
    return scores.stream().filter(s -> s.operation().equals(operation)).toList();
  }

  /** Returns the fastest filter of others in an operation, apart from some. */
  Optional<Score> bestOther(String operation, Peer... but) {
    return scores(operation).stream()
        .filter(s -> !s.peer().ours() && !s.peer().floor() && !List.of(but).contains(s.peer()))
        .min(Comparator.comparingDouble(s -> s.sample().typical()));
  }

  /** Returns its memory and its rate. */
  Optional<Store> store(Role role, Peer peer, long keys) {
    return stores.stream()
        .filter(s -> s.role() == role && s.peer() == peer && s.keys() == keys)
        .findFirst();
  }
}
