package dev.bellows.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.deque.html.axecore.results.Rule;
import com.deque.html.axecore.selenium.AxeBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;

/**
 * The page in a real browser, opened from disk. Without one the log says so; {@link RenderTest} and
 * {@link PlannersTest} check the same tabs, inputs and numbers inside the JVM.
 */
class BrowserTest {
  private static final List<String> TABS = List.of("size", "fold", "grow", "ranges", "autoscale");

  private static Browser browser;

  @BeforeAll
  static void start() {
    if (Browser.isHere()) {
      browser = Browser.open(1200, 900, false);
      Engines.log(browser, "clicks through the page");
    } else {
      System.out.println(
          "[page] no Chromium here: the page is checked inside the JVM alone (CONTRIBUTING says how to install one)");
    }
  }

  @AfterAll
  static void stop() {
    if (browser != null) {
      browser.close();
    }
  }

  @TestFactory
  Stream<DynamicTest> inTheBrowser() {
    if (browser == null) {
      return Stream.of(dynamicTest("the page inside the JVM", () -> new RenderTestRun().run()));
    }
    return Stream.of(
        dynamicTest("every tab opens without a complaint", this::tabsOpen),
        dynamicTest("inputs change results and the address", this::inputsChange),
        dynamicTest("a link carries the plan", this::linkCarries),
        dynamicTest("results are those of the JVM", this::resultsAreTheJvms),
        dynamicTest("bad inputs are refused beside their field", this::badInputs),
        dynamicTest("keys alone suffice", this::keyboard),
        dynamicTest("a search shows progress and can be cancelled", this::cancel),
        dynamicTest("axe finds no serious fault", this::accessible),
        dynamicTest("nothing is wider than the screen", this::fitsTheScreen),
        dynamicTest("speed and pictures", this::speedAndPictures));
  }

  /** What runs where there is no browser. */
  private static final class RenderTestRun {
    void run() throws Exception {
      RenderTest.start();
      try {
        new RenderTest().sizeFollowsItsFields();
      } finally {
        RenderTest.stop();
      }
    }
  }

  private void tabsOpen() {
    browser.complaints();
    browser.visit("");
    for (String tab : TABS) {
      click("#tab-" + tab);
      browser.settle();
      assertThat(browser.text("#panel-" + tab + " .result")).as(tab).contains("Take it with you");
      assertThat(address()).startsWith("#" + tab + "?");
    }
    assertThat(browser.complaints()).isEmpty();
  }

  private void inputsChange() {
    browser.visit("");
    type("size-keys", "2M");
    assertThat(tile("size", "Size")).startsWith("2.29 MiB");
    assertThat(address()).contains("keys=2M");
    slide("size-fpp-slider", 500);
    assertThat(tile("size", "Size")).doesNotStartWith("2.29 MiB");
    click("#tab-fold");
    browser.settle();
    slide("fold-at-slider", 40);
    String folded = tile("fold", "Folded to");
    slide("fold-at-slider", 100);
    assertThat(tile("fold", "Folded to")).isNotEqualTo(folded);
    click("#tab-grow");
    slide("grow-keys-slider", 900);
    assertThat(browser.text("#panel-grow .result")).contains("levels fill");
    assertThat(browser.complaints()).isEmpty();
  }

  private void linkCarries() {
    browser.visit("#size?solve=keys&fpp=0.1%25&bits=64+KiB&layout=blocked");
    assertThat(browser.driver().findElement(By.id("size-fpp")).getAttribute("value"))
        .isEqualTo("0.1%");
    Map<String, Object> answer =
        Numbers.parsed(Page.answer("size", "fpp=0.1%\nbits=64 KiB\nlayout=blocked"));
    String keys = String.valueOf(((Map<?, ?>) answer.get("plan")).get("keys"));
    assertThat(tile("size", "Keys").replace(",", "")).contains(keys);
  }

  private void resultsAreTheJvms() {
    for (String tab : TABS) {
      browser.visit("#" + tab);
      List<?> asked =
          (List<?>)
              browser.run(
                  "const t = Page.tab(arguments[0]); return t.requests(Page.values[t.id], Page.lines(t))"
                      + ".map(r => { const { asked, steps, ...answer } = Page.answers[t.id][r.key];"
                      + " return [r.tab, r.lines, JSON.stringify(answer)]; })",
                  tab);
      Numbers numbers = new Numbers();
      for (Object request : asked) {
        List<?> parts = (List<?>) request;
        numbers.compare(
            tab,
            Numbers.parsed((String) parts.get(2)),
            Numbers.parsed(Page.answer((String) parts.get(0), (String) parts.get(1))),
            1e-11);
      }
      assertThat(numbers.compared()).as(tab).isGreaterThan(50);
    }
  }

  private void badInputs() {
    browser.visit("");
    for (String bad :
        List.of("ten", "-1", "1e999", "<img src=x onerror=alert(1)>", "9".repeat(900))) {
      type("size-keys", bad);
      assertThat(browser.text("#size-keys-wrong")).as(bad).isNotBlank();
      assertThat(browser.driver().findElement(By.id("size-keys")).getAttribute("aria-invalid"))
          .isEqualTo("true");
    }
    type("size-keys", "1M");
    assertThat(tile("size", "Size")).startsWith("1.14 MiB");
    browser.visit("#fold?capacity=9223372036854775783");
    assertThat(browser.text("#fold-capacity-wrong")).contains("more than");
    browser.visit("#nothing?x=%3Cscript%3E&keys=%00");
    assertThat(tile("size", "Size")).startsWith("1.14 MiB");
    assertThat(browser.complaints()).isEmpty();
  }

  private void keyboard() {
    browser.visit("");
    WebElement first = browser.driver().findElement(By.id("tab-size"));
    first.sendKeys(Keys.ARROW_RIGHT);
    assertThat(browser.driver().switchTo().activeElement().getAttribute("id"))
        .isEqualTo("tab-fold");
    browser.driver().switchTo().activeElement().sendKeys(Keys.END);
    assertThat(address()).startsWith("#autoscale");
    browser.settle();
  }

  private void cancel() {
    browser.visit("#ranges");
    click("[data-example]");
    browser.waitFor("return !document.querySelector('#panel-ranges .waiting').hidden");
    browser.driver().findElement(By.cssSelector("#panel-ranges [data-cancel]")).click();
    assertThat(browser.text("#panel-ranges .result")).contains("Cancelled");
    type("ranges-maxhashes", "15");
    browser.settle();
    assertThat(tile("ranges", "Hashes")).startsWith("15");
    assertThat(browser.complaints()).isEmpty();
  }

  private void accessible() {
    for (boolean dark : new boolean[] {false, true}) {
      for (String tab : TABS) {
        browser.visit("#" + tab);
        browser.run("Page.theme(arguments[0])", dark ? "dark" : "light");
        List<Rule> faults = new AxeBuilder().analyze(browser.driver()).getViolations();
        assertThat(
                faults.stream().filter(r -> Set.of("serious", "critical").contains(r.getImpact())))
            .as(tab)
            .extracting(
                r ->
                    r.getId()
                        + ": "
                        + r.getNodes().get(0).getHtml()
                        + " "
                        + r.getNodes().get(0).getAny())
            .isEmpty();
      }
    }
  }

  private void fitsTheScreen() {
    for (int width : new int[] {380, 900, 1600}) {
      browser.resize(width, 900);
      for (String tab : TABS) {
        browser.visit("#" + tab);
        assertThat(browser.run("return document.documentElement.scrollWidth"))
            .as("%s at %d", tab, width)
            .isEqualTo((long) width);
      }
    }
  }

  /** Times are logged, not tested; pictures are written where they were asked for. */
  private void speedAndPictures() throws IOException {
    browser.visit("");
    Object paint =
        browser.run(
            "return performance.getEntriesByName('first-contentful-paint').map(e => e.startTime)[0]");
    StringBuilder times = new StringBuilder("first paint " + paint + " ms");
    for (String slider : List.of("size-keys", "fold-at", "fold-keys", "grow-keys")) {
      browser.visit("#" + slider.split("-")[0]);
      Object step =
          browser.run(
              """
              const slider = document.getElementById(arguments[0] + '-slider');
              const times = [];
              for (let i = 0; i < 30; i++) {
                slider.value = slider.max * (0.3 + 0.02 * i);
                const start = performance.now();
                slider.dispatchEvent(new Event('input', { bubbles: true }));
                document.body.offsetHeight;
                times.push(performance.now() - start);
              }
              times.sort((a, b) => a - b);
              return times[15].toFixed(1) + ' ms, at most ' + times[29].toFixed(1) + ' ms';
              """,
              slider);
      times.append("; step of ").append(slider).append(' ').append(step);
    }
    Engines.log(browser, times.toString());
    if (Boolean.getBoolean("bellows.page.write")) {
      Path pictures = Site.path("docs/pictures");
      shoot(pictures.resolve("page-size.png"), "size", 1600, "light");
      shoot(pictures.resolve("page-fold.png"), "fold", 900, "dark");
      shoot(pictures.resolve("page-autoscale.png"), "autoscale", 380, "light");
    }
    String folder = System.getProperty("bellows.page.shots");
    if (folder != null) {
      for (String tab : TABS) {
        for (int width : new int[] {380, 900, 1600}) {
          for (String theme : List.of("light", "dark")) {
            shoot(Path.of(folder, "%s-%d-%s.png".formatted(tab, width, theme)), tab, width, theme);
          }
        }
      }
    }
  }

  private static void shoot(Path file, String tab, int width, String theme) throws IOException {
    browser.resize(width, 900);
    browser.visit("#" + tab);
    browser.run(
        "Page.theme(arguments[0]); Page.show(Page.tab(Page.current), Page.answers[Page.current])",
        theme);
    Object height = browser.run("return document.documentElement.scrollHeight");
    browser.resize(width, (int) Math.min(2600, ((Number) height).longValue()));
    Files.write(file, browser.driver().getScreenshotAs(OutputType.BYTES));
  }

  private static String address() {
    return (String) browser.run("Page.writeNow(); return location.hash");
  }

  private static void click(String selector) {
    browser.run("document.querySelector(arguments[0]).scrollIntoView()", selector);
    browser.driver().findElement(By.cssSelector(selector)).click();
  }

  private static void type(String field, String text) {
    WebElement input = browser.driver().findElement(By.id(field));
    input.clear();
    input.sendKeys(text);
  }

  private static void slide(String slider, int value) {
    browser.run(
        "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
            + " s.dispatchEvent(new Event('input', { bubbles: true }))",
        slider,
        value);
  }

  private static String tile(String tab, String name) {
    for (WebElement tile :
        browser.driver().findElements(By.cssSelector("#panel-" + tab + " .tile"))) {
      if (tile.findElement(By.tagName("dt")).getText().equals(name)) {
        return tile.findElement(By.tagName("dd")).getText();
      }
    }
    throw new AssertionError("no tile " + name);
  }
}
