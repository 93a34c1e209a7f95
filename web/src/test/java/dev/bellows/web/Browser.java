package dev.bellows.web;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.openqa.selenium.By;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Chromium with the page open. It is looked for at {@code -Dbellows.chromium} and {@code
 * -Dbellows.chromedriver}, by default where Debian's packages put them.
 */
final class Browser implements Engine {
  private static final Path CHROMIUM =
      Path.of(System.getProperty("bellows.chromium", "/usr/bin/chromium"));
  private static final Path DRIVER =
      Path.of(System.getProperty("bellows.chromedriver", "/usr/bin/chromedriver"));

  private final ChromeDriver driver;

  private Browser(ChromeDriver driver) {
    this.driver = driver;
  }

  static boolean isHere() {
    return Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER);
  }

  static Browser open(int width, int height, boolean dark) {
    ChromeOptions options = new ChromeOptions();
    options.setBinary(CHROMIUM.toString());
    options.addArguments(
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--hide-scrollbars",
        "--window-size=%d,%d".formatted(width, height));
    if (dark) {
      options.addArguments(
          "--force-prefers-color-scheme=dark", "--blink-settings=preferredColorScheme=0");
    }
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    options.setCapability("goog:loggingPrefs", logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(DRIVER.toFile())
            .usingAnyFreePort()
            .build();
    Browser browser = new Browser(new ChromeDriver(service, options));
    browser.driver.manage().timeouts().scriptTimeout(Duration.ofMinutes(2));
    browser.visit("");
    return browser;
  }

  /** Reloads the page from disk at an address. */
  void visit(String address) {
    driver.get("about:blank");
    driver.get(Site.page().toUri() + address);
    waitFor("return document.documentElement.dataset.ready === 'true'");
    settle();
  }

  /** A window of any width; the system's own are at least 500 pixels wide. */
  void resize(int width, int height) {
    resize(width, height, 1);
  }

  /** The same with pixels of another size, for pictures of a wide window in fewer of them. */
  void resize(int width, int height, double scale) {
    driver.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", scale, "mobile", false));
  }

  ChromeDriver driver() {
    return driver;
  }

  /** Waits until nothing is being searched. */
  void settle() {
    waitFor("return !Page.busy");
  }

  void waitFor(String condition) {
    new WebDriverWait(driver, Duration.ofSeconds(60))
        .until(d -> Boolean.TRUE.equals(((JavascriptExecutor) d).executeScript(condition)));
  }

  Object run(String script, Object... arguments) {
    return driver.executeScript(script, arguments);
  }

  String text(String selector) {
    return driver.findElement(By.cssSelector(selector)).getText();
  }

  /** Warnings and errors of the console since the last call. */
  List<String> complaints() {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(LogEntry::getMessage)
        .toList();
  }

  @Override
  public String name() {
    return "Chromium " + driver.getCapabilities().getBrowserVersion();
  }

  @Override
  public String answer(String tab, String inputs) {
    return (String) run("return bellows.answer(arguments[0], arguments[1])", tab, inputs);
  }

  @Override
  public String call(String function, String... arguments) {
    return String.valueOf(run("return (" + function + ")(...arguments)", (Object[]) arguments));
  }

  @Override
  public void close() {
    driver.quit();
  }
}
