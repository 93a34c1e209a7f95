package dev.bellows.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Repository;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Hashes, positions, patterns and the container are frozen: SHA-256 of the vectors they are checked
 * against. The answers are frozen only for files whose size and thresholds are explicit, not
 * planned.
 */
class FrozenTest {
  private static final String FROZEN =
      "%s: hashes, positions, patterns and files are frozen and must never change, or filters in"
          + " use would lose their keys: restore the file and the code that it checks";

  private static final Predicate<String> GIVEN =
      line ->
          line.matches(
              "\"(bloom-classic-840|bloom-blocked-.*|counting-classic-840-4|autoscaling-fixed)\":.*");

  @Test
  void hashesAreFrozen() throws Exception {
    assertFrozen(
        "hashing.json",
        line -> true,
        "c1678fa514ea7d0bf4d65d21342cae257d00084d8a9a82f02fa368f382dddee8");
  }

  @Test
  void positionsAndPatternsAreFrozen() throws Exception {
    assertFrozen(
        "positions.json",
        line -> true,
        "bdfdc63e5e4fb5ea749b631c2c29e8a040799df231af251dc4004e398a6fb4df");
  }

  @Test
  void answersAreFrozen() throws Exception {
    assertFrozen(
        "answers.json", GIVEN, "2b3a0dbfd52505f792e6243b880b8c53841d08ab33145626bf1cef4ac47eed42");
  }

  /** Lines are added to the list, for new kinds; none ever changes. */
  @Test
  void filesAreFrozen() throws Exception {
    assertFrozen(
        "frozen.sha256",
        line -> true,
        "fd45964f7e23a7b14c98d6dc338e826850e98de195f27f0649d0e78c5513c83f");
    Map<String, String> frozen = new TreeMap<>();
    for (String line : Files.readAllLines(Repository.path("spec/vectors/frozen.sha256"))) {
      frozen.put(line.substring(66), line.substring(0, 64));
    }
    Map<String, String> found = new TreeMap<>();
    try (Stream<Path> files = Files.list(Repository.path("spec/vectors"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".bellows")).toList()) {
        found.put(file.getFileName().toString(), digest(Files.readAllBytes(file)));
      }
    }
    assertThat(found).as(FROZEN, "*.bellows").isEqualTo(frozen);
  }

  private static String digest(byte[] bytes) throws NoSuchAlgorithmException {
    return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
  }

  private static void assertFrozen(String name, Predicate<String> counts, String digest)
      throws IOException, NoSuchAlgorithmException {
    List<String> lines =
        Files.readAllLines(Repository.path("spec/vectors/" + name)).stream()
            .filter(counts)
            .toList();
    byte[] bytes = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    assertThat(digest(bytes)).as(FROZEN, name).isEqualTo(digest);
  }
}
