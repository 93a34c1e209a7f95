package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.jr.ob.JSON;

/** What the page says about invalid inputs and useless plans. */
class FaultsTest {
  private static Map<String, Object> answer(String tab, String... lines) {
    return JSON.std.mapFrom(Page.answer(tab, String.join("\n", lines)));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, String> faults(Map<String, Object> answer) {
    return (Map<String, String>) answer.get("faults");
  }

  @Test
  void everyBadFieldHasAMessage() {
    Map<String, Object> answer =
        answer("size", "solve=bits", "keys=-5", "fpp=2", "hashes=0", "layout=classic");
    assertThat(answer).containsEntry("field", "keys");
    assertThat(faults(answer)).containsOnlyKeys("keys", "fpp", "hashes");
    assertThat(faults(answer).get("keys")).isEqualTo("'-5' is negative: it must be 0 or more");
    answer = answer("fold", "capacity=x", "keys=1..2", "hashes=4", "fpp=1%", "tolerance=-1");
    assertThat(faults(answer)).containsOnlyKeys("capacity", "keys", "tolerance");
    answer = answer("grow", "fpp=1%", "keys=9", "initial=0", "horizon=no", "unitkeys=4");
    assertThat(faults(answer)).containsOnlyKeys("initial", "horizon", "universe");
    answer = answer("autoscale", "bits=0", "hashes=", "keys=9", "mintpr=7");
    assertThat(faults(answer)).containsOnlyKeys("bits", "hashes", "mintpr");
    answer = answer("range", "bits=512", "domain=no", "range=0", "shift=0");
    assertThat(faults(answer)).containsOnlyKeys("domain", "range", "shift");
  }

  /** A size of 10 MiB gives code for 10 MiB. */
  @Test
  void codeBuildsTheSizeThatIsGiven() {
    Map<String, Object> given = answer("size", "solve=fpp", "keys=5M", "bits=10 MiB");
    assertThat((String) given.get("java")).contains(".bits(83886080L)").doesNotContain(".keys(");
    Map<String, Object> planned = answer("size", "solve=bits", "keys=5M", "fpp=1%");
    assertThat((String) planned.get("java")).contains(".keys(5000000L).fpp(0.01)");
  }

  @Test
  void theFirstPlanOfFoldLiesInItsBand() {
    Map<String, Object> answer =
        answer("fold", "capacity=55440", "keys=440", "hashes=4", "fpp=1%", "tolerance=0.2%");
    assertThat((Map<?, ?>) answer.get("plan")).extracting("status").isEqualTo("admissible");
  }

  @Test
  void uselessFiltersAreReported() {
    assertThat(answer("size", "keys=1M", "bits=1000")).containsEntry("verdict", "USELESS");
    assertThat(answer("size", "keys=1M", "bits=10M")).containsEntry("verdict", "GOOD");
    Map<String, Object> answer =
        answer(
            "fold",
            "capacity=55440",
            "keys=4k",
            "hashes=4",
            "fpp=1%",
            "tolerance=0.2%",
            "budget=64");
    assertThat(answer).containsEntry("verdict", "USELESS");
    assertThat(answer.get("least")).asList().hasSize(2);
    answer =
        answer(
            "fold",
            "capacity=55440",
            "keys=440",
            "hashes=4",
            "fpp=1%",
            "tolerance=0.2%",
            "budget=512");
    assertThat(answer).containsEntry("verdict", "GOOD");
  }
}
