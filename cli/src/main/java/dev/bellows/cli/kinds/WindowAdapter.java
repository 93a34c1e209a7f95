package dev.bellows.cli.kinds;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.kinds.DurableFolders.Pending;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterKind;
import dev.bellows.window.WindowFilter;
import dev.bellows.window.WindowPlan;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Kinds window and window-prefixes, which needs no number of keys: keys have times and expire. */
public final class WindowAdapter extends KindAdapter<WindowFilter> {
  WindowAdapter(WindowFilter filter) {
    super(
        filter,
        isOfPrefixes(filter) ? "the sum over its prefixes" : "of all generations together",
        isOfPrefixes(filter));
  }

  private static boolean isOfPrefixes(WindowFilter filter) {
    return filter.kind() == FilterKind.WINDOW_PREFIXES;
  }

  public static Built build(BuildRequest request, Options own) throws IOException {
    Size size = request.size();
    request.refuse(size.bits() != null, "--bits", "give --keys and --fpp");
    request.refuse(size.hashes() != null, "--hashes", "they follow from --fpp");
    request.refuse(size.pattern() != null, "--pattern", "it follows from --fpp");
    request.refuse(size.layout() != null, "--layout", "it has its own");
    request.refuse(size.capacity() != null, "--capacity", "give --keys and --fpp");
    Duration window = own.window;
    if (window == null) {
      throw new CommandFailure("--kind window needs its span of time: give --window, e.g. 24h");
    }
    WindowFilter.Builder builder =
        WindowFilter.builder()
            .window(window)
            .generations(own.generations == null ? 7 : own.generations)
            .fpp(size.fppOrDefault())
            .hashScheme(request.scheme());
    Optional.ofNullable(size.keys()).ifPresent(builder::keys);
    if (own.elastic) {
      request.refuse(size.keys() == null, "--elastic without --keys", "it follows the load anyway");
      builder.elastic();
    }
    if (own.dropLate) {
      builder.dropLate();
    }
    if (own.refuseAhead) {
      builder.refuseAhead();
    }
    if (own.keepFirst) {
      builder.keepFirst();
    }
    WindowFilter filter = builder.build();
    long lines = new WindowAdapter(filter).put(request.keys(), null).lines();
    return new Built(
        filter,
        lines,
        (double) filter.approximateElementCount(),
        Built.Known.FROM_FILL,
        size.fppOrDefault(),
        false);
  }

  /** Puts every key at its time; keys that were not seen within the window are new. */
  @Override
  public Changes put(KeyInput input, @Nullable Pending pending) throws IOException {
    long[] fresh = {0};
    long lateBefore = filter.lateKeys();
    long lines =
        input.forEachTimed(
            KeyCode.hashes(filter.hashScheme()),
            (hash, millis) -> {
              long late = filter.lateKeys();
              fresh[0] += isFresh(hash, millis) ? 1 : 0;
              if (pending != null && filter.lateKeys() == late) {
                pending.add(hash, millis);
              }
            });
    long dropped = filter.lateKeys() - lateBefore;
    if (dropped > 0) {
      input
          .console()
          .note("%s %s dropped", Prose.plural(dropped, "late key"), dropped == 1 ? "was" : "were");
    }
    return new Changes(lines, fresh[0], lines - fresh[0]);
  }

  /** Puts a key at its time; returns whether it was not seen within the window. */
  private boolean isFresh(long hash, long millis) {
    try {
      return filter.putIfAbsentHash(hash, millis);
    } catch (IllegalArgumentException e) {
      // the same in words of the command line
      throw new IllegalArgumentException(
          String.valueOf(e.getMessage())
              .replace("build the filter with dropLate()", "build it with --drop-late")
              .replace(
                  "call advanceTo first", "check the time, or build it without --refuse-ahead"),
          e);
    }
  }

  /** Moves the clock, as far as it may be moved. */
  public void advanceTo(Instant time, String file) {
    Instant now = filter.now().orElse(time);
    if (time.isBefore(now)) {
      throw new IllegalArgumentException(
          "the clock of %s is at %s and does not run back to %s".formatted(file, now, time));
    }
    filter.advanceTo(time);
  }

  @Override
  public void addBuilt(Report report, FileSize size) {
    report
        .field("window", filter.window().toString())
        .field("generations", filter.generationsPerWindow());
  }

  /** A refreshed key may have several prefixes. */
  @Override
  public boolean keysAreBound() {
    return filter.kind() == FilterKind.WINDOW_PREFIXES;
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("window", filter.window().toString());
    fields.put("fpp", filter.targetFpp());
    fields.put("now", filter.now().map(Instant::toString).orElse(null));
    fields.put("late", filter.lateKeys());
    fields.put("generations", filter.generations().stream().map(WindowAdapter::fields).toList());
  }

  private static Map<String, @Nullable Object> fields(WindowFilter.Generation generation) {
    String from = generation.from().toString();
    String to = generation.to().toString();
    double fpp = generation.expectedFpp();
    return Json.fields("from", from, "to", to, "keys", generation.keys(), "expectedFpp", fpp);
  }

  /** Keys that all come at once fill a single generation, which is planned for a share of them. */
  @Override
  public String roomAdvice(FilterStats stats) {
    Optional<WindowPlan> plan = filter.plan();
    if (plan.isEmpty()) {
      return super.roomAdvice(stats);
    }
    double fullest =
        filter.generations().stream().mapToDouble(WindowFilter.Generation::keys).max().orElse(0);
    return "a generation has room for %s keys, and the fullest has about %s; raise --keys, give the keys their times (--time-field), or leave out --keys so that the filter grows"
        .formatted(Prose.count(plan.get().keysPerGeneration()), Prose.count(Math.round(fullest)));
  }

  @Override
  public long foldedBy(long resultBits) {
    return isOfPrefixes(filter) ? 1 : super.foldedBy(resultBits);
  }

  @Override
  public String wayOut(KindAdapter<?> other, String name, String otherName) {
    return " (build both with the same --window, --generations and --fpp, and both with or both"
        + " without --keys)";
  }

  /** What {@code build --kind window} adds. */
  public static final class Options {
    @Option(
        names = "--window",
        paramLabel = "SPAN",
        description = "How long a key is found, e.g. 24h, 15m, 90s; needed.")
    @Nullable Duration window;

    @Option(
        names = "--generations",
        paramLabel = "G",
        description =
            "Parts of a window: 3, 7 (default), 15, 31 or, without --keys, 47. A key expires up to a"
                + " part after its window.")
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

    @Option(
        names = "--refuse-ahead",
        description =
            "Refuse keys that are more than a generation ahead of the clock. By default they"
                + " advance it, so that one wrong time in the future makes older keys expire.")
    boolean refuseAhead;

    @Option(
        names = "--keep-first",
        description = "Keep the first time of a key that comes again, instead of refreshing it.")
    boolean keepFirst;
  }
}
