package dev.bellows.cli;

import dev.bellows.plan.Layout;
import picocli.CommandLine.Option;

/** The layout a plan speaks of: CLASSIC, the documents' own, unless said otherwise. */
final class PlanLayout {
  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      defaultValue = "classic",
      converter = Numbers.LayoutWord.class,
      completionCandidates = Numbers.LayoutWord.Words.class,
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  @SuppressWarnings("NullAway.Init")
  Layout layout;
}
