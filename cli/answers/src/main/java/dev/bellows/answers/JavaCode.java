package dev.bellows.answers;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.autoscale.Criterion;
import java.util.List;

/** Formats plans as Java code to copy, for the command line and the planner page. */
public final class JavaCode {
  private JavaCode() {}

  /** Returns an expression that creates a layout. */
  public static String layout(Layout layout) {
    Pattern pattern = layout.pattern();
    return pattern == null
        ? "new Layout.Classic(" + layout.hashes() + ")"
        : "new Layout.Blocked(" + pattern.words() + ", " + pattern.bits() + ")";
  }

  /** Returns the builder call for a criterion; empty for the default one. */
  public static String criterion(Criterion criterion) {
    List<String> numbers = criterion.numbers().values().stream().map(String::valueOf).toList();
    return numbers.isEmpty()
        ? ""
        : ".criterion(Criterion." + criterion.word() + "(" + String.join(", ", numbers) + "))";
  }
}
