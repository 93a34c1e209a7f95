package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The secret of {@code bellows uniq}, and lines that are chosen to make others disappear. */
class UniqSecretTest {
  @TempDir Path folder;

  private String name(String name) {
    return folder + "/" + name;
  }

  @ParameterizedTest
  @ValueSource(strings = {"state", "state/"})
  void aStateHasASecretNextToIt(String state) throws IOException {
    String name = name(state);
    Path key = folder.resolve("state.key");
    assertThat(Cli.with("a\nb\n", "uniq", "--state", name).succeeded().out()).isEqualTo("a\nb\n");
    assertThat(Files.readString(key)).matches("[0-9a-f]{32}\n");
    if (Files.getFileStore(key).supportsFileAttributeView("posix")) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
          .isEqualTo("rw-------");
    }
    assertThat(Cli.with("b\nc\n", "uniq", "--state", name).succeeded().out()).isEqualTo("c\n");
    // other verbs find it
    assertThat(Cli.run("query", name, "a", "x").succeeded().out()).isEqualTo("a\n");
    Cli.with("x\n", "add", name).succeeded();
    assertThat(Cli.run("query", name, "a", "x").succeeded().out()).isEqualTo("a\nx\n");
    Path present = Files.writeString(folder.resolve("present"), "a\nb\nc\nx\n");
    Cli.run("verify", name, "--present", present).succeeded();
    assertThat(Cli.run("info", name).succeeded().out()).contains("siphash");
    // without it, or with another one, the state is refused and stays as it is
    Path hidden = Files.move(key, folder.resolve("hidden"));
    Cli.with("d\n", "uniq", "--state", name).refused("secret key", "--key-file");
    Cli.run("query", name, "a").refused("secret key", "--key-file");
    assertThat(key).doesNotExist();
    Files.writeString(key, "00112233445566778899aabbccddeeff\n");
    Cli.with("d\n", "uniq", "--state", name).refused("--key-file");
    assertThat(Cli.with("c\nd\n", "uniq", "--state", name, "--key-file", hidden).out())
        .isEqualTo("d\n");
  }

  @Test
  void aFileOfAnotherProgramIsNotReplaced() throws IOException {
    Path key = Files.writeString(folder.resolve("site.key"), "-----BEGIN PRIVATE KEY-----\n");
    Cli.with("a\n", "uniq", "--state", name("site")).refused("site.key", "is not a key");
    assertThat(key).hasContent("-----BEGIN PRIVATE KEY-----");
    assertThat(folder.resolve("site")).doesNotExist();
    Cli.with("a\n", "uniq", "--state", name("s"), "-o", name("s.key")).refused("key file");
  }

  /** The second file of a state has the same secret. */
  @Test
  void firstRepetitionsShareTheSecret() {
    Object[] words = {"uniq", "--first-repeated", "--state", name("state")};
    assertThat(Cli.with("a\nb\na\n", words).succeeded().out()).isEqualTo("a\n");
    assertThat(Cli.with("a\nb\nc\n", words).succeeded().out()).isEqualTo("b\n");
    assertThat(folder.resolve("state.key")).exists();
    assertThat(folder.resolve("state.repeated.key")).doesNotExist();
  }

  /**
   * 8,300 lines whose hashes without a secret agree in nine bits. They make a state that was begun
   * without one drop 2^-9 of all other lines, within the documented bound, and hurt no other.
   */
  @Test
  void chosenLinesHurtOnlyAStateWithoutASecret() throws IOException {
    int chosen = 8_300;
    int honest = 200_000;
    StringBuilder lines = new StringBuilder();
    Set<String> first = new HashSet<>();
    for (int i = 0; first.size() < chosen; i++) {
      String line = "chosen " + i;
      byte[] bytes = line.getBytes(StandardCharsets.UTF_8);
      if (HashScheme.DEFAULT.hash(bytes, 0, bytes.length) >>> 55 == 0x5A) {
        first.add(line);
        lines.append(line).append('\n');
      }
    }
    lines.append(Cli.numbers(0, honest));
    String out = name("out");
    Object[] words = {"uniq", "-o", out, "--json"};
    Map<String, Object> secret =
        Cli.with(lines.toString(), with(words, "--fpp", "1e-9")).succeeded().json();
    assertThat(Cli.integer(secret.get("unique")))
        .isBetween(chosen + honest - 2L, chosen + honest + 0L);
    String state = name("state");
    Cli.with("", "build", "--kind", "fingerprint", "--fpp", "1e-6", "-o", state).succeeded();
    Map<String, Object> without =
        Cli.with(lines.toString(), with(words, "--state", state)).succeeded().json();
    assertThat(folder.resolve("state.key")).doesNotExist();
    long printed =
        Files.readAllLines(Path.of(out)).stream().filter(line -> !first.contains(line)).count();
    double dropped = honest - printed;
    double expected = Cli.real(without.get("expectedDropped"));
    // six standard deviations, alpha below 1e-8
    assertThat(dropped).isGreaterThan(100);
    assertThat(dropped)
        .isLessThan((double) honest * chosen / (1 << 21))
        .isBetween(expected - 6 * Math.sqrt(expected), expected + 6 * Math.sqrt(expected));
  }

  private static Object[] with(Object[] first, Object... last) {
    Object[] all = new Object[first.length + last.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(last, 0, all, first.length, last.length);
    return all;
  }
}
