package dev.bellows.cli.console;

import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import dev.bellows.FilterStats;
import dev.bellows.internal.base.Prose;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A result in its two forms: rows of a name, a value and a remark for people, fields for JSON. */
public final class Report {
  private final List<String[]> rows = new ArrayList<>();
  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  /** Adds a row without a remark, for people only. */
  public Report add(String name, Object value) {
    return add(name, value, "");
  }

  /** Adds a row, for people only; a number of type double is a rate, any other a count. */
  public Report add(String name, Object value, String remark) {
    rows.add(new String[] {name, Table.cell(value), remark});
    return this;
  }

  /** Adds a field, for JSON only. */
  public Report field(String field, @Nullable Object value) {
    fields.put(field, value);
    return this;
  }

  /** Adds a number to both forms under one name, without a remark. */
  public Report both(String name, Number value) {
    return both(name, name, value, "");
  }

  /** Adds a number to both forms under one name. */
  public Report both(String name, Number value, String remark) {
    return both(name, name, value, remark);
  }

  /** Adds a number to both forms, without a remark. */
  public Report both(String field, String name, Number value) {
    return both(field, name, value, "");
  }

  /** Adds a number to both forms; one of type double is a rate, any other a count. */
  public Report both(String field, String name, Number value, String remark) {
    return field(field, value).add(name, value, remark);
  }

  /** Adds the expected false positive rate to both forms, without a remark. */
  public Report fpp(double rate) {
    return fpp(rate, "");
  }

  /** Adds the expected false positive rate to both forms. */
  public Report fpp(double rate, String remark) {
    return both("expectedFpp", "false positives", rate, remark);
  }

  /**
   * Adds the bits of a filter to both forms.
   *
   * @param perKey the bits per key; not a number if there are no keys
   * @param remark what follows the bits per key
   */
  public Report bits(long bits, double perKey, String remark) {
    return both(
        "bits", bits, Double.isNaN(perKey) ? "" : Prose.format("%.2f per key", perKey) + remark);
  }

  /** Adds a file that was written and its size to both forms. */
  public Report file(String file, long bytes) {
    return field("file", file).field("bytes", bytes).add("file", file, Prose.bytes(bytes));
  }

  /** Adds the estimated number of keys, which is not an upper bound. */
  public Report keys(FilterStats stats) {
    return keys(stats, false);
  }

  /**
   * Adds the estimated number of keys; for a full filter it is a lower bound, and null in JSON.
   *
   * @param isMost whether it is an upper bound
   */
  public Report keys(FilterStats stats, boolean isMost) {
    Double keys = stats.approximateKeys();
    if (keys != null) {
      String bound = isMost ? "at most " : stats.isFull() ? "at least " : "";
      add("keys, estimated", bound + Prose.count(Math.round(keys)));
    }
    return field("approximateKeys", Json.keys(stats));
  }

  /** Returns the fields, in their order. */
  public Map<String, @Nullable Object> fields() {
    return fields;
  }

  /** Returns the rows as a table. */
  @Override
  public String toString() {
    return Table.of(new Column[] {left(), left(), left()}, rows);
  }

  private static Column left() {
    return new Column().dataAlign(HorizontalAlign.LEFT).maxWidth(100);
  }
}
