package dev.bellows.cli.plan;

import dev.bellows.answers.PlanFields;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.console.Verb;
import dev.bellows.internal.base.Prose;
import dev.bellows.window.WindowPlan;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bellows plan window}: the size of a filter whose keys expire. */
@Command(
    name = "window",
    description = {
      "Plans a window: a filter that finds a key for a span of time after it was put.",
      "It is a ring of G generations and the one that is being filled, each a blocked filter; the rate is that of all of them together, when they are fullest."
    },
    footer = {
      "  bellows plan window --keys 50M --window 24h --fpp 0.1%%",
      "  bellows plan window --keys 1M --window 10m --fpp 1%% --generations 15"
    })
final class PlanWindow extends Verb {
  @Option(
      names = "--keys",
      paramLabel = "N",
      required = true,
      description = "Distinct keys of one window.")
  long keys;

  @Option(
      names = "--window",
      paramLabel = "SPAN",
      required = true,
      description = "How long a key is found, e.g. 24h, 15m, 90s.")
  Duration window;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      required = true,
      description = "The rate that all generations together do not exceed.")
  double fpp;

  @Option(
      names = "--generations",
      paramLabel = "G",
      defaultValue = "7",
      description = "Parts of a window: 3, 7, 15 or 31 (default: ${DEFAULT-VALUE}).")
  int generations;

  @Option(
      names = "--keys-per-generation",
      paramLabel = "N",
      description =
          "Distinct keys of one generation (default: 1.1 times an even share). Keys that come all"
              + " the time are in every generation.")
  @Nullable Long keysPerGeneration;

  @Override
  public Integer call() throws IOException {
    WindowPlan plan =
        keysPerGeneration == null
            ? WindowPlan.of(keys, fpp, generations)
            : WindowPlan.of(keys, keysPerGeneration, fpp, generations);
    return report(PlanFields.window(plan), json ? "" : page(plan));
  }

  private String page(WindowPlan plan) {
    return new Report()
            .add("keys", keys, "distinct, in one window")
            .add("generations", generations, "of a window, and the one being filled")
            .add("keys per generation", plan.keysPerGeneration(), "for which each has room")
            .add("bits", plan.bits(), Prose.bytes(plan.bits() / 8))
            .add("bits per live key", Prose.format("%.2f", plan.bitsPerLiveKey()))
            .add("pattern", plan.layout().pattern().toString(), "words x bits inside a block")
            .add("false positives", plan.fpp(), "1 - (1 - q)^(G + 1), just before a rotation")
        + "\nIn Java:\n  WindowFilter.builder().window(Duration.ofMillis(%dL)).generations(%d)\n      .keys(%dL)%s.fpp(%s).build()\n"
            .formatted(
                window.toMillis(),
                generations,
                keys,
                keysPerGeneration == null ? "" : ".keysPerGeneration(" + keysPerGeneration + "L)",
                fpp);
  }
}
