package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Durable;
import dev.bellows.cli.Cli;
import dev.bellows.cli.Main;
import dev.bellows.cli.Processes;
import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.layout.Origin;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code uniq --state DIR/}, {@code add}, {@code query}, {@code info}, {@code follow}, {@code
 * receive}.
 */
class DurableVerbsTest {
  /** The most input that is printed before it is remembered. */
  private static final int GROUP_BYTES = 1 << 16;

  @TempDir Path folder;

  /** A fixed secret of the state, so that false positives are the same in every run. */
  @BeforeEach
  void fixTheSecret() throws IOException {
    Files.writeString(folder.resolve("seen.key"), "00112233445566778899aabbccddeeff");
  }

  private String name(String name) {
    return folder.resolve(name) + "/";
  }

  @Test
  void uniqRemembersInAFolder() throws IOException {
    String seen = name("seen");
    assertThat(Cli.with(Cli.numbers(0, 500), "uniq", "--state", seen).succeeded().out())
        .isEqualTo(Cli.numbers(0, 500));
    assertThat(
            Cli.with(Cli.numbers(400, 600) + Cli.numbers(550, 610), "uniq", "--state", seen)
                .succeeded()
                .out())
        .isEqualTo(Cli.numbers(500, 610));
    assertThat(
            Cli.with(Cli.numbers(600, 612), "uniq", "--repeated", "--state", seen)
                .succeeded()
                .out())
        .isEqualTo(Cli.numbers(600, 610));
    Map<String, Object> info = Cli.run("info", seen, "--json").succeeded().json();
    assertThat(info)
        .containsEntry("kind", "fingerprint")
        .containsEntry("version", 612)
        .containsEntry("sync", "never")
        .containsEntry("keys", 612)
        .containsKeys("journalBytes", "snapshotBytes", "id");
    assertThat(Cli.run("info", seen).succeeded().out()).contains("It is durable", "612 changes");
    assertThat(Cli.run("query", seen, "5", "9999").succeeded().out()).isEqualTo("5\n");
    assertThat(Cli.run("query", seen, "9999").code()).isEqualTo(1);
    Cli.run("verify", seen, "--absent", Files.writeString(folder.resolve("a"), "x\ny\n"))
        .succeeded();
  }

  @Test
  void runsWithAFolderTakeTurns() throws Exception {
    String seen = name("seen");
    Process first = Processes.bellows("uniq", "--state", seen).start();
    OutputStream to = first.getOutputStream();
    to.write("b\n".getBytes(StandardCharsets.UTF_8));
    to.flush();
    assertThat(first.getInputStream().read()).isEqualTo('b');
    Cli.with("c\n", "uniq", "--no-wait", "--state", seen)
        .refused("updated by another process", "pid " + first.pid(), "--no-wait");
    Path said = folder.resolve("said");
    Process second =
        Processes.bellows("uniq", "--state", seen)
            .redirectErrorStream(false)
            .redirectError(said.toFile())
            .start();
    try (OutputStream lines = second.getOutputStream()) {
      lines.write("b\nc\n".getBytes(StandardCharsets.UTF_8));
    }
    while (Files.size(said) == 0) {
      Thread.onSpinWait();
    }
    assertThat(said).content().contains("waiting for another process");
    to.close();
    assertThat(first.waitFor()).isZero();
    assertThat(new String(second.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .isEqualTo("c\n");
    assertThat(second.waitFor()).isZero();
  }

  /** A delta of a few bytes that claims to come from a filter of 64 GiB. */
  @Test
  void aDeltaDoesNotMakeAFilterOfAnySize() throws IOException {
    try (DurableFilter<BloomFilter> source =
        DurableFilter.open(
            folder.resolve("source"), () -> BloomFilter.create(1000, 0.01), Sync.NEVER)) {
      FilterHeader small = header(DurableFilter.settings(folder.resolve("source")));
      List<Long> parameters = new ArrayList<>(small.parameters());
      parameters.set(parameters.indexOf(source.stats().bits()), 1L << 39);
      byte[] settings =
          FilterHeader.of(
                  FilterKind.BLOOM, source.hashScheme(), Origin.NONE, parameters, List.of(1L << 36))
              .toBytes();
      FilterHeader delta =
          FilterHeader.of(
              FilterKind.DELTA,
              source.hashScheme(),
              Origin.NONE,
              List.of(0L, 7L, 0L, 0L, 0L),
              List.of((long) settings.length, 0L));
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      FilterWriter writer = FilterWriter.begin(out, delta);
      writer.bytes(settings);
      writer.bytes(new byte[0]);
      writer.end();
      Path file = Files.write(folder.resolve("large.delta"), out.toByteArray());
      Cli.run("receive", name("replica"), file).refused("limit");
    }
  }

  private static FilterHeader header(byte[] settings) throws IOException {
    return FilterReader.ofHeader(settings, ReadOptions.DEFAULT).header();
  }

  @Test
  void addPutsKeysIntoAFolder() throws IOException {
    String seen = name("seen");
    Cli.with("a\nb\n", "uniq", "--state", seen).succeeded();
    Map<String, Object> added = Cli.with("b\nc\nd\n", "add", seen, "--json").succeeded().json();
    assertThat(added)
        .containsEntry("lines", 3)
        .containsEntry("new", 2)
        .containsEntry("version", 4)
        .containsKeys("file", "kind", "expectedFpp", "bytes");
    assertThat(Cli.with("a\nc\nx\n", "query", seen).succeeded().out()).isEqualTo("a\nc\n");
    Cli.with("", "add", seen, "--min-tpr", "0.9").refused("--min-tpr", "of kind fingerprint");
  }

  /**
   * A stream of timed lines, split into several runs, gives the same output as a state in a file.
   */
  @Test
  void uniqWithinRemembersInAFolder() throws IOException {
    Random random = new Random(8);
    String seen = name("seen");
    Path file = folder.resolve("seen.window");
    long clock = 1_772_000_000_000L;
    List<Object> options =
        List.of("--within", "10m", "--time-field", 1, "--time-format", "millis", "--field", 2);
    for (int run = 0; run < 4; run++) {
      StringBuilder lines = new StringBuilder();
      for (int i = 0; i < 3000; i++) {
        clock += random.nextInt(2000) + (random.nextInt(900) == 0 ? 900_000 : 0);
        long late = random.nextInt(60) == 0 ? random.nextInt(900_000) : random.nextInt(40_000);
        lines.append(clock - late).append('\t').append("key").append(random.nextInt(600));
        lines.append('\n');
      }
      Cli.Result durable =
          Cli.with(
                  lines.toString(),
                  with(options, "uniq", "--state", seen, "--report", folder.resolve("a")))
              .succeeded();
      Cli.Result inFile =
          Cli.with(
                  lines.toString(),
                  with(options, "uniq", "--state", file, "--report", folder.resolve("b")))
              .succeeded();
      assertThat(durable.out()).isEqualTo(inFile.out());
      assertThat(durable.out().lines().count()).isBetween(1000L, 2900L);
      for (String field : List.of("lines", "unique", "late")) {
        assertThat(number(folder.resolve("a"), field))
            .isEqualTo(number(folder.resolve("b"), field));
      }
      assertThat(number(folder.resolve("a"), "late")).isPositive();
    }
    Map<String, Object> info = Cli.run("info", seen, "--json").succeeded().json();
    assertThat(info)
        .containsEntry("kind", "window-prefixes")
        .containsEntry("window", "PT10M")
        .containsEntry("now", Cli.run("info", file, "--json").succeeded().json().get("now"))
        .containsKeys("generations", "version", "journalBytes", "snapshotBytes", "sync");
    assertThat(Cli.run("info", seen).succeeded().out()).contains("It is durable", "clock");
    // an hour later the present keys have expired, and the folder itself is unchanged
    String keys = Cli.numbers(0, 600).replaceAll("(?m)^(?=\\d)", "key");
    String found = Cli.with(keys, "query", seen).succeeded().out();
    assertThat(found).isEqualTo(Cli.with(keys, "query", file).succeeded().out()).isNotEmpty();
    assertThat(Cli.with(keys, "query", seen, "--at", clock + 3_600_000).code()).isEqualTo(1);
    assertThat(Cli.with(keys, "query", seen).succeeded().out()).isEqualTo(found);
  }

  private static long number(Path report, String field) throws IOException {
    Matcher number =
        Pattern.compile("\"" + field + "\"\\s*:\\s*(\\d+)").matcher(Files.readString(report));
    assertThat(number.find()).isTrue();
    return Long.parseLong(number.group(1));
  }

  private static Object[] with(List<Object> options, Object... first) {
    List<Object> all = new ArrayList<>(List.of(first));
    all.addAll(options);
    return all.toArray();
  }

  @Test
  void addPutsKeysWithTimesIntoAFolder() throws IOException {
    String seen = name("seen");
    Object[] options = {"--time-field", 1, "--time-format", "seconds", "--field", 2};
    Cli.with("1000\ta\n", with(List.of(options), "uniq", "--within", "1h", "--state", seen))
        .succeeded();
    Map<String, Object> added =
        Cli.with(
                "1001\ta\n9000\tb\n9001\tc\n9001\tb\n2000\tlate\n",
                with(List.of(options), "add", seen, "--json"))
            .succeeded()
            .json();
    assertThat(added).containsEntry("lines", 5).containsEntry("new", 2);
    assertThat(Cli.with("a\nb\nc\nlate\n", "query", seen).succeeded().out()).isEqualTo("b\nc\n");
    assertThat(Cli.run("info", seen, "--json").succeeded().json())
        .containsEntry("now", "1970-01-01T02:30:01Z");
  }

  private void makeFolder(String name, Supplier<Durable> maker, int keys) throws IOException {
    try (DurableFilter<Durable> filter = DurableFilter.open(Path.of(name), maker, Sync.NEVER)) {
      for (int i = 0; i < keys; i++) {
        filter.put(Integer.toString(i));
      }
    }
  }

  /** The one rule for rates: a useless filter is refused, and the folder stays as it was. */
  @Test
  void addJudgesTheRateOfAFolder() throws IOException {
    String bloom = name("bloom");
    makeFolder(bloom, () -> BloomFilter.create(1000, 0.01), 100);
    assertThat(Cli.with(Cli.numbers(0, 2500), "add", bloom).succeeded().err())
        .contains("warning", "more than twice its target");
    Map<String, Object> before = Cli.run("info", bloom, "--json").succeeded().json();
    Cli.with(Cli.numbers(0, 30_000), "add", bloom).refused("above --max-fpp 0.5");
    assertThat(Cli.run("info", bloom, "--json").succeeded().json())
        .containsEntry("version", before.get("version"))
        .containsEntry("ones", before.get("ones"));
    Cli.with(Cli.numbers(0, 30_000), "add", bloom, "--max-fpp", "1").succeeded();
  }

  @Test
  void removeTakesKeysOutOfAFolder() throws IOException {
    String keys = name("keys");
    makeFolder(keys, () -> FingerprintFilter.builder().fpp(1e-6).removable().build(), 50);
    Map<String, Object> removed =
        Cli.with("3\n4\nx\n", "remove", keys, "--json").succeeded().json();
    assertThat(removed)
        .containsEntry("lines", 3)
        .containsEntry("removed", 2)
        .containsEntry("absent", 1)
        .containsEntry("version", 52)
        .containsKeys("expectedFpp", "bytes", "expectedFalse");
    Cli.with("5\nx\n", "remove", "--strict", keys).refused("nothing was removed");
    assertThat(Cli.with("2\n3\n4\n5\n", "query", keys).succeeded().out()).isEqualTo("2\n5\n");
    assertThat(Cli.with("x\n", "remove", keys).code()).isEqualTo(1);
    String bloom = name("bloom");
    makeFolder(bloom, () -> BloomFilter.create(1000, 0.01), 5);
    Cli.with("3\n", "remove", bloom).refused("cannot");
  }

  @Test
  void aReplicaFollows() throws IOException {
    String seen = name("seen");
    String replica = name("replica");
    Path[] deltas = new Path[4];
    for (int i = 0; i < deltas.length; i++) {
      deltas[i] = folder.resolve("delta" + i);
      Cli.with(Cli.numbers(10 * i, 10 * i + 10), "uniq", "--state", seen).succeeded();
      Map<String, Object> followed =
          Cli.run("follow", seen, "-o", deltas[i], "--json").succeeded().json();
      assertThat(followed)
          .containsEntry("from", 10 * i)
          .containsEntry("to", 10 * i + 10)
          .containsEntry("changes", 10)
          .containsEntry("bytes", (int) Files.size(deltas[i]));
    }
    assertThat(Cli.run("info", deltas[1], "--json").succeeded().json())
        .containsEntry("kind", "delta")
        .containsEntry("sourceKind", "fingerprint");
    // one of them is lost, and the last arrives first
    Cli.Result gap = Cli.run("receive", replica, deltas[3], deltas[0], "--json");
    assertThat(gap.code()).isEqualTo(1);
    assertThat(gap.err()).contains("bellows follow DIR --since 10 -o DELTA");
    assertThat(gap.json()).containsEntry("sourceVersion", 10).containsEntry("missing", 1);
    // the secret of the source stays where it was made
    Cli.run("query", replica, "3").refused("secret key", "--key-file");
    Path key = folder.resolve("seen.key");
    Cli.Result count = Cli.with(Cli.numbers(0, 60), "query", "-c", "--key-file", key, replica);
    assertThat(count.succeeded().out()).isEqualTo("20\n");
    Files.copy(key, folder.resolve("replica.key"));
    Files.copy(key, folder.resolve("another.key"));
    Path rest = folder.resolve("rest");
    Cli.run("follow", seen, "--since", 10, "-o", rest).succeeded();
    Map<String, Object> received =
        Cli.run("receive", folder.resolve("replica"), rest, deltas[0], "--json").succeeded().json();
    assertThat(received)
        .containsEntry("sourceVersion", 40)
        .containsEntry("applied", 1)
        .containsEntry("known", 1)
        .containsKeys("foldings", "bytes", "jointFpp");
    assertThat(Cli.with(Cli.numbers(0, 60), "query", "--count", replica).succeeded().out())
        .isEqualTo("40\n");
    Cli.with("x\n", "add", replica).refused("follows the folder with id");
    // a new store may be named without a slash
    Cli.run("receive", folder.resolve("another"), deltas[0]).succeeded();
    assertThat(Cli.run("query", folder.resolve("another"), "3").succeeded().out()).isEqualTo("3\n");
  }

  @Test
  void mistakesAreRefused() throws IOException {
    String seen = name("seen");
    Path empty = Files.createDirectory(folder.resolve("empty"));
    Cli.with("a\n", "uniq", "--state", seen).succeeded();
    Cli.with("a\n", "uniq", "--state", seen, "-o", folder.resolve("out"))
        .refused("redirect standard output");
    Cli.with("a\n", "uniq", "--state", seen, "--first-repeated").refused("name a file");
    Cli.with("a\n", "uniq", "--state", seen, "--within", "1h").refused("leave out --within");
    Cli.with("a\n", "remove", seen).refused("is a set");
    String window = name("window");
    Cli.with("a\n", "uniq", "--state", window, "--within", "1h").succeeded();
    Cli.with("a\n", "uniq", "--state", window, "--within", "2h").refused("has a window of PT1H");
    Cli.with("a\n", "remove", window).refused("cannot");
    Cli.with("a\n", "uniq", "--state", seen, "--fpp", "1e-3").refused("was begun with --fpp");
    Cli.run("query", empty, "a").refused("is a directory, not a filter");
    Cli.run("follow", empty, "-o", folder.resolve("d")).refused("does not hold a durable filter");
    Cli.run("follow", seen, "--since", 7, "-o", folder.resolve("d"))
        .refused("is at version 1 and has not reached 7");
    Path delta = folder.resolve("delta");
    Cli.run("follow", seen, "-o", delta).succeeded();
    Cli.run("receive", seen, delta).refused("keys of its own");
    Path bloom = folder.resolve("bloom");
    Cli.with("a\n", "build", "-o", bloom).succeeded();
    Cli.run("receive", name("new"), bloom).refused("is of kind bloom", "give what follow wrote");
    byte[] bytes = Files.readAllBytes(delta);
    bytes[bytes.length / 2] ^= 4;
    Files.write(delta, bytes);
    Cli.run("receive", name("new"), delta).refused("delta");
    // a damaged folder names the offset and the way out
    try (Stream<Path> files = Files.list(Path.of(seen))) {
      Path snapshot =
          files.filter(f -> f.getFileName().toString().startsWith("snap")).findFirst().get();
      byte[] content = Files.readAllBytes(snapshot);
      content[content.length / 2] ^= 1;
      Files.write(snapshot, content);
    }
    Cli.run("query", seen, "a").refused("at byte", "restore the folder from a backup");
    Cli.with("b\n", "uniq", "--state", seen).refused("at byte");
  }

  /** A killed process remembers every line that it printed before its last group. */
  @Test
  void aKilledRunPrintsAtMostItsLastGroupAgain() throws Exception {
    Path seen = folder.resolve("seen");
    Path input = Files.writeString(folder.resolve("lines"), Cli.numbers(0, 200_000));
    List<String> printed = new ArrayList<>();
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "uniq",
                "--state",
                seen + "/",
                "--fpp",
                "1e-12",
                input.toString())
            .redirectError(folder.resolve("err").toFile())
            .start();
    try (InputStream in = process.getInputStream()) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(in.readNBytes(300_000));
      process.toHandle().destroyForcibly();
      in.transferTo(out);
      String text = out.toString(StandardCharsets.UTF_8);
      // the last line may be a part of one
      text.substring(0, text.lastIndexOf('\n')).lines().forEach(printed::add);
    }
    assertThat(process.waitFor()).isEqualTo(128 + 9);
    assertThat(printed.size()).isBetween(40_000, 199_000);
    Map<String, Integer> times = new HashMap<>();
    printed.forEach(line -> times.merge(line, 1, Integer::sum));
    String rest = Cli.run("uniq", "--state", seen + "/", input).succeeded().out();
    rest.lines().forEach(line -> times.merge(line, 1, Integer::sum));
    assertThat(times.keySet()).hasSizeGreaterThanOrEqualTo(200_000);
    List<String> again = printed.stream().filter(line -> times.get(line) > 1).toList();
    assertThat(again).isEqualTo(printed.subList(printed.size() - again.size(), printed.size()));
    assertThat(again.stream().mapToInt(line -> line.length() + 1).sum())
        .isLessThanOrEqualTo(GROUP_BYTES);
  }

  /** An output must not replace a file that the folder of a durable filter consists of. */
  @Test
  void anOutputIsNotAFileOfAFolder() throws IOException {
    String seen = name("seen");
    Cli.with(Cli.numbers(0, 10), "uniq", "--state", seen).succeeded();
    Path first = folder.resolve("first.delta");
    Cli.run("follow", seen, "-o", first).succeeded();
    List<String> names;
    try (Stream<Path> files = Files.list(folder.resolve("seen"))) {
      names = files.map(file -> file.getFileName().toString()).toList();
    }
    assertThat(names).contains("filter", "lock", "followed").hasSizeGreaterThan(4);
    for (String name : names) {
      Cli.run("follow", seen, "--since", 0, "-o", seen + name).refused(name, "durable filter");
      Cli.with("a\n", "build", "-o", seen + name).refused(name, "durable filter");
    }
    Cli.run("follow", seen, "--since", 0, "-o", seen + "other.delta").succeeded();
    assertThat(Cli.with(Cli.numbers(0, 20), "query", "--count", seen).succeeded().out())
        .isEqualTo("10\n");
    // elsewhere these are names like any other
    Cli.with("a\n", "build", "-o", folder.resolve("filter")).succeeded();
    Cli.with("a\n", "build", "-o", folder.resolve("filter")).succeeded();
  }

  /** Keys that add drops are not dropped silently, in a folder as in a file. */
  @Test
  void addNotesLateKeys() throws IOException {
    List<Object> times = List.of("--time-field", 1, "--time-format", "seconds", "--field", 2);
    String seen = name("seen");
    Cli.with("100000\ta\n", with(times, "uniq", "--within", "1h", "--state", seen)).succeeded();
    Path file = folder.resolve("seen.window");
    Cli.with(
            "100000\ta\n",
            with(times, "build", "--kind", "window", "--window", "1h", "--drop-late", "-o", file))
        .succeeded();
    for (Object filter : List.of(seen, file)) {
      assertThat(Cli.with("5\tb\n100001\tc\n", with(times, "add", filter)).succeeded().err())
          .isEqualTo("bellows: 1 late key was dropped\n");
      assertThat(Cli.with("5\tb\n6\tc\n", with(times, "add", filter)).succeeded().err())
          .isEqualTo("bellows: 2 late keys were dropped\n");
      assertThat(Cli.with("100002\td\n", with(times, "add", filter)).succeeded().err()).isEmpty();
      assertThat(Cli.run("query", filter, "a", "b", "c", "d").out()).isEqualTo("a\nc\nd\n");
    }
  }

  @Test
  void foldersAndFilesAreSentByVerbsOfTheirOwn() throws IOException {
    String seen = name("seen");
    Path delta = folder.resolve("delta");
    Path file = folder.resolve("file");
    Cli.with("a\n", "uniq", "--state", seen).succeeded();
    Cli.run("ship", seen, "-o", folder.resolve("part")).refused("bellows follow " + seen);
    Cli.run("follow", seen, "-o", delta).succeeded();
    Cli.with("a\n", "build", "-o", file).succeeded();
    Cli.run("receive", file, delta).refused("is a delta", file + " is a file");
  }
}
