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
import org.openqa.selenium.interactions.Actions;

/**
 * The page in a real browser, opened from disk. Without one the log says so; {@link RenderTest} and
 * {@link PlannersTest} check the same tabs, inputs and numbers inside the JVM.
 */
class BrowserTest {
  private static final List<String> TABS =
      List.of("size", "fold", "grow", "window", "ranges", "autoscale");

  private static Browser browser;

  @BeforeAll
  static void start() {
    if (Browser.isHere()) {
      browser = Browser.open(1200, 900, false);
      Engines.log(browser, "clicks through the page");
    } else {
      System.out.println(
          "[page] no Chromium here: the page is checked inside the JVM alone (CONTRIBUTING says how"
              + " to install one)");
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
      return Stream.empty();
    }
    return Stream.of(
        dynamicTest("every tab opens without a complaint", this::tabsOpen),
        dynamicTest("inputs change results and the address", this::inputsChange),
        dynamicTest("a link carries the plan", this::linkCarries),
        dynamicTest("results are those of the JVM", this::resultsAreTheJvms),
        dynamicTest("bad inputs are refused next to their field", this::badInputs),
        dynamicTest("hostile values spoil nothing", this::hostileValues),
        dynamicTest("numbers that are chosen, and back to the optimum", this::chosen),
        dynamicTest("copy buttons fill the clipboard", this::copies),
        dynamicTest("keys alone suffice", this::keyboard),
        dynamicTest("a search shows progress and can be cancelled", this::cancel),
        dynamicTest("axe finds no serious fault", this::accessible),
        dynamicTest("nothing is wider than the screen", this::fitsTheScreen),
        dynamicTest("speed and pictures", this::speedAndPictures));
  }

  private void tabsOpen() {
    browser.complaints();
    browser.visit("");
    for (String tab : TABS) {
      click("#tab-" + tab);
      browser.settle();
      assertThat(browser.text("#panel-" + tab + " .result")).as(tab).contains("Copy JSON");
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
    click("#tab-window");
    type("window-window", "10m");
    assertThat(tile("window", "Gone after")).startsWith("11 min 26 s");
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
    // fields that a link does not set have their defaults, not their previous values
    browser.run("location.hash = '#size?fpp=2%25&solve=nonsense&old=1'");
    browser.waitFor("return document.getElementById('size-fpp').value === '2%'");
    assertThat(browser.driver().findElement(By.id("size-keys")).getAttribute("value"))
        .isEqualTo("1M");
    assertThat(address()).contains("layout=classic", "solve=bits");
  }

  private void resultsAreTheJvms() {
    for (String tab : TABS) {
      browser.visit("#" + tab);
      List<?> asked =
          (List<?>)
              browser.run(
                  "const t = Page.tab(arguments[0]); return t.requests(Page.values[t.id],"
                      + " Page.lines(t)).map(r => { const { asked, base, steps, ...answer } ="
                      + " Page.answers[t.id][r.key]; return [r.tab, r.lines,"
                      + " JSON.stringify(answer)]; })",
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
    for (String address :
        List.of(
            "#fold?at=%3Cimg%20src=x%3E&keys=%",
            "#%E0%A4%A?%%%",
            "#ranges?what=%22%3E&attribute=" + "a:1:1%0A".repeat(400),
            "#grow?spread=__proto__&constructor=1&keys=5",
            "#autoscale?theta=&decision=3")) {
      browser.visit(address);
      assertThat(browser.text("[role=tabpanel]:not([hidden]) .result")).as(address).isNotBlank();
      assertThat(browser.run("return document.images.length")).isEqualTo(0L);
    }
    browser.visit("#nothing?x=%3Cscript%3E&keys=%00");
    assertThat(tile("size", "Size")).startsWith("1.14 MiB");
    assertThat(browser.complaints()).isEmpty();
  }

  /** Every text field of every tab gets them; nothing may be thrown, injected or shown as NaN. */
  private void hostileValues() {
    for (String tab :
        List.of(
            "size",
            "size?solve=fpp",
            "size?solve=keys",
            "fold?range=10..20",
            "grow",
            "window",
            "ranges?hashes=8",
            "ranges?what=profile&maxhashes=3",
            "autoscale?bits=500&hashes=9&keys=60")) {
      browser.visit("#" + tab);
      List<?> shown = (List<?>) browser.driver().executeAsyncScript(HOSTILE, VALUES);
      assertThat(shown).as(tab).hasSizeGreaterThan(2 * VALUES.size());
      for (Object each : shown) {
        assertThat((String) each)
            .as(tab)
            .contains(": ")
            .doesNotContain("NaN", "undefined", "Infinity", "[object");
      }
      assertThat(browser.complaints()).as(tab).isEmpty();
    }
    assertThat(browser.driver().getTitle()).startsWith("Bloom filter planner");
    assertThat(browser.run("return document.images.length")).isEqualTo(0L);
  }

  private static final List<String> VALUES =
      List.of(
          "",
          "0",
          "-1",
          "1e400",
          "NaN",
          "1e-300",
          "3",
          "1e18",
          "100%",
          "<img src=x onerror=document.title='taken'>");

  /** Types each value into each field and collects what is shown, quotes of the value left out. */
  private static final String HOSTILE =
      """
      const [values, done] = arguments;
      const idle = () => new Promise((ready) => {
        const look = () => (Page.busy ? setTimeout(look, 5) : ready());
        look();
      });
      const panel = document.getElementById("panel-" + Page.current);
      const fields = [...panel.querySelectorAll("[data-field]:not([hidden]) :is(input[type=text], textarea)")];
      const type = async (field, value) => {
        field.value = value;
        field.dispatchEvent(new Event("input", { bubbles: true }));
        await idle();
      };
      (async () => {
        const shown = [];
        for (const field of fields) {
          const before = field.value;
          for (const value of values) {
            await type(field, value);
            const text = panel.querySelector(".result").textContent.trim();
            shown.push(`${field.id}: ` + (text ? text.replaceAll(`'${value}'`, "") : "undefined"));
          }
          await type(field, before);
        }
        done(shown);
      })();
      """;

  private void chosen() {
    browser.visit("#ranges");
    String best = tile("ranges", "False positive rate");
    slide("ranges-divide-slider", 4);
    assertThat(tile("ranges", "Divide")).startsWith("4");
    assertThat(tile("ranges", "False positive rate")).isNotEqualTo(best);
    assertThat(address()).contains("divide=4", "hashes=20", "shift=9");
    assertThat(browser.text("#panel-ranges .result")).contains("no command").contains("you choose");
    click("#panel-ranges [data-free]");
    browser.settle();
    assertThat(tile("ranges", "False positive rate")).isEqualTo(best);
    browser.visit("#autoscale");
    slide("autoscale-decision-slider", 70);
    assertThat(tile("autoscale", "Decision")).startsWith("70");
    browser.settle();
    assertThat(tile("autoscale", "Decision")).startsWith("70");
    assertThat(address()).contains("theta=4", "decision=70");
    browser.visit("#fold");
    click("#panel-fold input[value=blocked]");
    assertThat(tile("fold", "Sizes to choose from")).startsWith("8");
    slide("fold-hashes-slider", 200);
    slide("fold-capacity-slider", 600);
    assertThat(browser.text("#panel-fold .result")).contains("blocks are set");
    click("#panel-fold input[value=classic]");
    slide("fold-capacity-slider", 700);
    assertThat(browser.text("#panel-fold .result")).contains("queried together", "rate alone");
    type("fold-sent", "7");
    assertThat(browser.text("#fold-sent-wrong")).contains("is not a folding");
    assertThat(browser.text("#panel-fold .result")).contains("The ladder");
    assertThat(browser.complaints()).isEmpty();
  }

  /** With the permission, and where the browser has no clipboard for scripts. */
  private void copies() {
    browser
        .driver()
        .executeCdpCommand(
            "Browser.grantPermissions",
            Map.of("permissions", List.of("clipboardReadWrite", "clipboardSanitizedWrite")));
    for (String tab : TABS) {
      browser.visit("#" + tab);
      for (WebElement button :
          browser.driver().findElements(By.cssSelector("#panel-" + tab + " [data-copy]"))) {
        String shown =
            (String) browser.run("return arguments[0].previousElementSibling.textContent", button);
        browser.run("arguments[0].scrollIntoView({ block: 'center' })", button);
        button.click();
        browser.waitFor("return document.getElementById('said').textContent === 'Copied'");
        browser.run("document.getElementById('said').textContent = ''");
        assertThat(clipboard()).as(tab).isEqualTo(shown).isNotBlank();
      }
    }
    browser.visit("#size");
    browser.run("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    click("[data-copy=command]");
    browser.waitFor("return document.getElementById('said').textContent === 'Copied'");
    assertThat(clipboard()).isEqualTo("./bellows plan bloom --keys 1000000 --fpp 0.01 --json");
  }

  private static String clipboard() {
    return (String)
        browser
            .driver()
            .executeAsyncScript(
                "const done = arguments[0];"
                    + " navigator.clipboard.readText().then(done, e => done('refused: ' + e))");
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
    browser.driver().switchTo().activeElement().sendKeys(Keys.HOME);
    browser.driver().switchTo().activeElement().sendKeys(Keys.TAB);
    assertThat(browser.driver().switchTo().activeElement().getAttribute("id"))
        .isEqualTo("file-input");
    // keys sent to this element would be interpreted as a file name
    new Actions(browser.driver()).sendKeys(Keys.TAB, Keys.TAB).perform();
    WebElement field = browser.driver().switchTo().activeElement();
    assertThat(field.getAttribute("id")).isEqualTo("size-keys");
    field.sendKeys(Keys.TAB);
    browser.driver().switchTo().activeElement().sendKeys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT);
    assertThat(field.getAttribute("value")).isNotEqualTo("1M");
    browser.waitFor("return document.getElementById('said').textContent.startsWith('Size')");
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
    for (int width : new int[] {320, 380, 900, 1600}) {
      browser.resize(width, 900);
      for (String tab :
          List.of(
              "size",
              "fold",
              "grow",
              "window",
              "ranges",
              "ranges?what=profile&maxhashes=9",
              "autoscale")) {
        browser.visit("#" + tab);
        assertThat(browser.run("return document.documentElement.scrollWidth"))
            .as("%s at %d", tab, width)
            .isEqualTo((long) width);
        assertThat(
                browser.run(
                    "return [...document.querySelectorAll(`#tabs, #panel-${Page.current} .card,"
                        + " #panel-${Page.current} .tile`)].filter(e => e.scrollWidth >"
                        + " e.clientWidth + 1).map(e => e.textContent.slice(0, 60))"))
            .as("wider than their card: %s at %d", tab, width)
            .isEqualTo(List.of());
      }
    }
    browser.resize(1200, 900);
  }

  /** Times are logged, not tested; pictures are written on request. */
  private void speedAndPictures() throws IOException {
    browser.visit("");
    String painted = "performance.getEntriesByName('first-contentful-paint').length > 0";
    browser.waitFor("return " + painted);
    Object paint =
        browser.run(
            "return performance.getEntriesByName('first-contentful-paint').map(e =>"
                + " e.startTime.toFixed(0))[0]");
    StringBuilder times = new StringBuilder("first paint " + paint + " ms");
    for (String slider : List.of("size-keys", "fold-at", "fold-keys", "grow-keys", "window-keys")) {
      String tab = slider.split("-")[0];
      browser.visit("#" + tab);
      browser.waitFor("return Page.warmed." + tab);
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
      shoot(pictures.resolve("page-size.png"), "size", 1600, 1160, "light");
      shoot(pictures.resolve("page-fold.png"), "fold", 900, 1000, "dark");
      shoot(pictures.resolve("page-grow.png"), "grow?spread=crowded", 1600, 1480, "dark");
      shoot(pictures.resolve("page-window.png"), "window", 1600, 1300, "light");
      shoot(pictures.resolve("page-ranges.png"), "ranges", 900, 1000, "light");
      shoot(pictures.resolve("page-autoscale.png"), "autoscale", 900, 1180, "dark");
      shoot(pictures.resolve("page-size-phone.png"), "size", 380, 1180, "dark");
      shoot(pictures.resolve("page-fold-phone.png"), "fold", 380, 1180, "light");
    }
    String folder = System.getProperty("bellows.page.shots");
    if (folder != null) {
      for (String tab : TABS) {
        for (int width : new int[] {380, 900, 1600}) {
          for (String theme : List.of("light", "dark")) {
            shoot(
                Path.of(folder, "%s-%d-%s.png".formatted(tab, width, theme)),
                tab,
                width,
                6000,
                theme);
          }
        }
      }
    }
  }

  /** The page at a width, from the top; on a narrow one from the results on. */
  private static void shoot(Path file, String tab, int width, int most, String theme)
      throws IOException {
    browser.resize(width, 900);
    browser.visit("#" + tab);
    browser.run(
        "Page.theme(arguments[0]); Page.show(Page.tab(Page.current), Page.answers[Page.current])",
        theme);
    Object height = browser.run("return document.documentElement.scrollHeight");
    boolean forDocs = most < 6000;
    browser.resize(
        width, (int) Math.min(most, ((Number) height).longValue()), forDocs ? scale(width) : 1);
    if (width < 500 && forDocs) {
      browser.run("document.querySelector(`#panel-${Page.current} .tiles`).scrollIntoView()");
    }
    Files.write(file, browser.driver().getScreenshotAs(OutputType.BYTES));
  }

  /** Wide windows in fewer pixels: a page of the docs is not that wide. */
  private static double scale(int width) {
    return width > 1000 ? 0.6 : width > 500 ? 0.85 : 1;
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

  /** The text of a tile, read atomically, because the page may redraw it at any time. */
  private static String tile(String tab, String name) {
    Object said =
        browser.run(
            """
            for (const tile of document.querySelectorAll(`#panel-${arguments[0]} .tile`)) {
              if (tile.querySelector("dt").textContent === arguments[1]) {
                return [...tile.querySelectorAll("dd div")].map((d) => d.textContent).join("\\n").replaceAll("\\u00a0", " ");
              }
            }
            return null;\
            """,
            tab,
            name);
    assertThat(said).as("tile %s of %s", name, tab).isNotNull();
    return (String) said;
  }
}
