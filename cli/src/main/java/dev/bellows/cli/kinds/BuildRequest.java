package dev.bellows.cli.kinds;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Progress;
import dev.bellows.cli.keys.HashSpill;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The request of {@code build}.
 *
 * @param kind what to build
 * @param size how large
 * @param scheme how keys become hashes
 * @param keys the keys
 * @param place the file that the result replaces, in which a filter larger than the heap can be
 *     filled; null if there is none
 * @param usefulness refuses the rate of a filter that is filled in its file, before it is in place
 */
public record BuildRequest(
    FilterKind kind,
    Size size,
    HashScheme scheme,
    KeyInput keys,
    @Nullable String place,
    DoubleConsumer usefulness) {
  /** A build may take one part of this many of the heap; keys and lines need some of it too. */
  private static final int HEAP_SHARE = 2;

  /** Returns the path of the place, as soon as no other process holds it. */
  Path path() throws IOException {
    String file = Objects.requireNonNull(place);
    NamedFiles.lockOrMake(keys.console(), file).close();
    return Path.of(file);
  }

  /** Returns whether so much memory must not be taken from the heap, but can be from the file. */
  boolean isFilledInFile(long bytes) {
    return place != null && bytes > Runtime.getRuntime().maxMemory() / HEAP_SHARE;
  }

  /** Shows how far a task of this many steps is. */
  Progress progress(String task, long steps) {
    return Progress.of(keys.console(), task, steps);
  }

  /** Prints a remark to the user. */
  void note(String message, @Nullable Object... values) {
    keys.console().note(message, values);
  }

  /** Returns the number of distinct keys that were set aside, and shows how far it is. */
  long count(HashSpill spill) throws IOException {
    try (Progress counting = progress("counting", spill.slices())) {
      return spill.distinct(counting::step);
    }
  }

  /** Refuses every layout but the one that the kind has. */
  void requireLayout(Layout.Family only) {
    Layout.Family asked = size.layout();
    refuse(
        asked != null && asked != only,
        "--layout " + Numbers.LayoutWord.of(asked),
        "it is " + Numbers.LayoutWord.of(only));
  }

  /** Refuses an option that means nothing for the kind. */
  void refuse(boolean given, String option, String why) {
    if (given) {
      throw new CommandFailure("%s is not valid with --kind %s: %s", option, kind.word(), why);
    }
  }
}
