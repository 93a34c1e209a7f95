package dev.bellows.cli.kinds;

import dev.bellows.internal.base.Prose;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema.Attribute;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Lines about a range filter: {@code NAME=VALUE}, {@code NAME=LOW..HIGH} or {@code NAME=text}.
 * Space around names and values does not count.
 */
final class RangeLine {
  private final RangeBloomFilter filter;
  private final Set<String> numeric;

  RangeLine(RangeBloomFilter filter) {
    this.filter = filter;
    this.numeric =
        filter.schema().attributes().stream().map(Attribute::name).collect(Collectors.toSet());
  }

  /** Puts the value of the line, unless it is blank; true iff a bit changed. */
  boolean put(String line, Consumer<String> note) {
    if (line.isBlank()) {
      return false;
    }
    String name = name(line);
    String value = value(line);
    if (numeric.contains(name)) {
      RangeText.Interval interval = RangeText.interval(value);
      return filter.putRange(name, interval.low(), interval.high());
    }
    if (RangeText.isNumbers(value) && filter.schema().isOpen()) {
      note.accept(
          "note: '%s' has no domain, so %s is stored as text".formatted(name, Prose.quote(value)));
    }
    return filter.put(name, value);
  }

  /** Returns whether the text, the number, or every (or some) number of the range may be in it. */
  boolean ask(String line, boolean some) {
    String name = name(line);
    String value = value(line);
    if (!numeric.contains(name)) {
      return filter.mightContain(name, value);
    }
    RangeText.Interval interval = RangeText.interval(value);
    return some
        ? filter.mightIntersect(name, interval.low(), interval.high())
        : filter.mightContainRange(name, interval.low(), interval.high());
  }

  private static String name(String line) {
    int equals = line.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException(
          Prose.quote(line) + " has no '=': write NAME=VALUE, NAME=LOW..HIGH or NAME=text");
    }
    return line.substring(0, equals).strip();
  }

  private static String value(String line) {
    return line.substring(line.indexOf('=') + 1).strip();
  }
}
