package dev.bellows.cli.verbs;

import dev.bellows.autoscale.GradedMembership;
import dev.bellows.cli.console.Json;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.cli.keys.TimeFormat;
import dev.bellows.cli.keys.TimeOptions;
import dev.bellows.cli.kinds.FilterFiles;
import dev.bellows.cli.kinds.ForeignOptions;
import dev.bellows.cli.kinds.KindAdapter;
import dev.bellows.cli.kinds.RetuneOptions;
import dev.bellows.cli.kinds.WindowAdapter;
import dev.bellows.foreign.ForeignFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows query}: which keys may be in a filter, like grep. */
@Command(
    name = "query",
    description = {
      "Prints the keys that the filter accepts: those that may be in it.",
      "The other keys are certainly not in it. Only kinds autoscale, binarized and"
          + " binarized-counting may also reject stored keys, at the rate that info states.",
      "A filter of kind range is queried with NAME=VALUE, NAME=LOW..HIGH (every number in it) and"
          + " NAME=text.",
      "Keys are the arguments, or the lines of --from, or else the lines of standard input. With"
          + " --field, whole lines are printed if the filter accepts their column. Exit code 1 if"
          + " no key was printed (or counted).",
      "With --json, the keys are printed while they are read, and the numbers after them."
    },
    footer = {
      "  bellows query words.bloom bellows billows",
      "  bellows query --invert words.bloom < essay.txt",
      "  bellows query -v words.bloom -f essay.txt",
      "  bellows query -q words.bloom bellows && echo known",
      "  bellows query users.bloom --from access.tsv --field 2",
      "  bellows query seen.window --at 2026-03-02T12:00:00Z alice",
      "  bellows query ages.range age=25 age=22..28",
      "  bellows query keys.auto --theta 4 --decision 60 alice bob",
      "  bellows query keys.auto --evidence --from keys.txt",
      "  bellows query keys.counting --theta 2 --decision 5 alice bob",
      "  bellows query users.guava --format guava --key-type utf8 alice bob"
    })
public final class Query extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "KEY",
      description = "Keys to query (after --, they may begin with a dash).")
  List<String> keys = List.of();

  @Option(
      names = {"-f", "--from"},
      paramLabel = "FILE",
      description = "Query every line of FILE; - is standard input. May be repeated.")
  List<String> from = List.of();

  @Option(
      names = {"-v", "--invert"},
      description = "Print the keys that are not accepted.")
  boolean invert;

  @Option(
      names = {"-c", "--count"},
      description = "Print only the number of keys.")
  boolean count;

  @Option(
      names = "-q",
      description =
          "Print nothing: the exit code alone says whether a key would be printed. Stops at the"
              + " first one.")
  boolean exitCodeOnly;

  @Option(
      names = "--only-field",
      description = "With --field: print the column instead of the whole line.")
  boolean onlyField;

  @Option(
      names = "--intersect",
      description =
          "Kind range: NAME=LOW..HIGH matches if any number in it may be there, instead of every"
              + " one.")
  boolean intersect;

  @Option(
      names = "--evidence",
      description =
          "Kinds with thresholds: after each key and a tab, print how many of its positions hit.")
  boolean evidence;

  @Option(
      names = "--at",
      paramLabel = "TIME",
      description =
          "Kind window: as of TIME, e.g. 2026-03-01T12:00:00Z or now (default: the time of its"
              + " newest key).")
  @Nullable String at;

  @Option(
      names = "--time-format",
      paramLabel = "FORMAT",
      converter = TimeFormat.Reader.class,
      completionCandidates = TimeFormat.Reader.class,
      description = "How --at is written: " + TimeOptions.FORMATS + " (default: as above).")
  @Nullable TimeFormat timeFormat;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();
  @Mixin ForeignOptions foreignOptions = new ForeignOptions();
  @Mixin RetuneOptions retune = new RetuneOptions();

  private final Lines.Page page = new Lines.Page();
  private DoubleSupplier expectedFpp = () -> Double.NaN;
  private boolean[] hits = {};
  private long[] weights = {};
  private long asked;
  private long selected;
  private boolean begun;

  @Override
  public Integer call() throws IOException {
    check();
    foreignOptions.refuseOurs(schemeOptions, retune);
    Lines.Query question = question();
    if (keys.isEmpty()) {
      try {
        keyOptions.scan(console(), from, lines -> answer(question, lines));
      } catch (Decided e) {
        return OK;
      }
    } else {
      answer(question, Lines.of(keys.stream().map(keyOptions::bytes).toList()));
      noteFiles();
    }
    end();
    return selected > 0 ? OK : NOTHING;
  }

  private void check() {
    if (!keys.isEmpty() && !from.isEmpty()) {
      throw misuse("give keys as KEY or as the lines of --from, not both");
    }
    if (file.equals("-") && (keys.isEmpty() && from.isEmpty() || from.contains("-"))) {
      throw misuse(
          "standard input can be the filter or the keys, not both: give the keys as KEY or --from");
    }
    if (exitCodeOnly && (json || count)) {
      throw misuse("-q prints nothing: leave it out, or leave out --json and --count");
    }
    if (onlyField && !keyOptions.hasField()) {
      throw misuse("--only-field needs --field");
    }
  }

  /** A file name among the keys that were not found was perhaps meant as a file of keys. */
  private void noteFiles() {
    for (int i = 0; i < keys.size(); i++) {
      String key = keys.get(i);
      if (!hits[i] && isFile(key)) {
        note(
            "%s was queried as a key, but a file has that name: --from %s queries its lines",
            key, key);
        return;
      }
    }
  }

  private static boolean isFile(String key) {
    try {
      return !key.isEmpty() && Files.isRegularFile(Path.of(key));
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private Lines.Query question() throws IOException {
    ForeignFilter foreign = foreignOptions.read(console(), file);
    if (foreign == null) {
      KindAdapter<?> adapter =
          retune.read(FilterFiles.openMapped(console(), file, schemeOptions), file);
      keyOptions.follow(adapter.filter.hashScheme().keyType(), NamedFiles.name(file));
      if (at != null) {
        if (!(adapter instanceof WindowAdapter window)) {
          throw misuse(
              "--at is only valid with a filter of kind window, not "
                  + adapter.filter.kind().word());
        }
        window.advanceTo(TimeOptions.time(at, "--at", timeFormat), NamedFiles.name(file));
      }
      expectedFpp = adapter::askedFpp;
      return evidence ? weighing(adapter) : adapter.question(keyOptions, intersect);
    }
    if (at != null) {
      throw misuse("--at is only valid with a filter of kind window, not with --format");
    }
    expectedFpp = () -> foreign.stats().expectedFpp();
    if (evidence) {
      throw misuse("--evidence is only valid with kinds that have thresholds, not with --format");
    }
    if (intersect) {
      throw misuse("--intersect is only valid with a filter of kind range, not with --format");
    }
    return Lines.Query.each(
        ForeignOptions.test(foreign, foreignOptions.keyType(foreign, keyOptions)));
  }

  /** Queries the evidence of keys, which decides. */
  private Lines.Query weighing(KindAdapter<?> adapter) {
    if (!(adapter.filter instanceof GradedMembership graded)) {
      throw misuse(
          "--evidence is only valid with kinds autoscale and binarized, and with kind counting and"
              + " --theta: %s is of kind %s",
          NamedFiles.name(file), adapter.filter.kind().word());
    }
    boolean longs = keyOptions.isLongs();
    long decision = graded.decision();
    return (lines, answers) -> {
      if (weights.length < lines.count()) {
        weights = new long[lines.count()];
      }
      lines.pass(
          adapter.keys(longs).code(),
          longs,
          (codes, count) -> {
            for (int i = 0; i < count; i++) {
              weights[i] = graded.evidenceHash(codes[i]);
              answers[i] = weights[i] >= decision;
            }
          });
    };
  }

  /** Queries the lines and prints those that are selected, up to one that is refused. */
  private void answer(Lines.Query question, Lines lines) throws IOException {
    if (hits.length < lines.count()) {
      hits = new boolean[lines.count()];
    }
    try {
      question.ask(lines, hits);
    } catch (Lines.Refused e) {
      select(lines, e.index());
      throw e;
    }
    select(lines, lines.count());
  }

  private void select(Lines lines, int answered) throws IOException {
    asked += answered;
    page.reset();
    for (int i = 0; i < answered; i++) {
      if (hits[i] == invert) {
        continue;
      }
      selected++;
      if (count || exitCodeOnly) {
        continue;
      }
      if (json) {
        list(lines, i);
      } else {
        if (isWhole()) {
          page.addWhole(lines, i);
        } else {
          page.add(lines, i);
        }
        if (evidence) {
          page.append("\t" + weights[i]);
        }
      }
    }
    page.writeTo(console().out());
    if (exitCodeOnly && selected > 0 && keys.isEmpty()) {
      throw new Decided();
    }
  }

  /** The exit code is known, and the rest of the input does not matter. */
  private static final class Decided extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Decided() {
      super(null, null, false, false);
    }
  }

  /** Returns whether whole lines are printed instead of the queried columns. */
  private boolean isWhole() {
    return keyOptions.hasField() && !onlyField;
  }

  /** Adds a key to the list in the JSON object, which is written as it comes. */
  private void list(Lines lines, int index) throws IOException {
    String key = Json.string(isWhole() ? lines.wholeText(index) : lines.text(index));
    console()
        .print(
            (begun ? "," : begin())
                + (evidence ? "{\"key\":" + key + ",\"evidence\":" + weights[index] + "}" : key));
    begun = true;
  }

  private String begin() {
    return "{\"file\":" + Json.string(file) + ",\"keys\":[";
  }

  private void end() throws IOException {
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      if (count) {
        fields.put("file", file);
      }
      fields.put("asked", asked);
      fields.put("found", invert ? asked - selected : selected);
      fields.put("expectedFpp", expectedFpp.getAsDouble());
      String numbers = Json.object(fields);
      console().print(count ? numbers : (begun ? "" : begin()) + "]," + numbers.substring(1));
    } else if (count) {
      console().print(selected + "\n");
    }
  }
}
