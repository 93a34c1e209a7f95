package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Output;
import dev.bellows.cli.console.OutputName;
import dev.bellows.cli.console.ProcessMemory;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.StandardOutput;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.keys.TimeOptions;
import dev.bellows.cli.kinds.Ability;
import dev.bellows.cli.kinds.DurableFolders;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.window.WindowFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows uniq}: each line the first time it is seen. */
@Command(
    name = "uniq",
    description = {
      "Prints each line the first time it is seen, in the order of the input, which need not be"
          + " sorted.",
      "It keeps a filter of kind fingerprint, about 4 bytes per distinct line, not the lines. So a"
          + " new line is mistaken for a repetition at the rate of --fpp; standard error says at"
          + " the end how many new lines that may have been.",
      "With --within a line is printed unless the same one was seen within that span of time: it"
          + " keeps a filter of kind window-prefixes, and forgets what is older. Times are those at"
          + " which lines are read, or those of a column. Lines that come later than the span after"
          + " the newest one are late: they are counted and not printed.",
      "With --state the filter is read from FILE at the start and written back at the end, after"
          + " the last line was printed. A run that fails or is interrupted leaves the file as it"
          + " was: the next one prints the same lines again.",
      "If FILE ends with / or is a folder, the state is durable: each group of lines, up to 64 KiB"
          + " of input, is printed and then remembered in a journal. A run that is killed at any"
          + " moment forgets nothing that it printed before its last group; the next run prints at"
          + " most the new lines of that group again."
    },
    footer = {
      "  bellows uniq access.log > distinct.log",
      "  tail -f events.tsv | bellows uniq --field 2",
      "  bellows uniq --within 24h --time-field 1 --field 2 examples/visits.tsv",
      "  tail -f events.tsv | bellows uniq --within 10m --field 2",
      "  bellows uniq --state seen.fingerprint monday.txt > new-on-monday.txt",
      "  bellows uniq --state seen.fingerprint tuesday.txt > new-on-tuesday.txt",
      "  tail -f events.tsv | bellows uniq --state seen/ >> new-events.tsv",
      "  tail -f events.tsv | bellows uniq --within 24h --state day/ >> new.tsv"
    })
public final class Uniq extends Verb {
  private static final double DEFAULT_FPP = 1e-6;

  /** The ending of the second file of a state. */
  private static final String REPEATED = ".repeated";

  /** Smaller numbers of lines are shown with fractions. */
  private static final double FEW = 100;

  @Parameters(paramLabel = "INPUT", description = "Files of lines; - or none is standard input.")
  List<String> inputs = List.of();

  @Option(
      names = "--fpp",
      paramLabel = "P",
      description =
          "The rate at which a new line may be mistaken for a repetition (default: 1e-6).")
  @Nullable Double fpp;

  @Option(
      names = "--within",
      paramLabel = "SPAN",
      description = "Print a line unless it was seen within SPAN, e.g. 24h, 15m, 90s.")
  @Nullable Duration within;

  @Option(
      names = "--state",
      paramLabel = "FILE",
      description =
          "What earlier runs have seen; created if missing. It may be a filter written by build"
              + " --kind fingerprint.")
  @Nullable String state;

  @Option(
      names = "--repeated",
      description = "Print the other lines: every one that was seen before.")
  boolean repeated;

  @Option(
      names = "--first-repeated",
      description =
          "Print one line of every group of equal lines: the second one. This takes a second"
              + " filter, and with --state a second file, FILE.repeated.")
  boolean firstRepeated;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FILE",
      converter = OutputName.class,
      defaultValue = "-",
      description =
          "Where the lines go; - is standard output (default). With a file --json is possible.")
  String output;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = "Write the numbers of the run as JSON.")
  @Nullable String report;

  @Option(
      names = "--key-file",
      paramLabel = "FILE",
      description =
          "Hash with SipHash-2-4 under the secret key in FILE, so that an attacker cannot choose"
              + " lines that are dropped: "
              + SchemeOptions.FORMS)
  void setKeyFile(String keyFile) {
    key.keyFile = keyFile;
  }

  @Mixin KeyOptions keyOptions = new KeyOptions();

  @Mixin TimeOptions times = new TimeOptions();

  private final Lines.Page page = new Lines.Page();
  private long lines;
  private long unique;
  private long groups;

  /** The secret key of the filters, if there is one. */
  private final SchemeOptions key = new SchemeOptions();

  /** What was seen: forever, or within a window. */
  private Durable seen;

  /** The same filter, if it is a window. */
  private @Nullable WindowFilter window;

  /** How many lines were too late before this run. */
  private long lateBefore;

  /** With --first-repeated: what was seen twice. */
  private @Nullable FingerprintFilter twice;

  private double expectedDropped;

  @Override
  public Integer call() throws IOException {
    check();
    if (isDurable()) {
      printDurably();
      return OK;
    }
    try (AtomicFile target = state == null ? null : NamedFiles.lockOrMake(console(), state)) {
      begin(read(state));
      String second = state == null ? null : state + REPEATED;
      if (firstRepeated) {
        requireTogether(second);
        twice = (FingerprintFilter) read(second);
      }
      try (Output lines = Output.open(console(), output)) {
        lines.write(out -> scan(out, null));
        console().out().flush();
      } catch (StandardOutput.ReaderGone e) {
        if (state != null) {
          say(state + " is unchanged: not all lines could be printed");
        }
        throw e;
      }
      if (target != null) {
        if (twice != null) {
          // first: if the second write fails, the groups of this run are not printed again
          NamedFiles.write(console(), second, twice::writeTo);
        }
        target.replace(seen::writeTo);
      }
      end();
    }
    return OK;
  }

  private void begin(Durable filter) {
    seen = filter;
    window = filter instanceof WindowFilter times ? times : null;
    lateBefore = window == null ? 0 : window.lateKeys();
  }

  /** Returns how many lines came too late to be judged. */
  private long late() {
    return window == null ? 0 : window.lateKeys() - lateBefore;
  }

  /** Refuses a state without its second file: groups that were printed would be printed again. */
  private void requireTogether(@Nullable String second) {
    if (state != null && Files.exists(Path.of(state)) && !Files.exists(Path.of(second))) {
      throw new CommandFailure(
          "%s was written without --first-repeated, and %s is missing: name "
              + "another state, or leave out --first-repeated",
          state, second);
    }
  }

  private void check() throws IOException {
    if (firstRepeated && isDurable()) {
      throw misuse("--first-repeated keeps its state in files, not in a folder: name a file");
    }
    if (within != null && firstRepeated) {
      throw misuse("--first-repeated and --within exclude each other: groups have no window");
    }
    if (repeated && firstRepeated) {
      throw misuse(
          "--repeated prints every repetition and --first-repeated one: use only one of them");
    }
    requireOutput(output, inputs);
    if (state != null) {
      if (state.equals("-")) {
        throw misuse("the state is updated in place: name its file");
      }
      if (isDurable() && !output.equals("-") && AtomicFile.isReplaced(Path.of(output))) {
        throw misuse(
            "with the folder %s as state lines are remembered when they are "
                + "printed, and -o %s would appear at the end only: redirect standard "
                + "output instead",
            state, output);
      }
      NamedFiles.requireOneName(state);
      refuseSame(state, "state", inputs);
      if (path(state).equals(path(output)) || NamedFiles.same(state, output)) {
        throw misuse("the state " + state + " is the output too: name another file");
      }
    }
    if (report != null) {
      if (report.equals("-")) {
        throw misuse("--report needs a file; --json prints the same on standard output, with -o");
      }
      NamedFiles.requireWritable(report);
      refuseSame(report, "report", inputs);
      if (path(report).equals(path(output)) || state != null && path(report).equals(path(state))) {
        throw misuse("the report " + report + " is another result too: name another file");
      }
    }
  }

  private boolean isDurable() {
    return state != null && DurableFolders.isFolder(state);
  }

  /**
   * Prints with a durable state. A group of lines is printed first and then remembered: after a
   * kill in between, the new lines of that group are printed again, and no line is lost.
   */
  private void printDurably() throws IOException {
    try (DurableFilter<Durable> folder = openFolder()) {
      FilterFiles.requireKey(folder.hashScheme(), state, key.keyFile != null);
      begin(usable(folder.read(filter -> filter), state));
      scan(console().out(), folder);
      folder.checkpoint();
      end();
    }
  }

  private Durable uncheckedCreated() {
    try {
      return created();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private DurableFilter<Durable> openFolder() throws IOException {
    DurableFilter<Durable> folder =
        DurableFolders.waiting(
            console(),
            state,
            () ->
                // another process may create it in the meantime
                DurableFolders.isDurable(state)
                    ? DurableFolders.open(state, key.scheme())
                    : DurableFilter.open(Path.of(state), this::uncheckedCreated, Sync.NEVER));
    if (folder.recovery().cutBytes() > 0) {
      say(
          "%s: the last run was interrupted; %d bytes of an incomplete group were cut off",
          state, folder.recovery().cutBytes());
    }
    return folder;
  }

  private void printDurably(
      DurableFilter<?> folder, Lines group, long[] hashes, int count, OutputStream out)
      throws IOException {
    page.reset();
    DurableFolders.Pending pending = new DurableFolders.Pending();
    Set<Long> inGroup = new HashSet<>();
    Instant generation = null;
    int stored = 0;
    for (int i = 0; i < count; i++) {
      long millis = 0;
      if (window != null) {
        millis = times.millis(keyOptions, group, i);
        Instant time = Instant.ofEpochMilli(millis);
        Instant its = window.generationStart(time);
        if (!its.equals(generation)) {
          // earlier lines are remembered before the clock advances, and may expire
          remember(folder, pending, out);
          pending = new DurableFolders.Pending();
          inGroup.clear();
          generation = its;
        }
        if (window.now().isPresent() && window.now().get().minus(window.window()).isAfter(time)) {
          // counts it
          folder.putIfAbsentHash(hashes[i], millis);
          continue;
        }
        folder.advanceTo(time);
      }
      boolean isNew = !folder.mightContainHash(hashes[i]) && inGroup.add(hashes[i]);
      if (window != null) {
        // a repetition is seen again, and expires later
        pending.add(hashes[i], millis);
      } else if (isNew) {
        pending.add(hashes[i]);
      }
      stored += isNew ? 1 : 0;
      if (isNew != repeated) {
        page.addWhole(group, i);
      }
    }
    remember(folder, pending, out);
    count(count, stored);
  }

  /** Prints the selected lines, then remembers them. */
  private void remember(DurableFilter<?> folder, DurableFolders.Pending pending, OutputStream out)
      throws IOException {
    page.writeTo(out);
    out.flush();
    page.reset();
    pending.applyTo(folder, Ability.PUT);
  }

  private static Path path(String file) {
    return Path.of(file).toAbsolutePath().normalize();
  }

  private void refuseSame(String file, String what, List<String> others) throws IOException {
    for (String other : others) {
      if (NamedFiles.same(file, other)) {
        throw misuse("the %s %s is one of the inputs: name another file", what, file);
      }
    }
  }

  private Durable created() throws IOException {
    HashScheme given = Objects.requireNonNullElse(key.scheme(), HashScheme.DEFAULT);
    HashScheme scheme = given.withKeyType(keyOptions.type(false));
    double rate = fpp == null ? DEFAULT_FPP : fpp;
    if (within != null) {
      return WindowFilter.builder().window(within).fpp(rate).hashScheme(scheme).dropLate().build();
    }
    requireNoTimes();
    return FingerprintFilter.builder().fpp(rate).hashScheme(scheme).build();
  }

  private void requireNoTimes() {
    if (times.isGiven()) {
      throw misuse("--time-field and --time-format need --within: without it lines have no times");
    }
  }

  /** Returns the filter of a file, or a new one if there is none. */
  private Durable read(@Nullable String file) throws IOException {
    return file == null || !Files.exists(Path.of(file))
        ? created()
        : usable(FilterFiles.open(console(), file, key).filter, file);
  }

  /** Refuses a filter that is not the state of a run with these options. */
  private Durable usable(Filter filter, String file) {
    if (filter instanceof WindowFilter times && !firstRepeated) {
      if (within != null && !within.equals(times.window())) {
        throw new CommandFailure(
            "%s has a window of %s, not %s: leave out --within, or name another state",
            file, times.window(), within);
      }
    } else if (within != null) {
      throw FilterFiles.ofKind(
          filter, file, ", which knows no times: leave out --within, or name another state");
    } else {
      requireNoTimes();
      String why =
          ": a state of uniq is of kind fingerprint; name another one, which will be created";
      if (FilterFiles.require(FingerprintFilter.class, filter, file, why).isRemovable()) {
        throw new CommandFailure(
            file
                + " is removable, and would store every repetition: name another state, or one"
                + " built without --removable");
      }
    }
    Double itsFpp = filter.stats().targetFpp();
    if (fpp != null && !fpp.equals(itsFpp)) {
      throw new CommandFailure(
          "%s was begun with --fpp %s, not %s: leave out --fpp, or name another state",
          file, itsFpp, fpp);
    }
    keyOptions.follow(filter.hashScheme().keyType(), file);
    return (Durable) filter;
  }

  /** Passes the lines of all inputs, in groups; with a folder, each is remembered at once. */
  private void scan(OutputStream out, @Nullable DurableFilter<?> folder) throws IOException {
    KeyCode code = KeyCode.hashes(seen.hashScheme());
    if (times.hasField()) {
      keyOptions.useColumns();
    }
    keyOptions.scan(
        console(),
        inputs,
        group ->
            group.pass(
                code,
                keyOptions.isLongs(),
                (hashes, count) -> {
                  if (folder == null) {
                    print(group, hashes, count, out);
                  } else {
                    printDurably(folder, group, hashes, count, out);
                  }
                }));
  }

  /** Puts the first keys of a group and prints the lines of those that are new, or the others. */
  private void print(Lines group, long[] hashes, int count, OutputStream out) throws IOException {
    page.reset();
    int stored = 0;
    for (int i = 0; i < count; i++) {
      long before = late();
      boolean isNew =
          window == null
              ? seen.putHash(hashes[i])
              : window.putIfAbsentHash(hashes[i], times.millis(keyOptions, group, i));
      stored += isNew ? 1 : 0;
      boolean isLate = late() > before;
      if (!isLate && (twice != null ? !isNew && isSecond(hashes[i]) : isNew != repeated)) {
        page.addWhole(group, i);
      }
    }
    page.writeTo(out);
    count(count, stored);
  }

  private void count(int count, int stored) {
    lines += count;
    unique += stored;
    if (stored > 0) {
      // At rate r the share 1 - r of all new lines is stored, so that r / (1 - r) were dropped for
      // each of these. Repetitions do not count, because they are dropped correctly. The rate after
      // the group is the highest in it.
      double rate = Math.min(seen.expectedFpp(), 0.5);
      expectedDropped += stored * rate / (1 - rate);
    }
  }

  private boolean isSecond(long hash) {
    boolean isSecond = twice != null && twice.putHash(hash);
    groups += isSecond ? 1 : 0;
    return isSecond;
  }

  private void end() throws IOException {
    long kept = Math.round(Objects.requireNonNull(seen.stats().approximateKeys()));
    long bytes = window == null ? ((FingerprintFilter) seen).heapBytes() : window.heapBytes();
    long late = late();
    OptionalLong peak = ProcessMemory.peakBytes();
    Report numbers =
        new Report()
            .field("file", output)
            .both("lines", lines)
            .both("unique", unique, repeated || firstRepeated ? "" : "printed")
            .both("repeated", lines - unique - late, repeated ? "printed" : "")
            .field("late", late)
            .field("expectedDropped", expectedDropped)
            .add(
                "taken for repeated",
                expectedDropped < FEW
                    ? Prose.format("%.3g", expectedDropped).replace("e-0", "e-")
                    : Prose.count(Math.round(expectedDropped)),
                "new lines, on average")
            .fpp(seen.expectedFpp(), "of the next new line")
            .field("state", state)
            .field("keys", kept)
            .field("bytes", bytes)
            .field("processPeakBytes", peak.isPresent() ? peak.getAsLong() : null)
            .add("filter", Prose.bytes(bytes), Prose.format("for %,d lines seen", kept));
    if (twice != null) {
      numbers
          .both("groups", "repeated groups", groups, "printed")
          .add("second filter", Prose.bytes(twice.heapBytes()), "for lines seen twice");
    }
    if (peak.isPresent()) {
      numbers.add("process", Prose.bytes(peak.getAsLong()), "at its peak, the JVM included");
    }
    if (late > 0) {
      numbers.add("late", late, "not printed: too old for the window");
    }
    if (report != null) {
      byte[] content = Json.object(numbers.fields()).getBytes(StandardCharsets.UTF_8);
      NamedFiles.write(console(), report, out -> out.write(content));
    }
    if (json) {
      report(numbers);
    } else {
      console().out().flush();
      console().notePage(numbers);
    }
  }
}
