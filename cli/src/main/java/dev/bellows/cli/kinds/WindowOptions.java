package dev.bellows.cli.kinds;

import dev.bellows.cli.console.Numbers;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code build --kind window} adds. */
public final class WindowOptions {
  @Option(
      names = "--window",
      paramLabel = "SPAN",
      converter = Numbers.Span.class,
      description = "How long a key is found, e.g. 24h, 15m, 90s; needed.")
  @Nullable Duration window;

  @Option(
      names = "--generations",
      paramLabel = "G",
      description =
          "Parts of a window: 3, 7 or 15 (default: 7). A key expires up to a part after its"
              + " window.")
  @Nullable Integer generations;

  @Option(
      names = "--elastic",
      description = "With --keys: the size follows the load, at most twofold per generation.")
  boolean elastic;

  @Option(
      names = "--drop-late",
      description =
          "Count and drop keys that come later than a window after the newest one, instead of"
              + " refusing them.")
  boolean dropLate;
}
