package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.growth.FingerprintFilter;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kind fingerprint on the command line, verb by verb. */
class FingerprintTest {
  private static final int KEYS = 20_000;

  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Path lines(String name, int from, int to) throws IOException {
    return Files.writeString(path(name), Cli.numbers(from, to));
  }

  private Path filter(String name, int from, int to, Object... options) {
    Object[] arguments = {"build", "--kind", "fingerprint", "-o", path(name)};
    Object[] all = Arrays.copyOf(arguments, arguments.length + options.length);
    System.arraycopy(options, 0, all, arguments.length, options.length);
    Cli.with(Cli.numbers(from, to), all).succeeded();
    return path(name);
  }

  private static long found(Path filter, int from, int to) {
    return Long.parseLong(
        Cli.with(Cli.numbers(from, to), "query", "--count", filter).out().strip());
  }

  @Test
  void buildSaysWhatItStored() throws IOException {
    Path input = lines("keys", 0, KEYS);
    Path out = path("keys.f");
    Map<String, Object> built =
        Cli.run("build", "--kind", "fingerprint", "--fpp", "1%", "-o", out, input, input, "--json")
            .succeeded()
            .json();
    FingerprintFilter filter = FingerprintFilter.readFrom(out);
    assertThat(filter.isRemovable()).isFalse();
    assertThat(built)
        .containsEntry("kind", "fingerprint")
        .containsEntry("lines", 2 * KEYS)
        .containsEntry("keys", (int) filter.approximateElementCount())
        .containsEntry("bytes", (int) Files.size(out));
    assertThat(Cli.real(built.get("fpp"))).isEqualTo(filter.expectedFpp()).isLessThan(0.01);
    assertThat(Cli.real(built.get("bitsPerKey")))
        .isEqualTo(Cli.real(built.get("bits")) / filter.approximateElementCount());
    assertThat(found(out, 0, KEYS)).isEqualTo(KEYS);
    assertThat(Cli.run("build", "--kind", "fingerprint", "-o", out, input).succeeded().out())
        .contains("false positives are not counted")
        .doesNotContain("distinct, counted");
  }

  @Test
  void anEmptyInputMakesAnEmptyFilter() {
    Path out = path("empty.f");
    Map<String, Object> built =
        Cli.run("build", "--kind", "fingerprint", "-o", out, "--json").succeeded().json();
    assertThat(built).containsEntry("keys", 0).containsEntry("bitsPerKey", null);
    assertThat(Cli.run("query", out, "a").code()).isEqualTo(1);
    Cli.run("info", out).succeeded();
    Cli.run("fold", out, "--to-fpp", "5%", "-o", path("small.f")).succeeded();
    Cli.run("ship", out, "-o", path("part")).succeeded();
    Cli.run("receive", path("store"), path("part")).succeeded();
  }

  @ParameterizedTest
  @CsvSource({"--bits,1000", "--hashes,3", "--pattern,2x3", "--layout,blocked", "--capacity,1000"})
  void sizesAreRefused(String option, String value) {
    Cli.run("build", "--kind", "fingerprint", option, value, "-o", path("out"))
        .refused(option + " is not valid with --kind fingerprint");
    assertThat(path("out")).doesNotExist();
  }

  @Test
  void ratesBelowWhatAHashCanHoldAreRefused() {
    Cli.run("build", "--kind", "fingerprint", "--fpp", "1e-18", "-o", path("out"))
        .refused("1.0E-18", "64-bit");
  }

  @Test
  void infoHasItsFields() throws IOException {
    Path file = filter("keys.f", 0, KEYS, "--removable", "--fpp", "0.1%");
    Map<String, Object> info = Cli.run("info", file, "--json").succeeded().json();
    assertThat(info)
        .containsEntry("removable", true)
        .containsEntry("fpp", 0.001)
        .containsEntry("keys", KEYS)
        .containsEntry("wireBytes", (int) Files.size(file));
    assertThat(Cli.real(info.get("bitsPerKey")))
        .isEqualTo(8 * Cli.real(info.get("payloadBytes")) / KEYS);
  }

  @Test
  void addsKeys() {
    Path file = filter("keys.f", 0, 100);
    Map<String, Object> added =
        Cli.with(Cli.numbers(50, KEYS), "add", file, "--json").succeeded().json();
    assertThat(Cli.integer(added.get("lines"))).isEqualTo(KEYS - 50);
    assertThat(Cli.integer(added.get("new"))).isBetween(KEYS - 1000L, KEYS - 100L);
    assertThat(found(file, 0, KEYS)).isEqualTo(KEYS);
  }

  @Test
  void onlyARemovableOneRemoves() throws IOException {
    Path set = filter("set.f", 0, 100);
    byte[] before = Files.readAllBytes(set);
    Cli.with("7\n", "remove", set).refused("set.f is a set", "build it with --removable");
    assertThat(set).hasBinaryContent(before);
    Path file = filter("keys.f", 0, KEYS, "--removable", "--fpp", "1e-6");
    Map<String, Object> removed =
        Cli.with(Cli.numbers(0, KEYS / 2), "remove", file, "--json").succeeded().json();
    assertThat(removed).containsEntry("removed", KEYS / 2).containsEntry("absent", 0);
    assertThat(found(file, KEYS / 2, KEYS)).isEqualTo(KEYS / 2);
    assertThat(found(file, 0, KEYS / 2)).isLessThan(10);
    assertThat(Cli.with("0\n", "remove", file).code()).isEqualTo(1);
  }

  /**
   * Messages claim no more than is known: a key that stays is not absent, a second put is not new.
   */
  @Test
  void reportsOfARemovableFilterSayWhatHappened() {
    String often = "same\n".repeat(300);
    Path file = path("often.f");
    Cli.with(often, "build", "--kind", "fingerprint", "--removable", "-o", file).succeeded();
    assertThat(Cli.with("same\nother\n", "add", file).succeeded().out())
        .containsPattern("stored +1\\n")
        .doesNotContain("new");
    assertThat(Cli.with("same\n", "remove", file).out())
        .containsPattern("not removed +1\\n")
        .doesNotContain("absent");
    assertThat(Cli.run("query", file, "same").out()).isEqualTo("same\n");
  }

  @Test
  void filtersOfAnySizeAndRateMerge() {
    Path small = filter("small.f", 0, 10, "--fpp", "5%");
    Path large = filter("large.f", 5, KEYS, "--fpp", "0.1%");
    Map<String, Object> union =
        Cli.run("union", small, large, "-o", path("both.f"), "--json").succeeded().json();
    assertThat(found(path("both.f"), 0, KEYS)).isEqualTo(KEYS);
    assertThat(Cli.real(union.get("expectedFpp"))).isLessThan(0.051);
    Cli.run("intersect", small, large, "-o", path("common.f")).succeeded();
    assertThat(found(path("common.f"), 5, 10)).isEqualTo(5);
    assertThat(found(path("common.f"), 10, KEYS)).isLessThan(KEYS / 10);
  }

  @Test
  void setsAndRemovableOnesDoNotMerge() {
    Path set = filter("set.f", 0, 10);
    Path removable = filter("removable.f", 0, 10, "--removable");
    Cli.run("union", set, removable, "-o", path("x"))
        .refused("cannot be merged", "set.f again with --removable");
    Cli.run("union", removable, set, "-o", path("x"))
        .refused("cannot be merged", "set.f again with --removable");
    Path bloom = path("keys.bloom");
    Cli.run("build", "-o", bloom).succeeded();
    Cli.run("union", set, bloom, "-o", path("x"))
        .refused("kind fingerprint here and bloom there", "prefixes are not hashes");
    Cli.run("union", bloom, set, "-o", path("x"))
        .refused("kind bloom here", "prefixes are not hashes", "keys.bloom again with --kind");
    assertThat(path("x")).doesNotExist();
  }

  @Test
  void subtractsWhatWasPut() {
    Path all = filter("all.f", 0, KEYS, "--removable", "--fpp", "1e-6");
    Path gone = filter("gone.f", 0, KEYS / 2, "--removable", "--fpp", "1e-6");
    Cli.run("subtract", all, gone, "-o", path("left.f")).succeeded();
    assertThat(found(path("left.f"), KEYS / 2, KEYS)).isEqualTo(KEYS / 2);
    assertThat(found(path("left.f"), 0, KEYS / 2)).isLessThan(KEYS / 100);
    Path set = filter("set.f", 0, 10);
    Cli.run("subtract", set, set, "-o", path("x")).refused("set.f is a set", "--removable");
  }

  /** A small filter has short prefixes, some of which may also be prefixes of keys that stay. */
  @Test
  void subtractSaysHowManyStay() {
    Path all = filter("all.f", 0, 60_000, "--removable");
    Path few = filter("few.f", 0, 500, "--removable");
    Path left = path("left.f");
    Cli.Result result = Cli.run("subtract", all, few, "-o", left);
    Matcher warned =
        Pattern.compile("about (\\d+) of 500 keys to subtract are left.*few.f with a lower --fpp")
            .matcher(result.succeeded().err());
    assertThat(warned.find()).isTrue();
    assertThat(found(left, 0, 500)).isGreaterThanOrEqualTo(Long.parseLong(warned.group(1)));
    assertThat(found(left, 500, 60_000)).isEqualTo(59_500);
    Path exact = filter("exact.f", 0, 500, "--removable", "--fpp", "1e-9");
    assertThat(Cli.run("subtract", all, exact, "-o", left).succeeded().err()).isEmpty();
  }

  @Test
  void foldsToARateOrASize() throws IOException {
    Path file = filter("keys.f", 0, KEYS, "--fpp", "0.1%");
    Map<String, Object> folded =
        Cli.run("fold", file, "--to-fpp", "1%", "-o", path("small.f"), "--json").succeeded().json();
    assertThat(folded).containsEntry("factor", null);
    assertThat(Cli.real(folded.get("expectedFpp"))).isBetween(0.0095, 0.01);
    assertThat(Cli.real(folded.get("bitsPerKey"))).isLessThan(Math.log(100) / Math.log(2) + 1.8);
    assertThat(path("small.f")).hasSize(Cli.integer(folded.get("bytes")));
    assertThat(found(path("small.f"), 0, KEYS)).isEqualTo(KEYS);
    Map<String, Object> sized =
        Cli.run("fold", file, "--to-size", "20KiB", "-o", path("sized.f"), "--json")
            .succeeded()
            .json();
    assertThat(Files.size(path("sized.f"))).isBetween(19L << 10, 20L << 10);
    assertThat(Cli.real(sized.get("expectedFpp"))).isLessThan(0.02);
    assertThat(found(path("sized.f"), 0, KEYS)).isEqualTo(KEYS);
    Cli.run("fold", file, "--to-size", "1GiB", "-o", path("same.f")).succeeded();
    assertThat(path("same.f")).hasSameBinaryContentAs(file);
  }

  @Test
  void impossibleFoldsNamePossibleOnes() {
    Path file = filter("keys.f", 0, KEYS, "--fpp", "1%");
    Cli.run("fold", file, "--factor", "2", "-o", path("x")).refused("--to-fpp or --to-size");
    Cli.run("fold", file, "--to-bits", "2", "-o", path("x")).refused("--to-fpp or --to-size");
    Cli.run("fold", file, "--to-size", "10", "-o", path("x"))
        .refused("a rate of at most 0.5, and 10 bytes are too few", "the file takes");
    Cli.run("fold", file, "--to-fpp", "1e-6", "-o", path("x")).refused("has fpp", "or more");
    assertThat(path("x")).doesNotExist();
  }

  @Test
  void shipsAtARateAndRemembersNothing() throws IOException {
    Path file = filter("keys.f", 0, KEYS, "--fpp", "0.1%");
    byte[] before = Files.readAllBytes(file);
    Map<String, Object> shipped =
        Cli.run("ship", file, "--to-fpp", "1%", "-o", path("part"), "--json").succeeded().json();
    assertThat(file).hasBinaryContent(before);
    assertThat(path("part"))
        .hasBinaryContent(FingerprintFilter.readFrom(file).toBytes(0.01))
        .hasSize(Cli.integer(shipped.get("bytes")));
    assertThat(shipped)
        .containsKeys("bits", "factor", "sent", "bitsPerKey")
        .containsEntry("jointFpp", shipped.get("expectedFpp"));
    Cli.run("ship", file, "--budget", "10KiB", "-o", path("part2")).succeeded();
    assertThat(Files.size(path("part2"))).isBetween(9L << 10, 10L << 10);
    Cli.run("ship", file, "-o", path("part3")).succeeded();
    assertThat(path("part3")).hasBinaryContent(before);
    Cli.run("ship", file, "--to-fpp", "1e-9", "-o", path("x")).refused("has fpp");
  }

  @Test
  void receivesPartsThatArrived() throws IOException {
    Path file = filter("keys.f", 0, KEYS, "--fpp", "0.1%");
    byte[] sent = Files.readAllBytes(file);
    double rateBefore = 1;
    for (int share = 60; share <= 100; share += 10) {
      byte[] arrived = Arrays.copyOf(sent, sent.length * share / 100);
      Path part = Files.write(path("part"), arrived);
      Path store = path("store" + share);
      Map<String, Object> received = Cli.run("receive", store, part, "--json").succeeded().json();
      double rate = Cli.real(received.get("jointFpp"));
      assertThat(rate).isLessThanOrEqualTo(rateBefore);
      rateBefore = rate;
      assertThat(Cli.integer(received.get("planes")))
          .isLessThanOrEqualTo(Cli.integer(received.get("allPlanes")));
      assertThat(found(store, 0, KEYS)).isEqualTo(KEYS);
      Path piped = path("piped" + share);
      Cli.with(new ByteArrayInputStream(arrived), "receive", piped, "-").succeeded();
      assertThat(piped).hasSameBinaryContentAs(store);
    }
    assertThat(path("store100")).hasBinaryContent(sent);
    Cli.run("receive", path("store60"), file).refused("store60 is there", "--restart");
    Cli.run("receive", "--restart", path("store60"), file).succeeded();
    Path notes = Files.writeString(path("notes"), "not a filter");
    Cli.run("receive", "--restart", notes, file).refused("notes");
    assertThat(notes).hasContent("not a filter");
    assertThat(path("store60")).hasBinaryContent(sent);
    Cli.run("receive", path("x"), file, file).refused("give it alone");
  }

  @Test
  void incompletePartsAreRefusedByOtherVerbs() throws IOException {
    Path file = filter("keys.f", 0, KEYS);
    byte[] bytes = Files.readAllBytes(file);
    Path cut = Files.write(path("cut"), Arrays.copyOf(bytes, bytes.length * 9 / 10));
    Cli.run("info", cut).refused("ends inside");
    Cli.run("query", cut, "1").refused("ends inside");
    Path header = Files.write(path("header"), Arrays.copyOf(bytes, 300));
    Cli.run("receive", path("x"), header)
        .refused("header: ", "all leading bits, must have arrived");
    Path broken = Files.write(path("broken"), bytes);
    bytes[bytes.length / 3] ^= 1;
    Files.write(broken, bytes);
    Cli.run("receive", path("x"), broken).refused("broken: ");
    assertThat(path("x")).doesNotExist();
  }

  @Test
  void verbsOfOtherKindsRefuseIt() {
    Path file = filter("keys.f", 0, 100);
    Cli.run("match", file, file).refused("kind fingerprint");
    Cli.run("binarize", file, "-o", path("x")).refused("fingerprint");
    Cli.run("build", "--like", file, "-o", path("x"))
        .refused("--like takes a filter of kind bloom or counting", "kind fingerprint");
  }

  @Test
  void verifies() throws IOException {
    Path file = filter("keys.f", 0, KEYS, "--fpp", "1%");
    Map<String, Object> verdict =
        Cli.run(
                "verify",
                file,
                "--present",
                lines("in", 0, KEYS),
                "--absent",
                lines("out", KEYS, 10 * KEYS),
                "--json")
            .succeeded()
            .json();
    assertThat(verdict).containsEntry("consistent", true).containsEntry("missing", 0);
  }

  @Test
  void takesLongsAndSecretKeys() throws IOException {
    Path longs = filter("longs.f", 0, 100, "--longs");
    assertThat(found(longs, 0, 100)).isEqualTo(100);
    assertThat(Cli.run("query", longs, "7").out()).isEqualTo("7\n");
    Path key = Files.writeString(path("key"), "00112233445566778899aabbccddeeff");
    Path keyed = filter("keyed.f", 0, 100, "--key-file", key);
    Cli.run("query", keyed, "7").refused("--key-file");
    assertThat(Cli.run("query", keyed, "--key-file", key, "7").out()).isEqualTo("7\n");
  }
}
