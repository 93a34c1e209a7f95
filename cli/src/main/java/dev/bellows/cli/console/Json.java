package dev.bellows.cli.console;

import dev.bellows.FilterStats;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/** One JSON object on one line: doubles in full, null for what is unbounded or unknown. */
public final class Json {
  private static final JSON WRITER = JSON.std.with(JSON.Feature.WRITE_NULL_PROPERTIES);

  private Json() {}

  public static String object(Map<String, ?> fields) {
    return WRITER.asString(finite(fields)) + "\n";
  }

  /** Returns a few fields in their order: names and values in turn. */
  public static Map<String, @Nullable Object> fields(@Nullable Object... namesAndValues) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }

  /** Returns a text as JSON. */
  public static String string(String text) {
    return WRITER.asString(text);
  }

  /** Returns the pattern of a filter's blocks, as text; null if it has none. */
  public static @Nullable String pattern(FilterStats stats) {
    return stats.pattern() == null ? null : stats.pattern().toString();
  }

  /**
   * Returns the estimated number of keys; null if the kind has no estimate, or the filter is full.
   */
  public static @Nullable Double keys(FilterStats stats) {
    return stats.isFull() ? null : stats.approximateKeys();
  }

  private static @Nullable Object finite(@Nullable Object value) {
    if (value instanceof Double real) {
      return Double.isFinite(real) ? real : null;
    }
    if (value instanceof Map<?, ?> map) {
      Map<Object, @Nullable Object> copy = new LinkedHashMap<>();
      map.forEach((name, field) -> copy.put(name, finite(field)));
      return copy;
    }
    if (value instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>();
      list.forEach(element -> copy.add(finite(element)));
      return copy;
    }
    return value;
  }
}
