package dev.bellows.cli.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.FoldedFilters;
import dev.bellows.Layout;
import dev.bellows.answers.FoldSteps;
import dev.bellows.cli.Cli;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.TransmissionPlan;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** ship, receive, and what plans them. */
class TransmissionTest {
  private static final int KEYS = 2000;
  private static final int BUDGET = 1500;

  @TempDir Path folder;
  private Path source;

  private Path path(String name) {
    return folder.resolve(name);
  }

  @BeforeEach
  void build() {
    source = path("source");
    elastic(source, 7, "independent");
  }

  private static void elastic(Path file, int id, String policy) {
    List<Object> words = new ArrayList<>(List.of("build", "--kind", "elastic", "-o", file));
    words.addAll(List.of("--keys", "5k", "--fpp", "1%", "--tolerance", "0.4%"));
    words.addAll(List.of("--policy", policy));
    if (id != 0) {
      words.addAll(List.of("--id", id));
    }
    Cli.with(Cli.numbers(0, KEYS), words.toArray()).succeeded();
  }

  private Map<String, Object> ship(Path part) {
    return Cli.run("ship", source, "--budget", BUDGET, "-o", part, "--json").succeeded().json();
  }

  @Test
  void eachPartFitsTheBudgetAndLowersTheRateOfTheReceiver() throws IOException {
    Path store = path("store");
    double before = 1;
    List<Long> sent = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      Path part = path("part" + i);
      Map<String, Object> shipped = ship(part);
      assertThat(Files.size(part))
          .isLessThanOrEqualTo(BUDGET)
          .isEqualTo(Cli.integer(shipped.get("bytes")));
      FoldedFilters folding = FoldedFilters.readFrom(part);
      assertThat(folding.filterId()).isEqualTo(7);
      assertThat(shipped).containsEntry("version", (int) folding.version().getAsLong());
      long bits = Cli.integer(shipped.get("bits"));
      assertThat(folding.sizes()).containsExactly(bits);
      assertThat(Cli.integer(shipped.get("factor")) * bits)
          .isEqualTo(ElasticBloomFilter.readFrom(source).capacity());
      sent.add(bits);
      assertThat((List<?>) shipped.get("sent"))
          .extracting(Cli::integer)
          .containsExactlyInAnyOrderElementsOf(sent);
      double joint = Cli.real(shipped.get("jointFpp"));
      assertThat(joint).isLessThan(0.7 * before);
      before = joint;
      Map<String, Object> received = Cli.run("receive", store, part, "--json").succeeded().json();
      assertThat(received)
          .containsEntry("foldings", i)
          .containsEntry("new", 1)
          .containsEntry("jointFpp", joint)
          .containsEntry("bytes", (int) Files.size(store));
      assertThat(received).containsEntry("jointFpp", FoldedFilters.readFrom(store).expectedFpp());
    }
    assertThat(Cli.with(Cli.numbers(0, KEYS), "query", store, "--count").out())
        .isEqualTo(KEYS + "\n");
    Map<String, Object> info = Cli.run("info", store, "--json").succeeded().json();
    assertThat(info).containsEntry("kind", "parts").containsEntry("filterId", 7);
    assertThat(info.get("jointFpp")).isEqualTo(info.get("expectedFpp"));
    assertThat(Cli.run("query", store, "1", "--json").json().get("expectedFpp"))
        .isEqualTo(info.get("jointFpp"));
    Files.writeString(path("absent"), Cli.numbers(10_000, 60_000));
    Files.writeString(path("present"), Cli.numbers(0, KEYS));
    Cli.run("verify", store, "--absent", path("absent"), "--present", path("present")).succeeded();
  }

  @Test
  void partsArriveTogetherInAnyOrderAndTwice() throws IOException {
    ship(path("a"));
    ship(path("b"));
    Cli.run("receive", path("one"), path("b"), path("a"), path("b")).succeeded();
    Cli.run("receive", path("two"), path("a")).succeeded();
    Cli.run("receive", path("two"), path("b")).succeeded();
    assertThat(FoldedFilters.readFrom(path("one"))).isEqualTo(FoldedFilters.readFrom(path("two")));
    byte[] before = Files.readAllBytes(path("one"));
    assertThat(Cli.run("receive", path("one"), path("a"), "--json").succeeded().json())
        .containsEntry("foldings", 2)
        .containsEntry("new", 0);
    assertThat(path("one")).hasBinaryContent(before);
    byte[] piped = Cli.run("ship", source, "--budget", BUDGET, "-o", "-").succeeded().bytes();
    Cli.with(new ByteArrayInputStream(piped), "receive", path("one"), "-").succeeded();
    assertThat(FoldedFilters.readFrom(path("one")).sizes()).hasSize(3);
    assertThat(ElasticBloomFilter.readFrom(source).sentSizes()).hasSize(3);
  }

  @Test
  void anotherStateRestartsOnlyOnRequest() throws IOException {
    Path store = path("store");
    ship(path("old"));
    Cli.run("receive", store, path("old")).succeeded();
    byte[] before = Files.readAllBytes(store);
    Cli.with("one more\n", "add", source).succeeded();
    assertThat((List<?>) ship(path("new")).get("sent")).hasSize(1);
    Cli.run("receive", store, path("new"))
        .refused(
            "new: foldings of different states",
            "which is newer: version ",
            "--restart",
            store.toString());
    Cli.run("receive", "--restart", store, path("new"), path("old"))
        .refused("old: ", "which is older", "leave it out");
    assertThat(store).hasBinaryContent(before);
    assertThat(Cli.run("receive", "--restart", store, path("new"), "--json").succeeded().json())
        .containsEntry("foldings", 1)
        .containsEntry("new", 1);
    assertThat(Cli.run("query", store, "one more").out()).isEqualTo("one more\n");
    Cli.run("receive", store, path("old"))
        .refused("which is older: version ", "leave it out", "--newest");
    assertThat(Cli.run("query", store, "one more").out()).isEqualTo("one more\n");

    elastic(path("other"), 8, "independent");
    Cli.run("ship", path("other"), "--budget", BUDGET, "-o", path("stray")).succeeded();
    Cli.run("receive", store, path("stray"))
        .refused("id 7 here and 8 there", "--restart", "another store");
  }

  @Test
  void theNewestPartsStayInWhateverOrderTheyArrive() throws IOException {
    ship(path("old"));
    Cli.with("one more\n", "add", source).succeeded();
    ship(path("new1"));
    ship(path("new2"));
    Path store = path("store");
    assertThat(
            Cli.run(
                    "receive",
                    "--newest",
                    store,
                    path("old"),
                    path("new2"),
                    path("old"),
                    path("new1"),
                    "--json")
                .succeeded()
                .json())
        .containsEntry("foldings", 2)
        .containsEntry("older", 1)
        .containsEntry("version", (int) ElasticBloomFilter.readFrom(source).version());
    byte[] before = Files.readAllBytes(store);
    Cli.run("receive", "--newest", store, path("old")).succeeded();
    assertThat(store).hasBinaryContent(before);
    assertThat(Cli.run("query", store, "one more").out()).isEqualTo("one more\n");
    // plain foldings have no order
    BloomFilter plain = BloomFilter.builder().bits(512 * 60).hashes(8).id(7).build();
    plain.writeTo(path("plain"));
    Cli.run("receive", "--newest", store, path("plain"))
        .refused("does not say which state is newer", "--restart");
  }

  @Test
  void aFilterWithoutAnIdGetsOneWhenItIsShipped() throws IOException {
    elastic(path("nameless"), 0, "independent");
    Cli.run("ship", path("nameless"), "-o", path("a")).refused("has no id", "--id N");
    Cli.run("ship", path("nameless"), "--id", 0, "-o", path("a")).refused("other than 0");
    assertThat(
            Cli.run(
                    "ship",
                    path("nameless"),
                    "--id",
                    9,
                    "--budget",
                    BUDGET,
                    "-o",
                    path("a"),
                    "--json")
                .succeeded()
                .json())
        .containsEntry("filterId", 9);
    assertThat(FoldedFilters.readFrom(path("a")).filterId()).isEqualTo(9);
    assertThat(ElasticBloomFilter.readFrom(path("nameless")).filterId()).isEqualTo(9);
    Cli.run("ship", path("nameless"), "--budget", BUDGET, "-o", path("b")).succeeded();
    Cli.run("receive", path("store"), path("a"), path("b")).succeeded();
    assertThat(Cli.with(Cli.numbers(0, KEYS), "query", path("store"), "--count").out())
        .isEqualTo(KEYS + "\n");
    Cli.run("ship", path("nameless"), "--id", 8, "-o", path("c")).refused("has the id 9", "--id 8");
    Cli.with("x\n", "build", "-o", path("bloom")).succeeded();
    Cli.run("ship", path("bloom"), "--id", 8, "-o", path("c")).refused("of kind bloom", "--id");
  }

  @Test
  void aRateIsReachedByTheSmallestPart() throws IOException {
    ship(path("a"));
    Map<String, Object> second =
        Cli.run("ship", source, "--to-fpp", "0.1%", "-o", path("b"), "--json").succeeded().json();
    assertThat(Cli.real(second.get("jointFpp"))).isLessThanOrEqualTo(0.001);
    assertThat(
            FoldedFilters.readFrom(path("a")).with(FoldedFilters.readFrom(path("b"))).expectedFpp())
        .isEqualTo(Cli.real(second.get("jointFpp")));
    Cli.run("ship", source, "--to-fpp", "0.5%", "-o", path("c"))
        .refused("nothing needs to be sent", "--to-fpp 0.005");
    Cli.run("ship", source, "--to-fpp", "1e-300", "-o", path("c"))
        .refused("no folding takes a receiver", "higher --to-fpp");
    Cli.run("ship", source, "--budget", 900, "--to-fpp", "1%", "-o", path("c"))
        .refused("exclusive");
    assertThat(path("c")).doesNotExist();
    assertThat(ElasticBloomFilter.readFrom(source).sentSizes()).hasSize(2);
  }

  @Test
  void byDefaultTheViewIsSentAndUnderEntropyAnotherSizeEachTime() throws IOException {
    Map<String, Object> first =
        Cli.run("ship", source, "-o", path("a"), "--json").succeeded().json();
    assertThat(Cli.integer(first.get("bits")))
        .isEqualTo(ElasticBloomFilter.readFrom(source).bits());
    assertThat(Cli.real(first.get("expectedFpp"))).isLessThanOrEqualTo(0.014);
    Cli.run("ship", source, "-o", path("b")).refused("learns nothing", "--budget");
    assertThat(path("b")).doesNotExist();

    source = path("entropic");
    elastic(source, 9, "entropy");
    Cli.run("ship", source, "-o", path("c")).succeeded();
    Cli.run("ship", source, "-o", path("d")).succeeded();
    FoldedFilters both = FoldedFilters.readFrom(path("c")).with(FoldedFilters.readFrom(path("d")));
    assertThat(both.informativeSizes()).hasSize(2);
    assertThat(both.expectedFpp()).isLessThan(0.014 / 2);
  }

  @Test
  void whatCannotBeShippedIsRefusedAndNothingIsRemembered() throws IOException {
    byte[] before = Files.readAllBytes(source);
    Path out = path("out");
    Cli.run("ship", source, "--budget", 80, "-o", out).refused("80 bytes", "needs --budget ");
    Cli.run("ship", source, "--budget", BUDGET, "-o", source).refused("is one of the inputs");
    Cli.run("ship", source, "--budget", BUDGET, "-o", path("no/such/folder/x"))
        .refused("no such directory");
    Cli.run("ship", "-", "--budget", BUDGET, "-o", out).refused("name its file");
    Cli.run("ship", path("missing"), "-o", out).refused("no such file");
    Cli.with("a\n", "build", "-o", path("bloom")).succeeded();
    Cli.run("ship", path("bloom"), "-o", out).refused("of kind bloom", "--kind elastic");
    elastic(path("nameless"), 0, "independent");
    Cli.run("ship", path("nameless"), "-o", out).refused("has no id", "--id N");
    assertThat(source).hasBinaryContent(before);
    assertThat(out).doesNotExist();
  }

  @Test
  void theSuggestedMinimumBudgetIsEnoughUntilAllWasSent() throws IOException {
    ship(path("a"));
    String refusal =
        Cli.run("ship", source, "--budget", 1, "-o", path("b")).refused("needs --budget").err();
    int least = Integer.parseInt(refusal.replaceAll("(?s).*--budget (\\d+).*", "$1"));
    Cli.run("ship", source, "--budget", least - 1, "-o", path("b")).refused("--budget " + least);
    Cli.run("ship", source, "--budget", least, "-o", path("b")).succeeded();
    Cli.run("ship", source, "--budget", "100MiB", "-o", path("all")).succeeded();
    assertThat(FoldedFilters.readFrom(path("all")).sizes())
        .containsExactly(ElasticBloomFilter.readFrom(source).capacity());
    Cli.run("ship", source, "--budget", "100MiB", "-o", path("c"))
        .refused("nothing new is left to send");
    assertThat(path("c")).doesNotExist();
  }

  @Test
  void otherFilesAreRefusedAndTheStoreStays() throws IOException {
    Path store = path("store");
    ship(path("a"));
    Cli.run("receive", store, path("a")).succeeded();
    byte[] before = Files.readAllBytes(store);
    ship(path("b"));
    byte[] part = Files.readAllBytes(path("b"));
    byte[] flipped = part.clone();
    flipped[part.length / 2] ^= 4;
    Files.write(path("flipped"), flipped);
    Files.write(path("short"), Arrays.copyOf(part, part.length - 9));
    Files.writeString(path("text"), "no filter at all, but long enough to be read as one");
    Cli.with("a\n", "build", "-o", path("bloom")).succeeded();
    for (String damaged : List.of("flipped", "short", "text")) {
      Cli.run("receive", store, path(damaged)).refused(path(damaged).toString());
      Cli.run("receive", store, path("b"), path(damaged)).refused(path(damaged).toString());
    }
    Cli.run("receive", store, path("bloom")).refused("bloom: ", "does not carry the id");
    Cli.run("receive", path("fresh"), path("bloom")).refused("does not carry the id");
    Cli.run("receive", store, source).refused("of kind elastic and not a part", "ship");
    Cli.run("receive", path("bloom"), path("b")).refused("of kind bloom and not a store");
    Cli.run("receive", "--restart", path("bloom"), path("b")).refused("not a store");
    Cli.run("receive", store, store).refused("is one of the inputs");
    Cli.run("receive", "-", path("b")).refused("name its file");
    Cli.run("receive", store, "-", "-").refused("only one of the parts");
    Cli.run("receive", store).refused("PART");
    Cli.run("receive", store, path("missing")).refused("no such file");
    assertThat(store).hasBinaryContent(before);
    assertThat(path("fresh")).doesNotExist();
  }

  @Test
  void transmissionsArePlannedWithoutAFilter() {
    BloomPlan shape = new BloomPlan(new Layout.Classic(4), 55_440, 0);
    TransmissionPlan expected =
        TransmissionPlan.next(shape, 400, List.of(2520L, 1155L), 320).orElseThrow();
    Object[] call = {
      "plan",
      "transmission",
      "--bits",
      55_440,
      "--hashes",
      4,
      "--keys",
      400,
      "--budget",
      320,
      "--sent",
      "2520,1155",
      "--json"
    };
    assertThat(Cli.run(call).succeeded().json())
        .containsEntry("next", (int) expected.bits())
        .containsEntry("factor", (int) (55_440 / expected.bits()))
        .containsEntry("bytes", (int) expected.bytes())
        .containsEntry("jointFpp", expected.jointFpp());
    call[call.length - 1] = "--layout=classic";
    assertThat(Cli.run(call).succeeded().out())
        .contains(
            "together",
            "new BloomPlan(new Layout.Classic(4), 55440L, 0), 400L, List.of(2520L, 1155L), 320L)");
    call[9] = 1;
    call[11] = "5040,11088";
    Cli.run(call).refused("--budget 1", "bytes");
    call[11] = "55440";
    Cli.run(call).refused("the whole filter of 55440 bits was sent");
    call[11] = "1000";
    Cli.run(call).refused("1000 is not such a divisor of 55440");
    call[11] = "2520,x";
    Cli.run(call).refused("--sent");
  }

  @Test
  void foldsArePlannedWithTheirCostInCells() {
    Map<String, Object> plan =
        Cli.run(
                "plan",
                "fold",
                "--capacity",
                55_440,
                "--keys",
                100,
                "--hashes",
                4,
                "--fpp",
                "1%",
                "--tolerance",
                "0.2%",
                "--json")
            .succeeded()
            .json();
    long factor = Cli.integer(plan.get("factor"));
    assertThat(plan).containsEntry("cells", 55_440).containsEntry("cellsRead", 55_440);
    assertThat(Cli.integer(plan.get("cellsReadInSteps")))
        .isEqualTo(FoldSteps.cellsRead(55_440, FoldSteps.elementary(factor)))
        .isGreaterThan(55_440);
    Map<String, Object> blocked =
        Cli.run(
                "plan",
                "fold",
                "--capacity",
                512 * 840,
                "--keys",
                400_000,
                "--hashes",
                6,
                "--fpp",
                "5%",
                "--tolerance",
                "1%",
                "--layout",
                "blocked",
                "--json")
            .succeeded()
            .json();
    assertThat(blocked)
        .containsEntry("cells", 840)
        .containsEntry("factor", 1)
        .containsEntry("cellsRead", 0)
        .containsEntry("cellsReadInSteps", 0)
        .containsEntry("steps", List.of());
  }

  /** A restart does not need the old store; a file that is not a filter is kept. */
  @Test
  void aDamagedStoreIsRestarted() throws IOException {
    ship(path("part"));
    Path damaged = path("damaged");
    Cli.run("receive", damaged, path("part")).succeeded();
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[bytes.length - 3] ^= 1;
    Files.write(damaged, bytes);
    Cli.run("receive", damaged, path("part")).refused("damaged");
    Cli.run("receive", "--restart", damaged, path("part")).succeeded();
    Cli.run("info", damaged).succeeded();
    Files.write(damaged, new byte[0]);
    Cli.run("receive", "--restart", damaged, path("part")).succeeded();
    Files.writeString(damaged, "somebody's text");
    Cli.run("receive", "--restart", damaged, path("part")).refused("damaged");
    assertThat(damaged).hasContent("somebody's text");
  }

  @Test
  void theJavaCodeOfThePlanIsComplete() {
    assertThat(
            Cli.run(
                    "plan",
                    "transmission",
                    "--bits",
                    55440,
                    "--hashes",
                    4,
                    "--keys",
                    400,
                    "--budget",
                    320,
                    "--sent",
                    2520)
                .succeeded()
                .out())
        .contains(
            "TransmissionPlan.next(new BloomPlan(new Layout.Classic(4), 55440L, 0), 400L,"
                + " List.of(2520L), 320L)");
  }
}
