package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.web.Requests.Request;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The planners in JavaScript give the answers of the JVM and of the oracles. */
class PlannersTest {
  private static final double AGREED = 1e-11;

  private static List<Engine> engines;

  @BeforeAll
  static void start() {
    engines = Engines.here();
  }

  @AfterAll
  static void stop() {
    engines.forEach(Engine::close);
  }

  /**
   * An interpreter inside the JVM takes minutes for all requests: it answers one of three, and one
   * of 27 where a browser answers them all.
   */
  private static int share(Engine engine) {
    return !(engine instanceof GraalEngine) ? 1 : engines.size() > 1 ? 27 : 3;
  }

  @Test
  void everyAnswerIsThatOfTheJvm() {
    for (Engine engine : engines) {
      Numbers numbers = new Numbers();
      int each = share(engine);
      List<Request> requests = Requests.all();
      for (int i = 0; i < requests.size(); i += each) {
        Request request = requests.get(i);
        boolean brief = engine instanceof GraalEngine && request.tab().equals("autoscale");
        String inputs = (brief ? "brief=1\n" : "") + request.inputs();
        numbers.compare(
            request.toString(),
            Numbers.parsed(engine.answer(request.tab(), inputs)),
            Numbers.parsed(Page.answer(request.tab(), inputs)),
            AGREED);
      }
      Engines.log(
          engine,
          "%d numbers of %s agree with the JVM to %.2g"
              .formatted(
                  numbers.compared(),
                  each == 1 ? "all requests" : "one request of " + each,
                  numbers.worst()));
      assertThat(numbers.compared()).isGreaterThan(12_000 / each);
    }
  }

  @Test
  void theJsonToCopyIsThePlan() {
    for (Request request : Requests.all()) {
      Map<String, Object> answer = Numbers.parsed(Page.answer(request.tab(), request.inputs()));
      if (answer.containsKey("json")) {
        assertThat(Numbers.parsed((String) answer.get("json"))).isEqualTo(answer.get("plan"));
      }
    }
  }

  @Test
  void badInputsAreRefusedInWords() {
    for (Request request : Requests.refused()) {
      Map<String, Object> answer = Numbers.parsed(Page.answer(request.tab(), request.inputs()));
      assertThat(answer).as("%s", request).containsKey("error").doesNotContainKey("plan");
      assertThat((String) answer.get("error")).as("%s", request).isNotBlank().hasSizeLessThan(300);
    }
  }

  @Test
  void oraclesAgree() {
    for (Engine engine : engines) {
      OracleRun run = new OracleRun(engine, AGREED, share(engine));
      run.all();
      Engines.log(
          engine,
          "%d numbers of oracles.json agree to %.2g"
              .formatted(run.numbers().compared(), run.numbers().worst()));
      assertThat(run.numbers().compared()).isGreaterThan(share(engine) == 1 ? 300 : 20);
    }
  }
}
