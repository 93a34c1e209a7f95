package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import tools.jackson.jr.ob.JSON;

/** Compares two answers: words must be equal, numbers within a relative difference. */
final class Numbers {
  private static final double DIFFERENCE = 1e-9;
  private static final Pattern NUMBER = Pattern.compile("\\d+(?:\\.\\d+)?(?:E-?\\d+)?");
  private static final double TINY = 1e-290;

  private double worst;
  private int compared;

  /** How many numbers were compared. */
  int compared() {
    return compared;
  }

  /** The largest relative difference that was seen. */
  double worst() {
    return worst;
  }

  static Map<String, Object> parsed(String json) {
    return JSON.std.mapFrom(json);
  }

  void compare(String what, Object actual, Object expected, double relative) {
    if (expected instanceof Map<?, ?> map) {
      assertThat(actual).as(what).isInstanceOf(Map.class);
      Map<?, ?> other = (Map<?, ?>) actual;
      assertThat(new ArrayList<Object>(other.keySet()))
          .as(what)
          .isEqualTo(new ArrayList<Object>(map.keySet()));
      map.forEach(
          (key, value) -> {
            // a difference of numbers that are nearly equal; the text repeats it
            boolean isDifference = key.equals("runnerUpGap") || key.equals("json");
            double allowed = isDifference ? Math.max(relative, DIFFERENCE) : relative;
            compare(what + "/" + key, other.get(key), value, allowed);
          });
    } else if (expected instanceof List<?> list) {
      assertThat(actual).as(what).isInstanceOf(List.class);
      List<?> other = (List<?>) actual;
      assertThat(other).as(what).hasSameSizeAs(list);
      for (int i = 0; i < list.size(); i++) {
        compare(what + "/" + i, other.get(i), list.get(i), relative);
      }
    } else if (expected instanceof Number number && actual instanceof Number other) {
      close(what, other.doubleValue(), number.doubleValue(), relative);
    } else if (expected instanceof String text && actual instanceof String other) {
      texts(what, other, text, relative);
    } else {
      assertThat(actual).as(what).isEqualTo(expected);
    }
  }

  /** Texts are equal but for the last digits of the numbers in them. */
  private void texts(String what, String actual, String expected, double relative) {
    assertThat(NUMBER.matcher(actual).replaceAll("#"))
        .as(what)
        .isEqualTo(NUMBER.matcher(expected).replaceAll("#"));
    List<MatchResult> others = NUMBER.matcher(actual).results().toList();
    int i = 0;
    for (MatchResult number : NUMBER.matcher(expected).results().toList()) {
      String other = others.get(i++).group();
      close(what, Double.parseDouble(other), Double.parseDouble(number.group()), relative);
    }
  }

  void close(String what, double actual, double expected, double relative) {
    compared++;
    double difference = Math.abs(actual - expected);
    if (difference > TINY) {
      double share = difference / Math.abs(expected);
      assertThat(share).as("%s: %s, not %s", what, actual, expected).isLessThanOrEqualTo(relative);
      worst = Math.max(worst, share);
    }
  }
}
