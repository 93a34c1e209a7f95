package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.bellows.cli.Cli;
import dev.bellows.internal.math.BinomialInterval;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RangeTest {
  @TempDir Path folder;

  private Path build(String name, String lines) {
    Path file = folder.resolve(name);
    Cli.with(
            lines,
            "build",
            "--kind",
            "range",
            "--domain",
            "age:0:120",
            "--domain",
            "longitude:-180.0000:180.0000:100",
            "--bits",
            2048,
            "--hashes",
            10,
            "-o",
            file)
        .succeeded();
    return file;
  }

  @Test
  void linesBecomeAFilterThatIsQueried() {
    Path file = build("f", "age=20..30\n\nage = 77\nlongitude=-0.1234\nname=Ada Lovelace\n");
    assertThat(
            Cli.run("query", file, "age=25", "age=77", "age=78", "age=22..28", "age=22..60").out())
        .isEqualTo("age=25\nage=77\nage=22..28\n");
    assertThat(Cli.run("query", file, "--intersect", "age=30..60", "age=90..120").out())
        .isEqualTo("age=30..60\n");
    assertThat(Cli.with("name=Ada Lovelace\nname=Ada\n", "query", file).succeeded().out())
        .isEqualTo("name=Ada Lovelace\n");
    assertThat(Cli.run("query", file, "longitude=-0.1234", "longitude=120.5").out())
        .isEqualTo("longitude=-0.1234\n");
    assertThat(Cli.run("query", file, "age=119").code()).isEqualTo(1);
    assertThat(Cli.run("query", file, "--json", "age=25", "age=119").json())
        .containsEntry("asked", 2)
        .containsEntry("found", 1)
        .containsEntry("keys", List.of("age=25"));
    assertThat(Cli.with("age=119\n", "add", file, "--json").succeeded().json())
        .containsEntry("lines", 1)
        .containsEntry("new", 1);
    assertThat(Cli.run("query", file, "age=119").code()).isZero();
  }

  @Test
  void buildReportsLikeEveryKind() throws IOException {
    Path lines = Files.writeString(folder.resolve("lines"), "age=20..30\n");
    Map<String, Object> built =
        Cli.run(
                "build",
                "--kind",
                "range",
                "--domain",
                "age:0:120",
                "--bits",
                512,
                "-o",
                folder.resolve("f"),
                lines,
                "--json")
            .succeeded()
            .json();
    assertThat(built)
        .containsEntry("kind", "range")
        .containsEntry("layout", "classic")
        .containsEntry("bits", 512)
        .containsEntry("lines", 1)
        .containsKeys("file", "hashes", "keys", "fpp", "bytes");
  }

  @Test
  void matchIsTheOpaqueSubsetTest() {
    Path request = build("request", "age=20..40\nhobby=chess\n");
    Path person = build("person", "age=33\nhobby=chess\n");
    Path other = build("other", "age=50\n");
    assertThat(Cli.run("match", person, request).succeeded().out()).contains("may be contained");
    assertThat(Cli.run("match", request, person)).returns(1, Cli.Result::code);
    assertThat(Cli.run("match", other, request).out()).contains("certainly not");
    Map<String, Object> json = Cli.run("match", person, request, "--json").succeeded().json();
    assertThat(json).containsEntry("subset", true);
    assertThat(Cli.real(json.get("chance"))).isLessThan(1e-6);
    assertThat(Cli.run("match", other, request, "--json").json()).containsEntry("subset", false);
  }

  @Test
  void matchRefusesWhatCannotBeCompared() {
    Path request = build("request", "age=20..40\n");
    Path other = folder.resolve("other");
    Cli.with(
            "age=30\n",
            "build",
            "--kind",
            "range",
            "--domain",
            "age:0:120",
            "--bits",
            512,
            "-o",
            other)
        .succeeded();
    Cli.run("match", other, request).refused("other", "schema", "one schema");
    Path bloom = folder.resolve("bloom");
    Cli.with("a\n", "build", "-o", bloom).succeeded();
    Cli.run("match", bloom, request).refused("kind bloom");
    Cli.run("match", request).refused("B");
    Cli.run("match", "-", "-").refused("only one");
  }

  @Test
  void aSavedPlanIsASchemaForAll() throws IOException {
    Path scheme = folder.resolve("scheme.json");
    Map<String, Object> plan =
        Cli.run(
                "plan",
                "range",
                "--bits",
                512,
                "--hashes",
                8,
                "--strings",
                5,
                "--attribute",
                "Age:120:10",
                "--attribute",
                "Year:1900..2100:20",
                "-o",
                scheme,
                "--json")
            .succeeded()
            .json();
    assertThat(Files.readString(scheme)).contains("\"" + plan.get("schema") + "\"");
    Path request = folder.resolve("request");
    Path person = folder.resolve("person");
    Cli.with(
            "Age=111..120\nYear=1990..2009\nName=Ada\n",
            "build",
            "--kind",
            "range",
            "--scheme-file",
            scheme,
            "-o",
            request)
        .succeeded();
    Cli.with(
            "Year=2000\nName=Ada\n",
            "build",
            "--kind",
            "range",
            "--scheme-file",
            scheme,
            "-o",
            person)
        .succeeded();
    assertThat(Cli.run("match", person, request).code()).isZero();
    Map<String, Object> info = Cli.run("info", request, "--json").succeeded().json();
    assertThat(info)
        .containsEntry("kind", "range")
        .containsEntry("schema", plan.get("schema"))
        .containsKeys("attributes", "exactBits", "expectedFpp");
    assertThat(Cli.run("info", request).out()).contains("Year", "[1900, 2100]");
    Path both = folder.resolve("both");
    assertThat(Cli.run("union", request, person, "-o", both, "--json").succeeded().json())
        .containsEntry("bits", 512)
        .containsEntry("factors", List.of(1, 1));
    assertThat(Files.readAllBytes(both)).isEqualTo(Files.readAllBytes(request));
    Cli.run("intersect", request, person, "-o", both).succeeded();
    assertThat(Files.readAllBytes(both)).isEqualTo(Files.readAllBytes(person));
    Cli.run("union", request, person, "-o", both, "--max-fpp", "1e-9").refused("--max-fpp");
    Path refined = folder.resolve("refined");
    Cli.with(
            "Age=111..120\n",
            "build",
            "--kind",
            "range",
            "--scheme-file",
            scheme,
            "--domain",
            "Age:1:120",
            "-o",
            refined)
        .succeeded();
    Cli.run("match", refined, request).refused("schema");
    Cli.with(
            "",
            "build",
            "--kind",
            "range",
            "--scheme-file",
            scheme,
            "--domain",
            "Age:1:121",
            "-o",
            refined)
        .refused("'Age' is 120 numbers", "[1, 121]");
  }

  @Test
  void schemaFilesThatWereChangedAreRefused() throws IOException {
    Path scheme = folder.resolve("scheme.json");
    Cli.run("plan", "range", "--bits", 512, "--attribute", "Age:120:10", "-o", scheme).succeeded();
    String text = Files.readString(scheme);
    Path f = folder.resolve("f");
    for (String[] change :
        new String[][] {
          {"512", "513", "it was changed"},
          {"\"bits\"", "\"bit\"", "'bits'"},
          {"\"both\"", "\"twice\"", "twice"},
          {"\"name\"", "\"nom\"", "no name"},
          {"\"attributes\"", "\"atributes\"", "attributes"},
          {"{", "[", "not JSON"},
        }) {
      Files.writeString(scheme, text.replace(change[0], change[1]));
      Cli.with("Age=1\n", "build", "--kind", "range", "--scheme-file", scheme, "-o", f)
          .refused("scheme.json", change[2]);
      assertThat(f).doesNotExist();
    }
    Files.writeString(scheme, text.replaceFirst("\"schema\"[^,]*,", "").replace("512", "513"));
    Cli.with("Age=1\n", "build", "--kind", "range", "--scheme-file", scheme, "-o", f).succeeded();
  }

  @Test
  void badLinesNameTheirPlace() throws IOException {
    Path lines = folder.resolve("lines");
    Path f = folder.resolve("f");
    for (String[] bad :
        new String[][] {
          {"age", "has no '='"},
          {"age=old", "neither a number nor a range"},
          {"age=1..2..3", "neither a number nor a range"},
          {"age=121", "domain [0, 120]"},
          {"age=9..3", "is empty"},
          {"age=1.5", "decimals"},
          {"=x", "name"},
        }) {
      Files.writeString(lines, "age=1\n" + bad[0] + "\n");
      Cli.run("build", "--kind", "range", "--domain", "age:0:120", "--bits", 512, "-o", f, lines)
          .refused(lines + ":2: ", bad[1]);
      assertThat(f).doesNotExist();
    }
    assertThat(
            Cli.with(
                    "agee=12\n",
                    "build",
                    "--kind",
                    "range",
                    "--domain",
                    "age:0:120",
                    "--bits",
                    512,
                    "-o",
                    f)
                .succeeded()
                .err())
        .contains("'agee' has no domain");
  }

  @Test
  void optionsThatDoNotFitAreRefused() {
    Path f = folder.resolve("f");
    Cli.run("build", "--kind", "range", "-o", f).refused("--domain", "--bits", "--schema");
    Cli.run("build", "--kind", "range", "--domain", "a:0:9", "-o", f).refused("--bits");
    Cli.run("build", "--domain", "a:0:9", "-o", f).refused("--kind range");
    Cli.run("build", "--kind", "range", "--domain", "a:0", "--bits", 9, "-o", f)
        .refused("'a:0'", "NAME:LOW:HIGH");
    Cli.run("build", "--kind", "range", "--domain", "a:9:0", "--bits", 9, "-o", f).refused("empty");
    Cli.run("build", "--kind", "range", "--domain", "a:x:0", "--bits", 9, "-o", f).refused("'x'");
    Cli.run("build", "--kind", "range", "--domain", "a:0:9", "--bits", 9, "--fpp", "1%", "-o", f)
        .refused("--fpp");
    Cli.run("build", "--kind", "range", "--domain", "a:0:9", "--bits", 9, "--longs", "-o", f)
        .refused("--longs");
    Cli.run(
            "build",
            "--kind",
            "range",
            "--domain",
            "a:0:9",
            "--bits",
            9,
            "--hashes",
            2,
            "--max-hashes",
            3,
            "-o",
            f)
        .refused("exclude each other");
    Cli.run("build", "--kind", "range", "--domain", "a:0:9", "--bits", 9, "--scheme", "x", "-o", f)
        .refused("'x'", "overlapping");
    Cli.run(
            "build",
            "--kind",
            "range",
            "--domain",
            "a:0:9",
            "--bits",
            9,
            "--scheme",
            "dyadic",
            "-o",
            f)
        .refused("'dyadic'");
    Cli.run("build", "--kind", "range", "--scheme-file", "x", "--bits", 9, "-o", f)
        .refused("leave out --bits");
    Cli.run("build", "--kind", "range", "--scheme-file", folder.resolve("none"), "-o", f)
        .refused("no such file");
    Path bloom = folder.resolve("bloom");
    Cli.with("a\n", "build", "-o", bloom).succeeded();
    Cli.run("query", bloom, "--intersect", "a").refused("kind range");
    Path range = build("range", "age=1\n");
    Cli.run("query", range, "age").refused("'='");
    Cli.run("union", range, bloom, "-o", f).refused("kind range here and bloom there");
  }

  /** Text that looks like a range would otherwise be denied. */
  @Test
  void aSearchOfAnUndeclaredAttributeIsAnError() {
    Path range = build("range", "age=20..30\nhobby=chess\n");
    Cli.run("query", range, "--intersect", "aeg=25..40").refused("'aeg'", "age");
    Cli.run("query", range, "--intersect", "hobby=chess").refused("'hobby'");
    assertThat(Cli.run("query", range, "--intersect", "age=25..40").succeeded().out())
        .isEqualTo("age=25..40\n");
  }

  /** Disjoint questions far from the content are independent, given the fill. */
  @Test
  void theRateOfAQueryIsThatOfItsQuestions() throws IOException {
    Path filter = folder.resolve("hours");
    Path lines = folder.resolve("lines");
    StringBuilder content = new StringBuilder("t=0..2000\n");
    for (int i = 0; i < 40; i++) {
      content.append("name=text ").append(i).append('\n');
    }
    Files.writeString(lines, content);
    Cli.run(
            "build",
            "--kind",
            "range",
            "--domain",
            "t:0:1G:2000",
            "--text",
            "name",
            "--bits",
            256,
            "--hashes",
            4,
            "-o",
            filter,
            lines)
        .succeeded();
    SplittableRandom random = new SplittableRandom(7);
    for (int length : new int[] {1, 20, 300, 3600}) {
      StringBuilder questions = new StringBuilder();
      for (int i = 1; i <= 5000; i++) {
        int low = i * 20_000 + random.nextInt(10_000);
        questions.append("t=").append(low).append("..").append(low + length - 1).append('\n');
      }
      Files.writeString(lines, questions);
      Map<String, Object> searched =
          Cli.run("query", filter, "--intersect", "-f", lines, "-c", "--json").json();
      assertMeasured(searched);
      assertMeasured(Cli.run("query", filter, "-f", lines, "-c", "--json").json());
      if (length == 1) {
        Map<?, ?> t =
            (Map<?, ?>)
                ((List<?>) Cli.run("info", filter, "--json").json().get("attributes")).get(0);
        assertThat(Cli.real(t.get("expectedFpp")))
            .isCloseTo(Cli.real(searched.get("expectedFpp")), withPercentage(1e-6));
      } else {
        assertThat(Cli.real(searched.get("expectedFpp"))).isGreaterThan(0.001);
      }
    }
    // a question outside the domain never passes
    Files.writeString(lines, "t=2G..3G\n".replace("G", "000000000"));
    assertThat(
            Cli.real(
                Cli.run("query", filter, "--intersect", "-f", lines, "--json")
                    .json()
                    .get("expectedFpp")))
        .isZero();
  }

  private static void assertMeasured(Map<String, Object> counted) {
    long asked = ((Number) counted.get("asked")).longValue();
    long found = ((Number) counted.get("found")).longValue();
    BinomialInterval interval = BinomialInterval.of(found, asked, 1e-9);
    double stated = Cli.real(counted.get("expectedFpp"));
    assertThat(stated).isBetween(interval.low() - 1e-12, interval.high() + 1e-12);
  }

  @Test
  void boundsOfADomainMayBeAbbreviated() {
    assertThat(RangeText.domain("-1.5k", "5M")).isEqualTo(RangeText.domain("-1500", "5000000"));
  }
}
