package dev.bellows.cli.kinds;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Numbers;
import dev.bellows.cli.console.Progress;
import dev.bellows.cli.keys.HashSpill;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The request of {@code build}.
 *
 * @param kind what to build
 * @param size how large
 * @param scheme how keys become hashes
 * @param keys the keys
 * @param note where remarks to the user go
 * @param progress shows how far a task is
 * @param place the file in which a filter larger than the heap can be filled; null if there is none
 * @param usefulness refuses the rate of a filter that is filled in its file, before it is in place
 */
public record BuildRequest(
    FilterKind kind,
    Size size,
    HashScheme scheme,
    KeyInput keys,
    Consumer<String> note,
    Progress.Maker progress,
    @Nullable Place place,
    DoubleConsumer usefulness) {
  /** A file that the result replaces. */
  @FunctionalInterface
  public interface Place {
    /** Returns its path, as soon as no other process holds it. */
    Path path() throws IOException;
  }

  /** Returns the number of distinct keys that were set aside, and shows how far it is. */
  long count(HashSpill spill) throws IOException {
    try (Progress counting = progress.begin("counting", spill.slices())) {
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
