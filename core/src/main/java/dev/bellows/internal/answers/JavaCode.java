package dev.bellows.internal.answers;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.autoscale.Criterion;
import java.util.List;

/** Plans as Java code to paste, the same on the command line and on the page. */
public final class JavaCode {
  private JavaCode() {}

  /** Returns the expression that makes a layout. */
  public static String layout(Layout layout) {
    Pattern pattern = layout.pattern();
    return pattern == null
        ? "new Layout.Classic(" + layout.hashes() + ")"
        : "new Layout.Blocked(" + pattern.words() + ", " + pattern.bits() + ")";
  }

  /** Returns the builder's call for a criterion of thresholds; none for the usual one. */
  public static String criterion(Criterion criterion) {
    List<String> numbers = criterion.numbers().values().stream().map(String::valueOf).toList();
    return numbers.isEmpty()
        ? ""
        : ".criterion(Criterion." + criterion.word() + "(" + String.join(", ", numbers) + "))";
  }
}
