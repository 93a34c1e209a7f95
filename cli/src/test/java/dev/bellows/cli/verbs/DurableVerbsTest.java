package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
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
    assertThat(Cli.with(Cli.numbers(0, 60), "query", "--count", replica).succeeded().out())
        .isEqualTo("20\n");
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
    Cli.with("a\n", "uniq", "--state", seen, "--within", "1h").refused("name a file");
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

  /** A process that is killed forgets no line that it printed before its last group. */
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
}
