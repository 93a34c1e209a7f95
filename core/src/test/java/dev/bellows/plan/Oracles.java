package dev.bellows.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import tools.jackson.jr.ob.JSON;

/** The expected values of oracles.json, computed with 110 digits: one test per case. */
public final class Oracles {
  /** Relative tolerance of closed forms. */
  public static final double CLOSED_FORM = 1e-12;

  private static final Map<String, Object> ALL = load();

  private Oracles() {}

  /** One oracle case: its inputs, its expected output and whatever else the case says. */
  public record Case(Map<String, Object> in, Object out, Map<String, Object> whole) {
    public long integer(String name) {
      return ((Number) in.get(name)).longValue();
    }

    public int small(String name) {
      return Math.toIntExact(integer(name));
    }

    public double real(String name) {
      return ((Number) in.get(name)).doubleValue();
    }

    public double expected() {
      return ((Number) out).doubleValue();
    }

    /** A field of a structured output. */
    @SuppressWarnings("unchecked")
    public Object expected(String field) {
      return ((Map<String, Object>) out).get(field);
    }
  }

  /** A dynamic test per case of one group. */
  public static Stream<DynamicTest> cases(
      String document, String group, BiConsumer<Case, Map<String, Object>> body) {
    return cases(document, group).stream()
        .map(c -> dynamicTest(c.in().toString(), () -> body.accept(c, c.whole())));
  }

  @SuppressWarnings("unchecked")
  public static List<Case> cases(String document, String group) {
    Map<String, Object> groups = (Map<String, Object>) ALL.get(document);
    Map<String, Object> content = (Map<String, Object>) groups.get(group);
    List<Map<String, Object>> cases = (List<Map<String, Object>>) content.get("cases");
    assertThat(cases).as("%s/%s", document, group).isNotEmpty();
    return cases.stream()
        .map(c -> new Case((Map<String, Object>) c.get("in"), c.get("out"), c))
        .toList();
  }

  /** Relative comparison; the smallest expected values are compared absolutely. */
  public static void assertClose(double actual, Object expected, double relative) {
    double value = ((Number) expected).doubleValue();
    assertThat(actual)
        .isCloseTo(
            value,
            org.assertj.core.data.Offset.offset(Math.max(1e-290, Math.abs(value) * relative)));
  }

  private static Map<String, Object> load() {
    try (InputStream in = Oracles.class.getResourceAsStream("/oracles.json")) {
      return JSON.std.mapFrom(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
