package dev.bellows.web;

import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterFormatException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSExport;

/** The planners behind the page: one function, the same on the JVM and in a browser. */
public final class Page {
  private Page() {}

  /**
   * Answers the request of a tab.
   *
   * @param tab size, fold, capacity, smooth, grow, window, range, profile or autoscale
   * @param inputs its fields, one {@code name=value} per line, values as people write them
   * @return JSON: what the tab shows; or {@code error} and, if fields are invalid, {@code field},
   *     the first of them, and {@code faults}, what is wrong with each
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

  private static @Nullable OpenedFile file;

  /**
   * Opens a filter file.
   *
   * @param key the secret key in hexadecimal digits; empty for none
   * @return JSON: the fields of {@code bellows info} and what the page can do with it; or {@code
   *     error}
   */
  @JSExport
  public static String open(byte[] bytes, String key) {
    return guarded(
        () -> {
          file = null;
          OpenedFile opened = OpenedFile.read(bytes, key);
          file = opened;
          return opened.info();
        });
  }

  /**
   * Queries the open file.
   *
   * @param questions one key, id or NAME=VALUE per line
   * @param form what keys are: {@code text}, {@code longs}, or {@code bytes} in hexadecimal digits
   * @return JSON: {@code answers}, with 1 for each that may be in the filter and 0 for each other;
   *     or {@code error}
   */
  @JSExport
  public static String ask(String questions, String form) {
    return guarded(
        () -> {
          StringBuilder answers = new StringBuilder();
          opened()
              .ask(List.of(questions.split("\n", -1)), form)
              .forEach(isIn -> answers.append(isIn ? '1' : '0'));
          return Map.of("answers", answers.toString());
        });
  }

  private static byte[] folded = {};

  /**
   * Folds the open file to a size on its ladder, or, if that is 0, to a rate.
   *
   * @return JSON: the fields of the folded filter; or {@code error}
   */
  @JSExport
  public static String fold(double bits, double fpp) {
    return guarded(
        () -> {
          folded = bits > 0 ? opened().foldedTo((long) bits) : opened().foldedToFpp(fpp);
          return OpenedFile.read(folded, "").info();
        });
  }

  /** The file that was folded last. */
  @JSExport
  public static byte[] folded() {
    return folded;
  }

  private static OpenedFile opened() {
    if (file == null) {
      throw new IllegalArgumentException("no file is open");
    }
    return file;
  }

  private interface Work {
    Map<String, ? extends @Nullable Object> done() throws FilterFormatException;
  }

  private static String guarded(Work work) {
    Map<String, @Nullable Object> refused = new LinkedHashMap<>();
    try {
      return JsonText.of(work.done());
    } catch (FilterFormatException | IllegalArgumentException | ArithmeticException e) {
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
      case "window" -> WindowTab.answer(inputs);
      case "range" -> RangesTab.answer(inputs);
      case "profile" -> RangesTab.profile(inputs);
      case "autoscale" -> AutoscaleTab.answer(inputs);
      default -> throw new IllegalArgumentException(Prose.quote(tab) + " is not a tab");
    };
  }
}
