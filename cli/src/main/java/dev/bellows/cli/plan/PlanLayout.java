package dev.bellows.cli.plan;

import dev.bellows.Layout;
import dev.bellows.cli.console.Numbers;
import picocli.CommandLine.Option;

/** The layout of a plan: CLASSIC, which the documents use, unless the user says otherwise. */
final class PlanLayout {
  @Option(
      names = "--layout",
      paramLabel = "LAYOUT",
      defaultValue = "classic",
      completionCandidates = Numbers.LayoutWord.class,
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
  Layout.Family layout;
}
