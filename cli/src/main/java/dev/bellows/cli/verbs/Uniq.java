package dev.bellows.cli.verbs;

import dev.bellows.Durable;
import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.Messages;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Numbers;
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
import dev.bellows.window.WindowFilter.Seen;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
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
          + " which lines are read, or those of a column. A line is forgotten up to a part of the"
          + " span late, with --within 10m after 10m to 10m13s (2.2 %% at 47 parts, 3.3 %% at 31): the"
          + " report counts the lines in question (pastWindow), and --edge says what happens to"
          + " them. Lines that come later than the span after the newest one are late: they are"
          + " counted and not printed.",
      "A line without a key or a time stops the run; --skip-bad counts such lines instead. With"
          + " --state FILE nothing of a stopped run is remembered; a durable state remembers the"
          + " lines before the bad one, which were printed.",
      "Lines are hashed with a random secret, so that nobody can choose lines that make others"
          + " disappear. That of a new state is kept in FILE.key, which only its owner can read:"
          + " keep the two together. --key-file names another one.",
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
      "  tail -f events.tsv | bellows uniq --within 24h --state day/ >> new.tsv",
      "  bellows uniq --within 10m --time-field 1 --refuse-ahead 1h --skip-bad \\",
      "    --time-format 'yyyy-MM-dd HH:mm:ss,SSS' --field 3 app.log"
    })
public final class Uniq extends Verb {
  private static final double DEFAULT_FPP = 1e-6;

  /** The ending of the second file of a state. */
  private static final String REPEATED = ".repeated";

  private static final long NO_TIME = Long.MIN_VALUE;

  /** The possible numbers of generations, most precise first. */
  private static final int[] GENERATIONS = {47, 31, 15, 7, 3};

  /** The number of stored lines after which the rate is looked at again. */
  private static final int SETTLED = 256;

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
      names = "--generations",
      paramLabel = "G",
      description =
          "With --within: parts of the span, 3, 7, 15, 31 or 47 (default). A line is forgotten up"
              + " to a part late.")
  @Nullable Integer generations;

  @Option(
      names = "--edge",
      paramLabel = "WORD",
      converter = EdgeWord.class,
      completionCandidates = EdgeWord.class,
      description =
          "With --within: lines last seen about SPAN ago, within a part of it, are printed as new"
              + " ones (print) or dropped as repetitions (drop, the default).")
  @Nullable Edge edge;

  @Option(
      names = "--refuse-ahead",
      paramLabel = "SPAN",
      description =
          "With --time-field: refuse a line whose time is more than SPAN after the newest one, or"
              + " after now if it is the first, instead of advancing to it. Without this option a"
              + " line that advances by more than the window is reported.")
  @Nullable Duration refuseAhead;

  @Option(
      names = "--skip-bad",
      description =
          "Count lines without a key or a time, and those of --refuse-ahead, and do not print"
              + " them, instead of stopping at the first one.")
  boolean skipBad;

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
          "Hash with the secret key in FILE: "
              + SchemeOptions.FORMS
              + " Default: a random one; with --state, that in FILE.key.")
  void setKeyFile(String keyFile) {
    key.keyFile = keyFile;
  }

  @Mixin KeyOptions keyOptions = new KeyOptions();

  @Mixin TimeOptions times = new TimeOptions();

  private final Lines.Page page = new Lines.Page();
  private long lines;

  /** The number of lines that count as new. */
  private long unique;

  private long groups;
  private long pastWindow;
  private long late;
  private long bad;

  /** How many of the last lines were all too far ahead. */
  private long aheadInARow;

  /** The secret key of the filters, if it is in a file. */
  private final SchemeOptions key = new SchemeOptions();

  /** What was seen: forever, or within a window. */
  private Durable seen;

  /** The same filter, if it is a window. */
  private @Nullable WindowFilter window;

  /** The newest time so far, in milliseconds: that of the window, or of a line not yet stored. */
  private long clock = NO_TIME;

  /** The clock at the beginning, as an earlier run left it. */
  private long firstClock = NO_TIME;

  /** The longest way by which one line moved the clock, if it is more than the window. */
  private long longestJump;

  /** With --first-repeated: what was seen twice. */
  private @Nullable FingerprintFilter twice;

  private final Mistakes dropped = new Mistakes();
  private final Mistakes missedGroups = new Mistakes();

  /** What happens to a line whose only match is in the oldest generation. */
  enum Edge {
    PRINT,
    DROP
  }

  /** Both by their word. */
  static final class EdgeWord extends Numbers.Word<Edge> {
    EdgeWord() {
      super("what happens at the edge", Edge.values(), e -> e.name().toLowerCase(Locale.ROOT));
    }
  }

  /**
   * The expected number of absent keys that a filter took for present ones. At rate r the share 1 -
   * r of all absent keys is stored, so that r / (1 - r) were mistaken for each of these.
   * Repetitions do not count, because they are recognized correctly.
   */
  private static final class Mistakes {
    private double sum;
    private double rate;
    private long stored;

    /**
     * Adds the keys that were stored since the last call, at the mean of the rates of both calls.
     */
    void settle(double newRate) {
      double mean = Math.min((rate + newRate) / 2, 0.5);
      sum += stored * mean / (1 - mean);
      rate = newRate;
      stored = 0;
    }
  }

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
        missedGroups.settle(twice.expectedFpp());
      }
      try (Output lines = Output.open(console(), output)) {
        lines.write(out -> scan(out, null));
        console().out().flush();
      } catch (Lines.Bad e) {
        throw stopped(
            e,
            state == null
                ? ""
                : state + " is unchanged, so the next run prints the lines before this one again");
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
    dropped.settle(rate());
    if (window == null) {
      if (generations != null || edge != null || refuseAhead != null) {
        throw misuse("--generations, --edge and --refuse-ahead need --within");
      }
      return;
    }
    if (refuseAhead != null && !times.hasField()) {
      throw misuse("--refuse-ahead needs --time-field: lines are never read in the future");
    }
    if (window.now().isPresent()) {
      Instant now = window.now().get();
      firstClock = clock = now.toEpochMilli();
      times.continueFrom(now);
      long ahead = clock - System.currentTimeMillis();
      if (!times.hasField() && ahead > window.window().toMillis()) {
        say(
            "warning: the clock of %s is at %s, %s after that of this machine: time continues from"
                + " there",
            state, now, Messages.span(ahead));
      }
    }
  }

  /** Returns the rate at which a new line is taken for a repetition now. */
  private double rate() {
    return window == null || edge != Edge.PRINT
        ? seen.expectedFpp()
        : Math.min(
            seen.expectedFpp(),
            window.generations().stream()
                .skip(1)
                .mapToDouble(WindowFilter.Generation::expectedFpp)
                .sum());
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

  /** Returns what the user is told about a bad line. */
  private static CommandFailure stopped(Lines.Bad e, String state) {
    String more = state.isEmpty() ? "" : "; " + state;
    return new CommandFailure(e.getMessage() + "; --skip-bad skips such lines" + more, e);
  }

  private void check() throws IOException {
    if (skipBad) {
      keyOptions.skipBad();
    }
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
      if (path(output).equals(SchemeOptions.beside(state))) {
        throw misuse("the output " + output + " is the key file of the state: name another file");
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
      try {
        scan(console().out(), folder);
      } catch (Lines.Bad e) {
        folder.checkpoint();
        throw stopped(e, "the lines before it are printed, and remembered in " + state);
      }
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
    Files.createDirectories(Path.of(state).toAbsolutePath().getParent());
    DurableFilter<Durable> folder =
        DurableFolders.waiting(
            console(),
            state,
            () ->
                // another process may create it in the meantime
                DurableFolders.isDurable(state)
                    ? DurableFolders.open(state, FilterFiles.scheme(state, key))
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
    Unstored unstored = new Unstored();
    Lines.Refused refusal = null;
    for (int i = 0; i < count && refusal == null; i++) {
      try {
        long millis = window == null ? 0 : time(group, i);
        if (window != null && !isLate(millis) && entersGeneration(millis)) {
          // earlier lines are remembered before the clock advances, and may expire
          remember(folder, unstored, out);
          unstored = new Unstored();
          folder.advanceTo(Instant.ofEpochMilli(millis));
        }
        judge(group, i, hashes[i], seenDurably(folder, unstored, hashes[i], millis));
      } catch (Lines.Refused e) {
        refusal = skipped(group, e);
      }
    }
    remember(folder, unstored, out);
    if (refusal != null) {
      throw refusal;
    }
  }

  /** The lines of a group that are not stored yet. */
  private static final class Unstored {
    private final DurableFolders.Pending pending = new DurableFolders.Pending();

    /** Hashes and times. */
    private final List<long[]> late = new ArrayList<>();

    /** The newest time of each hash. */
    private final Map<Long, Long> times = new HashMap<>();
  }

  private Seen seenDurably(DurableFilter<?> folder, Unstored unstored, long hash, long millis) {
    if (window == null) {
      if (folder.mightContainHash(hash) || unstored.times.put(hash, millis) != null) {
        return Seen.WITHIN;
      }
      unstored.pending.add(hash);
      return Seen.ABSENT;
    }
    if (isLate(millis)) {
      unstored.late.add(new long[] {hash, millis});
      return Seen.LATE;
    }
    clock = Math.max(clock, millis);
    Seen before = window.seeHash(hash);
    Long time = unstored.times.get(hash);
    if (time != null && before != Seen.WITHIN) {
      long oldest = window.expiry(clock - window.window().toMillis());
      before = window.expiry(time) > oldest ? Seen.WITHIN : Seen.EDGE;
    }
    unstored.times.merge(hash, millis, Math::max);
    // a repetition is seen again, and expires later
    unstored.pending.add(hash, millis);
    return before;
  }

  /** Prints the selected lines, then remembers them. */
  private void remember(DurableFilter<?> folder, Unstored unstored, OutputStream out)
      throws IOException {
    page.writeTo(out);
    out.flush();
    page.reset();
    unstored.pending.applyTo(folder, Ability.PUT);
    unstored.late.forEach(late -> folder.putIfAbsentHash(late[0], late[1])); // counts them
    settle();
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
    if (state != null && key.keyFile == null) {
      key.keyFile = SchemeOptions.makeBeside(state).toString();
    }
    HashScheme given = Objects.requireNonNullElseGet(key.scheme(), SchemeOptions::random);
    HashScheme scheme = given.withKeyType(keyOptions.type(false));
    double rate = fpp == null ? DEFAULT_FPP : fpp;
    if (within != null) {
      long millis = within.toMillis();
      int parts =
          generations != null
              ? generations
              : Arrays.stream(GENERATIONS).filter(g -> g <= millis).findFirst().orElse(3);
      return WindowFilter.builder()
          .window(within)
          .generations(parts)
          .fpp(rate)
          .hashScheme(scheme)
          .dropLate()
          .build();
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
      int parts = times.generationsPerWindow();
      if (generations != null && generations != parts) {
        throw new CommandFailure(
            "%s has %d generations, not %d: leave out --generations, or name another state",
            file, parts, generations);
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
                  if (group.skipped() > 0) {
                    skipped(group.skipped(), group.whySkipped());
                  }
                  page.reset();
                  if (folder == null) {
                    print(group, hashes, count, out);
                  } else {
                    printDurably(folder, group, hashes, count, out);
                  }
                  lines += count + group.skipped();
                }));
  }

  /** Puts the first keys of a group and prints the lines of those that are new, or the others. */
  private void print(Lines group, long[] hashes, int count, OutputStream out) throws IOException {
    Lines.Refused refusal = null;
    for (int i = 0; i < count && refusal == null; i++) {
      try {
        judge(group, i, hashes[i], put(group, i, hashes[i]));
      } catch (Lines.Refused e) {
        refusal = skipped(group, e);
      }
    }
    page.writeTo(out);
    settle();
    if (refusal != null) {
      throw refusal;
    }
  }

  /** Puts a key and returns what was known of it before. */
  private Seen put(Lines group, int index, long hash) {
    if (window == null) {
      return seen.putHash(hash) ? Seen.ABSENT : Seen.WITHIN;
    }
    long millis = time(group, index);
    if (!isLate(millis)
        && (dropped.stored >= SETTLED || isJump(millis))
        && entersGeneration(millis)) {
      settle(); // at the rate before keys expire
    }
    try {
      Seen before = window.putAndSeeHash(hash, millis);
      clock = Math.max(clock, millis);
      return before;
    } catch (IllegalArgumentException e) {
      throw new Lines.Refused(index, e); // by a state that was built with other rules
    }
  }

  /** Returns the time of a line; refuses it if it is too far ahead, and warns of a jump. */
  private long time(Lines group, int index) {
    long millis = times.millis(keyOptions, group, index);
    long newest = clock == NO_TIME ? System.currentTimeMillis() : clock;
    if (refuseAhead != null && millis - newest > refuseAhead.toMillis()) {
      aheadInARow++;
      throw new Lines.Refused(
          index,
          new IllegalArgumentException(
              Messages.of(
                  "the time %s is %s after %s, more than --refuse-ahead %s",
                  Instant.ofEpochMilli(millis),
                  Messages.span(millis - newest),
                  Instant.ofEpochMilli(newest),
                  Messages.span(refuseAhead.toMillis()))));
    }
    aheadInARow = 0;
    if (times.hasField() && isJump(millis) && millis - clock > 2 * longestJump) {
      longestJump = millis - clock;
      say(
          "warning: %s: the time %s moves the clock by %s, more than the window: everything before"
              + " is forgotten, and lines of earlier times will be late; --refuse-ahead SPAN"
              + " refuses such a line",
          group.place(index), Instant.ofEpochMilli(millis), Messages.span(longestJump));
    }
    return millis;
  }

  /** Returns whether a time moves the clock by more than the window. */
  private boolean isJump(long millis) {
    return clock != NO_TIME && millis - clock > window.window().toMillis();
  }

  private boolean isLate(long millis) {
    return clock != NO_TIME && clock - millis > window.window().toMillis();
  }

  /** Returns whether a time moves the clock to another generation. */
  private boolean entersGeneration(long millis) {
    return clock == NO_TIME || millis > clock && window.expiry(millis) != window.expiry(clock);
  }

  /** Counts a line and prints it, if it is one of those to be printed. */
  private void judge(Lines group, int index, long hash, Seen before) {
    if (before == Seen.LATE) {
      if (late++ == 0 && clock == firstClock) {
        say(
            "warning: %s is late: the clock of %s is at %s, where an earlier run moved it",
            group.place(index), state, Instant.ofEpochMilli(clock));
      }
      return;
    }
    boolean isAtEdge = before == Seen.EDGE;
    pastWindow += isAtEdge ? 1 : 0;
    boolean isNew = before == Seen.ABSENT || isAtEdge && edge == Edge.PRINT;
    unique += isNew ? 1 : 0;
    dropped.stored += isNew ? 1 : 0;
    if (twice != null ? !isNew && isSecond(hash) : isNew != repeated) {
      page.addWhole(group, index);
    }
  }

  /**
   * Counts a line that was refused, and returns null; or returns the refusal if it stops the run.
   */
  private Lines.@Nullable Refused skipped(Lines group, Lines.Refused refusal) {
    if (!skipBad) {
      return refusal;
    }
    skipped(1, group.place(refusal.index()) + ": " + refusal.getMessage());
    return null;
  }

  private void skipped(int count, String first) {
    if (bad == 0) {
      say("warning: %s: skipped, like all bad lines after it", first);
    }
    bad += count;
  }

  private void settle() {
    if (dropped.stored > 0) {
      dropped.settle(rate());
    }
    if (twice != null) {
      missedGroups.settle(twice.expectedFpp());
    }
  }

  private boolean isSecond(long hash) {
    boolean isSecond = twice != null && twice.putHash(hash);
    groups += isSecond ? 1 : 0;
    missedGroups.stored += isSecond ? 1 : 0;
    return isSecond;
  }

  private void end() throws IOException {
    long kept = Math.round(Objects.requireNonNull(seen.stats().approximateKeys()));
    long bytes = window == null ? ((FingerprintFilter) seen).heapBytes() : window.heapBytes();
    OptionalLong peak = ProcessMemory.peakBytes();
    Report numbers =
        new Report()
            .field("file", output)
            .both("lines", lines)
            .both("unique", unique, repeated || firstRepeated ? "" : "printed")
            .both("repeated", lines - unique - late - bad, repeated ? "printed" : "")
            .field("late", late)
            .field("bad", bad)
            .field("expectedDropped", dropped.sum)
            .add(
                "taken for repeated",
                few(dropped.sum),
                (window == null ? "" : "at most, ") + "new lines, on average")
            .fpp(seen.expectedFpp(), "of the next new line")
            .field("state", state)
            .field("keys", kept)
            .field("bytes", bytes)
            .field("processPeakBytes", peak.isPresent() ? peak.getAsLong() : null)
            .add("filter", Prose.bytes(bytes), Prose.format("for %,d lines seen", kept));
    if (window != null) {
      addWindow(numbers, window);
    }
    if (twice != null) {
      numbers
          .both("groups", "repeated groups", groups, "printed")
          .field("expectedGroupsMissed", missedGroups.sum)
          .add("groups missed", few(missedGroups.sum), "on average")
          .add("second filter", Prose.bytes(twice.heapBytes()), "for lines seen twice");
    }
    if (peak.isPresent()) {
      numbers.add("process", Prose.bytes(peak.getAsLong()), "at its peak, the JVM included");
    }
    if (bad > 0) {
      numbers.add("bad", bad, "not printed: without a key or a time, or too far ahead");
    }
    if (aheadInARow > 1) {
      say(
          "warning: the last %d lines were refused, because they are too far ahead of %s: if the"
              + " input has such a gap, give a longer --refuse-ahead",
          aheadInARow, Instant.ofEpochMilli(clock));
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

  private void addWindow(Report numbers, WindowFilter window) {
    long span = window.window().toMillis();
    int parts = window.generationsPerWindow();
    long tolerance = (span + parts - 1) / parts;
    boolean isPrinted = edge == Edge.PRINT;
    numbers
        .field("window", window.window().toString())
        .field("generations", parts)
        .field("tolerance", Duration.ofMillis(tolerance).toString())
        .add(
            "window",
            Messages.span(span),
            "up to "
                + Messages.span(span + tolerance)
                + Prose.format(" (%.1f %%, %d generations)", 100.0 / parts, parts))
        .both(
            "pastWindow",
            "past the window",
            pastWindow,
            isPrinted
                ? "at most, taken for new: some were seen within it"
                : "at most, taken for repeated");
    if (late > 0) {
      numbers.add(
          "late",
          late,
          "not printed: more than %s before the newest, %s"
              .formatted(Messages.span(span), Instant.ofEpochMilli(clock)));
    }
  }

  private static String few(double count) {
    return count < FEW
        ? Prose.format("%.3g", count).replace("e-0", "e-")
        : Prose.count(Math.round(count));
  }
}
