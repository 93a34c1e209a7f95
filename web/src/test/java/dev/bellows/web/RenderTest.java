package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

/** What the tabs show, drawn by the scripts of the page inside this JVM. */
class RenderTest {
  /** Renders a tab with some fields changed, as the page does after an input. */
  private static final String RENDER =
      """
      (id, changes, width) => {
        const tab = Tabs.find((t) => t.id === id);
        const values = Object.fromEntries(tab.fields.map((f) => [f.name, f.value]));
        Object.assign(values, JSON.parse(changes));
        const lines = (names) => tab.fields
          .filter((f) => names.includes(f.name) && (!f.when || f.when(values)))
          .flatMap((f) => values[f.name].split("\\n").map((line) => [f.name, line.trim()]))
          .filter(([, value]) => value !== "").map(([name, value]) => name + "=" + value).join("\\n");
        const answers = {};
        for (const request of tab.requests(values, lines)) {
          const brief = request.tab === "autoscale" ? "brief=1\\n" : "";
          answers[request.key] = JSON.parse(bellows.answer(request.tab, brief + request.lines));
        }
        return tab.render(answers, values, Number(width));
      }""";

  private static Engine engine;

  @BeforeAll
  static void start() {
    engine = new GraalEngine();
    Engines.log(engine, "draws every tab");
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  private static Document render(String tab, String changes, int width) throws Exception {
    String html = engine.call(RENDER, tab, changes, Integer.toString(width));
    assertThat(html).doesNotContain("NaN", "undefined", "Infinity", ">null<");
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader("<div>" + html + "</div>")));
  }

  /** The first tile's value. */
  private static String value(Document page) {
    for (int i = 0; i < page.getElementsByTagName("div").getLength(); i++) {
      var element = (org.w3c.dom.Element) page.getElementsByTagName("div").item(i);
      if (element.getAttribute("class").equals("value")) {
        return element.getTextContent().replace('\u00a0', ' ');
      }
    }
    throw new AssertionError("no tile");
  }

  @Test
  void sizeFollowsItsFields() throws Exception {
    assertThat(value(render("size", "{}", 900))).isEqualTo("1.14 MiB");
    assertThat(value(render("size", "{\"keys\":\"2M\"}", 340))).isEqualTo("2.29 MiB");
    assertThat(value(render("size", "{\"solve\":\"fpp\",\"bits\":\"64 KiB\"}", 900)))
        .isEqualTo("64.0 KiB");
    assertThat(value(render("size", "{\"layout\":\"blocked\",\"fpp\":\"1e-6\"}", 900)))
        .isEqualTo("4.65 MiB");
  }

  @Test
  void everyTabIsDrawnAtEveryWidth() throws Exception {
    Map<String, List<String>> changes =
        Map.of(
            "size", List.of("{}", "{\"keys\":\"1\"}", "{\"fpp\":\"1e-12\"}", "{\"hashes\":\"1\"}"),
            "fold",
                List.of(
                    "{\"range\":\"90..99\"}",
                    "{\"range\":\"9..9\",\"at\":\"55440\",\"sent\":\"\"}"),
            "grow",
                List.of(
                    "{}",
                    "{\"keys\":\"7G\",\"spread\":\"crowded\"}",
                    "{\"keys\":\"1\",\"horizon\":\"3\"}"),
            "window",
                List.of(
                    "{}",
                    "{\"keys\":\"1\",\"window\":\"15ms\",\"generations\":\"15\"}",
                    "{\"pergeneration\":\"9M\",\"fpp\":\"1e-9\"}"),
            "ranges",
                List.of("{\"maxhashes\":\"6\"}", "{\"maxhashes\":\"5\",\"scheme\":\"division\"}"),
            "autoscale",
                List.of(
                    "{\"bits\":\"1000\",\"hashes\":\"16\",\"keys\":\"100\"}", "{\"keys\":\"0\"}"));
    for (Map.Entry<String, List<String>> tab : changes.entrySet()) {
      int width = 300;
      for (String change : tab.getValue()) {
        Document page = render(tab.getKey(), change, width);
        width = 1400 - width;
        if (!change.contains("\"keys\":\"0\"")) {
          assertThat(page.getElementsByTagName("svg").getLength()).isPositive();
          assertThat(page.getElementsByTagName("button").getLength())
              .isEqualTo(tab.getKey().equals("fold") ? 6 : 3);
        }
      }
    }
  }
}
