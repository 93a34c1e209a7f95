package dev.bellows.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.bellows.HashScheme.KeyType;
import dev.bellows.KeyHasher;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import tools.jackson.jr.ob.JSON;

/**
 * The page opens every golden file, and its compiled readers and filters answer as Java does: what
 * a file is, 10,000 keys of each kind in a browser (fewer in the slow engine inside the JVM), the
 * bytes of foldings, and the messages for bad files.
 */
class FilesTest {
  private static final Path VECTORS = Site.path("spec/vectors");
  private static final long MOST_BYTES = 1_500_000;
  private static final String OPEN =
      "(hex, key) => bellows.open(Int8Array.from(hex.match(/../g) || [], (h) => parseInt(h, 16)), key)";
  private static final String FOLD =
      "(bits, fpp) => { const info = bellows.fold(Number(bits), Number(fpp)); return info + '\\n' +"
          + " Array.from(bellows.folded(), (b) => (b & 255).toString(16).padStart(2, '0')).join(''); }";

  private static List<Engine> engines;
  private static List<Path> ofEachKind;
  private static String secret;

  @BeforeAll
  static void start() throws IOException {
    engines = Engines.here();
    engines.forEach(engine -> Engines.log(engine, "opens the golden files"));
    Map<String, Object> answers =
        JSON.std.mapFrom(Files.readString(VECTORS.resolve("answers.json")));
    secret = (String) answers.get("secretKey");
  }

  @AfterAll
  static void stop() {
    engines.forEach(Engine::close);
  }

  private static List<Path> golden() throws IOException {
    try (Stream<Path> files = Files.list(VECTORS)) {
      return files.filter(file -> file.toString().endsWith(".bellows")).sorted().toList();
    }
  }

  @TestFactory
  Stream<DynamicTest> everyGoldenFileIsTheSameInEveryEngine() throws IOException {
    List<Path> golden = golden();
    assertThat(golden).hasSizeGreaterThan(80);
    List<DynamicTest> tests = new ArrayList<>();
    for (Engine engine : engines) {
      for (Path file : engine instanceof Browser ? golden : smallestOfEachKind()) {
        tests.add(dynamicTest(engine.name() + " " + file.getFileName(), () -> same(engine, file)));
      }
    }
    return tests.stream();
  }

  /** For the engine inside the JVM, which interprets the scripts and is slow. */
  private static List<Path> smallestOfEachKind() throws IOException {
    if (ofEachKind != null) {
      return ofEachKind;
    }
    Map<Object, Path> smallest = new TreeMap<>();
    for (Path file : golden()) {
      Object kind = parsed(Page.open(Files.readAllBytes(file), "")).get("kind");
      Path known = smallest.get(kind);
      if (known == null || Files.size(file) < Files.size(known)) {
        smallest.put(kind, file);
      }
    }
    ofEachKind = List.copyOf(smallest.values());
    return ofEachKind;
  }

  private static void same(Engine engine, Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    boolean isBrowser = engine instanceof Browser;
    int count = !isBrowser ? 100 : smallestOfEachKind().contains(file) ? 10_000 : 500;
    String key = "";
    Map<String, Object> wanted = parsed(Page.open(bytes, key));
    if (Boolean.TRUE.equals(wanted.get("locked"))) {
      assertSame(parsed(engine.call(OPEN, hex(bytes), key)), wanted);
      key = secret;
      wanted = parsed(Page.open(bytes, key));
    }
    assertThat(wanted).doesNotContainKey("error");
    assertSame(parsed(engine.call(OPEN, hex(bytes), key)), wanted);
    String questions = questions((String) wanted.get("asks"), count);
    Map<String, String> forms = new TreeMap<>(Map.of("text", questions));
    if ("keys".equals(wanted.get("asks"))) {
      forms.put("longs", longs(count));
      forms.put("bytes", hex(questions.getBytes(UTF_8)).replaceAll("(.{8})", "$1\n"));
    }
    forms.forEach(
        (form, asked) ->
            assertThat(engine.call("(lines, form) => bellows.ask(lines, form)", asked, form))
                .isEqualTo(Page.ask(asked, form)));
    if (!key.isEmpty()) {
      return;
    }
    List<?> ladder = (List<?>) wanted.get("ladder");
    for (Object rung : ladder.subList(0, Math.min(isBrowser ? 9 : 2, ladder.size()))) {
      long bits = ((Number) ((List<?>) rung).get(0)).longValue();
      String info = Page.fold(bits, 0);
      String[] folded = engine.call(FOLD, String.valueOf(bits), "0").split("\n", 2);
      assertSame(parsed(folded[0]), parsed(info));
      assertThat(folded[1]).isEqualTo(hex(Page.folded()));
    }
    if ("rate".equals(wanted.get("folds"))) {
      Map<String, Object> info = parsed(Page.fold(0, 0.6));
      String[] folded = engine.call(FOLD, "0", "0.6").split("\n", 2);
      assertSame(parsed(folded[0]), info);
      if (!info.containsKey("error")) {
        assertThat(folded[1]).isEqualTo(hex(Page.folded()));
      }
    }
  }

  /** Keys of every length; of ids and attributes those that the golden files have, and others. */
  private static String questions(String asks, int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                switch (asks) {
                  case "ids" -> String.valueOf(i);
                  case "attributes" -> "name=" + "text ".repeat(i % 5) + i;
                  default -> "word " + i + "é".repeat(i % 70);
                })
        .collect(Collectors.joining("\n"));
  }

  private static String longs(int count) {
    SplittableRandom random = new SplittableRandom(44);
    return IntStream.range(0, count)
        .mapToObj(i -> String.valueOf(i % 2 == 0 ? i : random.nextLong()))
        .collect(Collectors.joining("\n"));
  }

  @Test
  void badFilesAreRefusedWithTheReadersOwnMessage() throws IOException {
    for (Engine engine : engines) {
      for (Path file : engine instanceof Browser ? golden() : smallestOfEachKind()) {
        byte[] bytes = Files.readAllBytes(file);
        if (bytes.length > 500) {
          continue;
        }
        for (int at : List.of(0, 6, 9, bytes.length / 2, bytes.length - 1)) {
          byte[] changed = bytes.clone();
          changed[at] ^= 4;
          String wanted = Page.open(changed, "");
          assertThat(wanted).contains("error");
          assertThat(engine.call(OPEN, hex(changed), "")).isEqualTo(wanted);
        }
        byte[] cut = java.util.Arrays.copyOf(bytes, bytes.length - 3);
        assertThat(engine.call(OPEN, hex(cut), "")).isEqualTo(Page.open(cut, ""));
      }
      assertThat(engine.call(OPEN, "", "")).contains("error");
      assertThat(engine.call(OPEN, "00", "12")).contains("hexadecimal");
    }
  }

  /**
   * The ids of this filter are hashes of its keys, so it is asked for keys; another type is
   * refused.
   */
  @Test
  void aPartitionFilterIsAskedForTheKeysThatItsFileNames() throws IOException {
    DynamicPartitionBloomFilter filter =
        DynamicPartitionBloomFilter.builder()
            .universe(1L << 40)
            .depth(30)
            .fpp(0.01)
            .keyType(KeyType.TEXT)
            .build();
    filter.put("5", KeyHasher.TEXT);
    for (byte[] bytes : List.of(filter.toBytes(), filter.view().toBytes())) {
      assertThat(parsed(Page.open(bytes, ""))).containsEntry("asks", "keys");
      assertThat(Page.ask("5\n6", "text")).contains("\"10\"");
      assertThat(Page.ask("5", "longs")).contains("error", "text, not longs");
    }
  }

  @Test
  void thePageIsSmallEnough() throws IOException {
    assertThat(Files.size(Site.page())).isLessThan(MOST_BYTES);
  }

  /** What a user sees in a browser. */
  @Test
  void aFileIsShownQueriedAndFolded() throws IOException {
    for (Engine engine : engines) {
      if (engine instanceof Browser browser) {
        byte[] bytes = Files.readAllBytes(VECTORS.resolve("key-type-longs.bellows"));
        show(browser, bytes, "longs.bellows");
        assertThat(browser.text("#file-shown")).contains("bloom", "longs", "bits are one");
        browser.run(
            "const keys = document.getElementById('file-keys'); keys.value = '1\\n123456789012';"
                + " keys.dispatchEvent(new Event('input', {bubbles: true}));");
        assertThat(browser.text("#file-answers")).contains("maybe").contains("no 123456789012");
        browser.run(
            "const fold = document.getElementById('file-fold'); fold.value = 0;"
                + " fold.dispatchEvent(new Event('input', {bubbles: true}));");
        assertThat(browser.text("#file-folded")).contains("Save longs.folded.bellows");
        show(browser, new byte[] {1, 2, 3}, "bad");
        assertThat(browser.text("#file-shown")).contains("magic");
        show(browser, Files.readAllBytes(VECTORS.resolve("bloom-siphash.bellows")), "keyed");
        browser.run(
            "const key = document.getElementById('file-key'); key.value = arguments[0];"
                + " key.dispatchEvent(new Event('input', {bubbles: true}));",
            secret);
        assertThat(browser.text("#file-shown")).contains("Keys, one per line");
        show(browser, Files.readAllBytes(VECTORS.resolve("binarized.bellows")), "binarized");
        assertThat(browser.text("#file-shown")).contains("is not certain");
        show(browser, Files.readAllBytes(VECTORS.resolve("window.bellows")), "window");
        assertThat(browser.text("#file-shown")).contains("Generations", "clock");
        assertThat(browser.text(".generations").lines()).hasSize(1 + 8);
        show(browser, Files.readAllBytes(VECTORS.resolve("frozen-part.bellows")), "first");
        assertThat(browser.text("#file-shown")).contains("Keys, one per line");
        show(browser, Files.readAllBytes(VECTORS.resolve("frozen-part-next.bellows")), "next");
        assertThat(browser.text("#file-shown")).contains("bellows receive");
        assertThat(browser.complaints()).isEmpty();
      }
    }
  }

  private static void show(Browser browser, byte[] bytes, String name) {
    List<Integer> numbers = new ArrayList<>();
    for (byte one : bytes) {
      numbers.add(one & 0xff);
    }
    browser.run("Files.open(Uint8Array.from(arguments[0]), arguments[1])", numbers, name);
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static Map<String, Object> parsed(String json) throws IOException {
    return JSON.std.mapFrom(json);
  }

  /** Equal up to the last digits of a number: logarithms differ between platforms. */
  private static void assertSame(Object got, Object wanted) {
    if (wanted instanceof Map<?, ?> fields) {
      assertThat(((Map<?, ?>) got).keySet()).isEqualTo(fields.keySet());
      fields.forEach((name, value) -> assertSame(((Map<?, ?>) got).get(name), value));
    } else if (wanted instanceof List<?> list) {
      assertThat((List<?>) got).hasSize(list.size());
      for (int i = 0; i < list.size(); i++) {
        assertSame(((List<?>) got).get(i), list.get(i));
      }
    } else if (wanted instanceof Number number) {
      double value = number.doubleValue();
      assertThat(((Number) got).doubleValue()).isCloseTo(value, within(1e-7 * Math.abs(value)));
    } else {
      assertThat(got).isEqualTo(wanted);
    }
  }
}
