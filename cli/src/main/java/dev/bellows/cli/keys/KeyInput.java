package dev.bellows.cli.keys;

import dev.bellows.cli.console.Console;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The keys that a verb was given, one per line; they can be read once. */
public final class KeyInput {
  private final Console console;
  private final List<String> inputs;
  private final KeyOptions options;
  private final boolean longs;
  private final Lines.@Nullable Test test;
  private final @Nullable TimeOptions times;

  /**
   * Returns the lines of files as keys.
   *
   * @param inputs the files; {@code -} or none is standard input
   * @param options how lines become keys
   */
  public KeyInput(Console console, List<String> inputs, KeyOptions options) {
    this(console, inputs, options, options.isLongs(), null);
  }

  /** The same, without the keys that do not pass a test. */
  public KeyInput(
      Console console,
      List<String> inputs,
      KeyOptions options,
      boolean longs,
      Lines.@Nullable Test test) {
    this(console, inputs, options, longs, test, null);
  }

  private KeyInput(
      Console console,
      List<String> inputs,
      KeyOptions options,
      boolean longs,
      Lines.@Nullable Test test,
      @Nullable TimeOptions times) {
    this.console = console;
    this.inputs = inputs;
    this.options = options;
    this.longs = longs;
    this.test = test;
    this.times = times;
  }

  /** Returns whether the lines are decimal longs. */
  public boolean isLongs() {
    return longs;
  }

  /** Passes the codes of all keys, in groups, and returns how many lines there were. */
  public long forEach(KeyCode code, KeyCode.Group group) throws IOException {
    return options.scan(
        console,
        inputs,
        lines -> {
          if (test != null) {
            lines.retain(test);
          }
          lines.pass(code, longs, group);
        });
  }

  /** Takes the hash and the time of a key. */
  @FunctionalInterface
  public interface Timed {
    /** Takes one key; an IllegalArgumentException refuses it. */
    void accept(long code, long millis);
  }

  /** Passes the codes of all keys with their times and returns how many lines there were. */
  public long forEachTimed(KeyCode code, Timed group) throws IOException {
    TimeOptions of = times == null ? new TimeOptions() : times;
    return options.scan(
        console,
        inputs,
        lines ->
            lines.pass(
                code,
                longs,
                (codes, count) -> {
                  for (int i = 0; i < count; i++) {
                    try {
                      group.accept(codes[i], of.millis(options, lines, i));
                    } catch (Lines.Refused e) {
                      throw e;
                    } catch (IllegalArgumentException e) {
                      throw new Lines.Refused(i, e);
                    }
                  }
                }));
  }

  /** The same keys with the times of their lines. */
  public KeyInput withTimes(TimeOptions of) {
    if (of.hasField()) {
      options.useColumns();
    }
    return new KeyInput(console, inputs, options, longs, test, of);
  }

  /** Passes every line, or its column, as text and returns how many lines there were. */
  public long forEachText(Consumer<String> consumer) throws IOException {
    options.requireTexts();
    return options.scan(
        console,
        inputs,
        lines -> {
          for (int i = 0; i < lines.count(); i++) {
            try {
              consumer.accept(lines.text(i));
            } catch (IllegalArgumentException e) {
              throw new Lines.Refused(i, e);
            }
          }
        });
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
