package dev.bellows.web;

import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import tools.jackson.jr.ob.JSON;

/** The cases of oracles.json that the planners of the page cover, asked in one engine. */
final class OracleRun {
  private static final Map<String, Object> ORACLES = load();

  private final Engine engine;
  private final double relative;
  private final int each;
  private final Numbers numbers = new Numbers();

  /** Of groups that take long, one case of {@code each} is asked. */
  OracleRun(Engine engine, double relative, int each) {
    this.each = each;
    this.engine = engine;
    this.relative = relative;
  }

  Numbers numbers() {
    return numbers;
  }

  private static Map<String, Object> load() {
    try {
      return JSON.std.mapFrom(Site.text(Site.path("core/src/test/resources/oracles.json")));
    } catch (RuntimeException e) {
      throw new IllegalStateException("oracles.json cannot be read", e);
    }
  }

  void all() {
    sizes();
    folds();
    ranges();
    thresholds();
  }

  private void sizes() {
    each("000_folding", "bloom_fpr_exp", (c, out) -> same(size(c), "fpp", out));
    each("000_folding", "bloom_fpr_classic", (c, out) -> same(size(c), "fppClassic", out));
    each("000_folding", "bloom_fpr_exact", (c, out) -> exact(size(c), out));
    each(
        "001_notes",
        "error_rate",
        (c, out) ->
            same(ask("size", "bits=" + c.get("n"), "keys=" + c.get("phi"), k(c)), "fpp", out));
    each(
        "001_notes",
        "size_and_k_for_error",
        (c, out) ->
            same(
                ask("size", "keys=" + c.get("phi"), "fpp=" + c.get("eps")),
                "bits",
                field(out, "smallest_m_meeting_eps")));
    each(
        "001_notes",
        "optimal_k",
        (c, out) -> {
          Map<String, Object> plan = ask("size", "bits=" + c.get("n_bits"), "keys=" + c.get("phi"));
          same(plan, "hashes", field(out, "k_best"));
          same(plan, "fpp", field(out, "fpr_best"));
        });
    each(
        "002_dpbf",
        "m_of_n_k_f",
        (c, out) ->
            same(ask("size", "keys=" + c.get("n"), "fpp=" + c.get("f"), k(c)), "bits", out));
  }

  /** The exact rate is given for small filters only. */
  private void exact(Map<String, Object> plan, Object out) {
    if (plan.get("fppExact") != null) {
      same(plan, "fppExact", out);
    }
  }

  private Map<String, Object> size(Map<String, Object> c) {
    return ask("size", m(c), n(c), k(c));
  }

  private void folds() {
    each(
        "000_folding",
        "fold_plan",
        (c, out) -> {
          Map<String, Object> plan =
              ask("fold", "capacity=" + c.get("m1"), n(c), k(c), fpp(c), tolerance(c));
          same(plan, "low", field(out, "lo"));
          same(plan, "target", field(out, "target"));
          same(plan, "factor", field(out, "factor"));
          same(plan, "fppAtTarget", field(out, "fpr_at_target"));
        });
    each(
        "000_folding",
        "fold_bounds",
        (c, out) -> {
          Map<String, Object> plan = ask("fold", "capacity=5040", n(c), k(c), fpp(c), tolerance(c));
          same(plan, "low", field(out, "lo"));
          same(plan, "high", field(out, "hi"));
        });
    each(
        "000_folding",
        "smooth_in_interval",
        (c, out) -> {
          List<?> found =
              (List<?>)
                  ask(
                          "smooth",
                          "from=" + c.get("x"),
                          "within=" + c.get("z"),
                          "smooth=" + c.get("y"))
                      .get("candidates");
          numbers.compare(
              "smooth " + c, found.stream().map(f -> field(f, "bits")).toList(), out, 0);
        });
    each(
        "000_folding",
        "joint_two_foldings_fpr",
        (c, out) -> {
          long a = ((Number) c.get("size_a")).longValue();
          long b = ((Number) c.get("size_b")).longValue();
          Map<String, Object> answer =
              whole(
                  "fold",
                  "capacity=" + a * b,
                  n(c),
                  k(c),
                  "fpp=1%",
                  "tolerance=0",
                  "sent=%d,%d".formatted(a, b));
          List<?> last = (List<?>) ((List<?>) answer.get("sent")).get(1);
          numbers.compare("joint " + c, last.get(2), out, relative);
        });
  }

  private void ranges() {
    for (String group : List.of("f_division", "f_overlapping", "f_division_overlapping")) {
      each(
          "003_ranges",
          group,
          (c, out) ->
              same(
                  ask(
                      "range",
                      m(c),
                      k(c),
                      "domain=" + c.get("R"),
                      "range=" + c.get("n"),
                      c.containsKey("d") ? "divide=" + c.get("d") : "divide=1",
                      c.containsKey("s") ? "shift=" + c.get("s") : "shift=" + c.get("k")),
                  "fpp",
                  out));
    }
    each(
        "003_ranges",
        "optimal_d_s",
        (c, out) -> {
          Map<String, Object> plan =
              ask("range", m(c), k(c), "domain=" + c.get("R"), "range=" + c.get("n"));
          same(plan, "fpp", field(out, "f"));
          same(plan, "insertionBits", field(out, "bits"));
        });
  }

  private void thresholds() {
    each(
        "004_abf",
        "tpr_fpr_acc",
        (c, out) -> rates(autoscale(c, "theta=" + c.get("theta"), "decision=" + c.get("T")), out));
    each(
        "004_abf",
        "optimal_T_for_theta",
        (c, out) -> {
          Map<String, Object> plan = autoscale(c, "theta=" + c.get("theta"));
          same(plan, "decision", field(out, "T"));
          rates(plan, out);
        });
    each(
        "004_abf",
        "optimal_theta_T",
        (c, out) -> same(autoscale(c), "accuracy", field(out, "ACC")));
  }

  private Map<String, Object> autoscale(Map<String, Object> c, String... more) {
    Object least = c.get("L");
    String[] inputs = new String[4 + more.length];
    inputs[0] = "bits=" + c.get("m");
    inputs[1] = k(c);
    inputs[2] = n(c);
    inputs[3] = "mintpr=" + (least == null ? 0 : least);
    System.arraycopy(more, 0, inputs, 4, more.length);
    return ask("autoscale", inputs);
  }

  private void rates(Map<String, Object> plan, Object out) {
    same(plan, "tpr", field(out, "TPR"));
    same(plan, "fpr", field(out, "FPR"));
    same(plan, "accuracy", field(out, "ACC"));
  }

  private static String m(Map<String, Object> c) {
    return "bits=" + c.get("m");
  }

  private static String n(Map<String, Object> c) {
    return "keys=" + c.get("n");
  }

  private static String k(Map<String, Object> c) {
    return "hashes=" + c.get("k");
  }

  private static String fpp(Map<String, Object> c) {
    return "fpp=" + c.get("rho");
  }

  private static String tolerance(Map<String, Object> c) {
    return "tolerance=" + c.get("eps");
  }

  private static Object field(Object map, String name) {
    return ((Map<?, ?>) map).get(name);
  }

  private void same(Map<String, Object> plan, String name, Object expected) {
    numbers.compare(name + " of " + plan, plan.get(name), expected, relative);
  }

  private Map<String, Object> whole(String tab, String... inputs) {
    Map<String, Object> answer =
        Numbers.parsed(engine.answer(tab, "brief=1\n" + String.join("\n", inputs)));
    if (answer.containsKey("error")) {
      throw new AssertionError(tab + " " + List.of(inputs) + ": " + answer);
    }
    return answer;
  }

  @SuppressWarnings("unchecked")
  private Map<String, Object> ask(String tab, String... inputs) {
    return (Map<String, Object>) whole(tab, inputs).get("plan");
  }

  @SuppressWarnings("unchecked")
  private void each(String document, String group, BiConsumer<Map<String, Object>, Object> check) {
    Map<String, Object> groups = (Map<String, Object>) ORACLES.get(document);
    List<Map<String, Object>> cases =
        (List<Map<String, Object>>) ((Map<String, Object>) groups.get(group)).get("cases");
    // an interpreter inside the JVM takes minutes for all the searches
    boolean slow =
        document.startsWith("004")
            || document.startsWith("001")
            || group.matches("(optimal_|bloom_|m_of).*");
    int step = slow ? each : 1;
    for (int i = 0; i < cases.size(); i += step) {
      Map<String, Object> c = cases.get(i);
      try {
        check.accept((Map<String, Object>) c.get("in"), c.getOrDefault("clamped", c.get("out")));
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError(
            document + "/" + group + " " + c.get("in") + ": " + e.getMessage(), e);
      }
    }
  }
}
