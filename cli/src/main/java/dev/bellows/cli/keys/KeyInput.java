package dev.bellows.cli.keys;

import dev.bellows.cli.console.Console;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a verb was given, one per line; they can be read once.
 *
 * @param inputs the files; {@code -} or none is standard input
 * @param options how lines become keys
 * @param isLongs whether the lines are decimal longs
 * @param test keys that do not pass it are left out; null for none
 * @param times the times of the lines
 */
public record KeyInput(
    Console console,
    List<String> inputs,
    KeyOptions options,
    boolean isLongs,
    Lines.@Nullable Test test,
    TimeOptions times) {
  /** All lines of files as keys, at the time at which they are read. */
  public KeyInput(Console console, List<String> inputs, KeyOptions options) {
    this(console, inputs, options, options.isLongs(), null, new TimeOptions());
  }

  /** Passes the codes of all keys, in groups, and returns how many lines there were. */
  public long forEach(KeyCode code, KeyCode.Group group) throws IOException {
    return options.scan(console, inputs, lines -> lines.pass(code, isLongs, test, group));
  }

  /** Takes the hash and the time of a key. */
  @FunctionalInterface
  public interface Timed {
    /** Takes one key; an IllegalArgumentException refuses it. */
    void accept(long code, long millis);
  }

  /** Passes the codes of all keys with their times and returns how many lines there were. */
  public long forEachTimed(KeyCode code, Timed group) throws IOException {
    return options.scan(
        console,
        inputs,
        lines ->
            lines.pass(
                code,
                isLongs,
                (codes, count) ->
                    Lines.each(
                        count, i -> group.accept(codes[i], times.millis(options, lines, i)))));
  }

  /** The same keys with the times of their lines. */
  public KeyInput withTimes(TimeOptions of) {
    if (of.hasField()) {
      options.useColumns();
    }
    return new KeyInput(console, inputs, options, isLongs, test, of);
  }

  /** Passes every line, or its column, as text and returns how many lines there were. */
  public long forEachText(Consumer<String> consumer) throws IOException {
    options.requireTexts();
    return options.scan(
        console, inputs, lines -> Lines.each(lines.count(), i -> consumer.accept(lines.text(i))));
  }

  /** Passes the code of every distinct key once and returns how many lines there were. */
  public long forEachDistinct(KeyCode code, KeyCode.Group group) throws IOException {
    try (HashSpill distinct = new HashSpill()) {
      long lines = forEach(code, distinct::add);
      int bits = distinct.sliceBits();
      for (long slice = 0; slice < 1L << bits; slice++) {
        distinct.slice(bits, slice, group);
      }
      return lines;
    }
  }
}
