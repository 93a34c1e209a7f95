package dev.bellows.web;

import dev.bellows.internal.base.Prose;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSExport;

/** The planners behind the page: one function, the same on the JVM and in a browser. */
public final class Page {
  private Page() {}

  /**
   * Answers a tab.
   *
   * @param tab size, fold, capacity, smooth, grow, range, profile or autoscale
   * @param inputs its fields, one {@code name=value} per line, values as people write them
   * @return JSON: what the tab shows; or {@code error}, and where fields are to blame {@code
   *     field}, the first of them, and {@code faults}, what is wrong with each
   */
  @JSExport
  public static String answer(String tab, String inputs) {
    Map<String, @Nullable Object> refused = new LinkedHashMap<>();
    try {
      return JsonText.of(tab(tab, new Inputs(inputs)).fields());
    } catch (BadInput e) {
      refused.put("error", e.getMessage());
      refused.put("field", e.field());
      refused.put("faults", e.faults());
    } catch (IllegalArgumentException | ArithmeticException e) {
      refused.put("error", e.getMessage());
    }
    return JsonText.of(refused);
  }

  private static Answer tab(String tab, Inputs inputs) {
    return switch (tab) {
      case "size" -> SizeTab.answer(inputs);
      case "fold" -> FoldTab.answer(inputs);
      case "capacity" -> FoldTab.capacity(inputs);
      case "smooth" -> FoldTab.smooth(inputs);
      case "grow" -> GrowTab.answer(inputs);
      case "range" -> RangesTab.answer(inputs);
      case "profile" -> RangesTab.profile(inputs);
      case "autoscale" -> AutoscaleTab.answer(inputs);
      default -> throw new IllegalArgumentException(Prose.quote(tab) + " is not a tab");
    };
  }
}
