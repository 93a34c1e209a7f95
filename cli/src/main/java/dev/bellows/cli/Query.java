package dev.bellows.cli;

import dev.bellows.foreign.ForeignFilter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bellows query}: which keys may be in a filter, like grep. */
@Command(
    name = "query",
    description = {
      "Prints the keys that the filter accepts: those that may be in it.",
      "The other keys are certainly not in it. Only kinds autoscale and binarized may also reject stored keys, at the rate that info states.",
      "A filter of kind range is asked with NAME=VALUE, NAME=LOW..HIGH (every number of it) and NAME=text.",
      "Keys are the arguments, or without any the lines of standard input. Exit code 1 if no key was printed (or counted)."
    },
    footerHeading = "%nExample:%n",
    footer = {
      "  bellows query words.bloom bellows billows",
      "  bellows query --invert words.bloom < essay.txt",
      "  bellows query ages.range age=25 age=22..28",
      "  bellows query keys.auto --theta 4 --decision 60 alice bob",
      "  bellows query users.guava --format guava --key-type utf8 alice bob"
    })
final class Query extends Verb {
  @Parameters(index = "0", paramLabel = "FILE", description = "The filter; - is standard input.")
  @SuppressWarnings("NullAway.Init")
  String file;

  @Parameters(
      index = "1..*",
      paramLabel = "KEY",
      description = "Keys to ask for (after -- also those that begin with a dash).")
  List<String> keys = List.of();

  @Option(names = "--invert", description = "Print the keys that are not accepted.")
  boolean invert;

  @Option(names = "--count", description = "Print the number of keys only.")
  boolean count;

  @Option(
      names = "--intersect",
      description = "Kind range: NAME=LOW..HIGH asks for some number of it, not for every one.")
  boolean intersect;

  @Mixin SchemeOptions schemeOptions = new SchemeOptions();
  @Mixin KeyOptions keyOptions = new KeyOptions();
  @Mixin ForeignOptions foreignOptions = new ForeignOptions();
  @Mixin RetuneOptions retune = new RetuneOptions();

  private final List<String> listed = new ArrayList<>();
  private final LinePage page = new LinePage();
  private DoubleSupplier expectedFpp = () -> Double.NaN;
  private boolean[] hits = {};
  private long asked;
  private long selected;

  @Override
  public Integer call() throws IOException {
    if (file.equals("-") && keys.isEmpty()) {
      throw misuse("standard input can be the filter or the keys, not both: give the keys as KEY");
    }
    foreignOptions.refuseOurs(schemeOptions);
    foreignOptions.refuseOurs(retune);
    Question question = question();
    if (keys.isEmpty()) {
      keyOptions.scan(console(), List.of(), lines -> answer(question, lines));
    } else {
      answer(question, Lines.of(keys.stream().map(keyOptions::bytes).toList()));
    }
    end();
    return selected > 0 ? Main.OK : Main.NOTHING;
  }

  private Question question() throws IOException {
    ForeignFilter foreign = foreignOptions.read(console(), file);
    if (foreign == null) {
      KindAdapter<?> adapter = FilterFiles.openMapped(console(), file, schemeOptions);
      keyOptions.follow(adapter.hashScheme().keyType(), FilterFiles.name(file));
      retune.apply(adapter.filter, file);
      expectedFpp = adapter.filter::expectedFpp;
      return adapter.question(keyOptions, intersect);
    }
    expectedFpp = () -> foreign.stats().expectedFpp();
    if (intersect) {
      throw misuse("--intersect is only valid with a filter of kind range, not with --format");
    }
    return Question.each(foreignOptions.keys(foreign, keyOptions)::mightContain);
  }

  /** Asks for the lines and prints those that are selected, up to one that is refused. */
  private void answer(Question question, Lines lines) throws IOException {
    if (hits.length < lines.count()) {
      hits = new boolean[lines.count()];
    }
    try {
      question.ask(lines, hits);
    } catch (RefusedKey e) {
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
      if (json && !count) {
        listed.add(
            new String(lines.buffer(), lines.from(i), lines.length(i), StandardCharsets.UTF_8));
      } else if (!count) {
        page.add(lines, i);
      }
    }
    page.writeTo(console().out());
  }

  private void end() throws IOException {
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("file", file);
      fields.put("asked", asked);
      fields.put("found", invert ? asked - selected : selected);
      fields.put("expectedFpp", expectedFpp.getAsDouble());
      if (!count) {
        fields.put("keys", listed);
      }
      console().print(Json.object(fields));
    } else if (count) {
      console().print(selected + "\n");
    }
  }
}
