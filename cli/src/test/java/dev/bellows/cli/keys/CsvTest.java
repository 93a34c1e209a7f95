package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import dev.bellows.BloomFilter;
import dev.bellows.cli.Cli;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** CSV is CSV: quoted columns, with delimiters, line ends and quotes inside. */
class CsvTest {
  @TempDir Path folder;

  private Path path(String name) {
    return folder.resolve(name);
  }

  private Cli.Result build(String csv, Object... options) {
    Object[] words = new Object[options.length + 3];
    words[0] = "build";
    words[1] = "-o";
    words[2] = path("f");
    System.arraycopy(options, 0, words, 3, options.length);
    return Cli.with(csv, words);
  }

  @Test
  void aQuotedColumnIsItsContent() throws IOException {
    String csv =
        "id,name\r\n1,\"Smith, Ann\"\r\n2,\"two\nlines\"\r\n3,\"say \"\"hi\"\"\"\r\n4,plain\r\n";
    build(csv, "--csv", "--field", "name").succeeded();
    BloomFilter filter = BloomFilter.readFrom(path("f"));
    for (String key : List.of("Smith, Ann", "two\nlines", "say \"hi\"", "plain")) {
      assertThat(filter.mightContain(key)).as(key).isTrue();
    }
    assertThat(filter.mightContain("name")).as("the header is not a key").isFalse();
    assertThat(filter.mightContain("\"Smith")).isFalse();
    // the same by number, and a header that is skipped
    byte[] byName = Files.readAllBytes(path("f"));
    build(csv, "--csv", "--header", "--field", "2").succeeded();
    assertThat(path("f")).hasBinaryContent(byName);
  }

  /** The length of a record is the only limit. */
  @Test
  void manyColumnsAndLongOnesAreRead() throws IOException {
    String wide = "x,".repeat(40_000) + "last\n";
    build(wide, "--csv", "--field", "40001").succeeded();
    assertThat(BloomFilter.readFrom(path("f")).mightContain("last")).isTrue();
    String quoted = "\"" + "y".repeat(17 << 20) + "\",z\n";
    build(quoted, "--csv", "--field", "2", "--max-line", "32MiB").succeeded();
    assertThat(BloomFilter.readFrom(path("f")).mightContain("z")).isTrue();
    build(quoted, "--csv", "--field", "2", "--max-line", "1MiB").refused("--max-line");
  }

  /** Whatever the writer of another library quotes, every cell is read back, byte for byte. */
  @ParameterizedTest
  @EnumSource(
      value = LineDelimiter.class,
      names = {"LF", "CRLF", "CR"})
  void everyCellIsReadBack(LineDelimiter end) throws IOException {
    Random random = new Random(7);
    String alphabet = "ab,;\"\n\r\t é€\uD83D\uDE00";
    int[] points = alphabet.codePoints().toArray();
    Set<String> cells = new LinkedHashSet<>();
    StringWriter csv = new StringWriter();
    try (CsvWriter writer = CsvWriter.builder().lineDelimiter(end).build(csv)) {
      for (int record = 0; record < 5000; record++) {
        List<String> fields = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          StringBuilder cell = new StringBuilder();
          for (int length = random.nextInt(8); length > 0; length--) {
            cell.appendCodePoint(points[random.nextInt(points.length)]);
          }
          fields.add(cell.toString());
        }
        fields.set(1, "k" + fields.get(1)); // an empty record is an empty line
        writer.writeRecord(fields);
        cells.add(fields.get(1));
      }
    }
    Cli.Result built = build(csv.toString(), "--csv", "--field", 2, "--json").succeeded();
    assertThat(built.json()).containsEntry("lines", 5000).containsEntry("keys", cells.size());
    BloomFilter filter = BloomFilter.readFrom(path("f"));
    cells.forEach(cell -> assertThat(filter.mightContain(cell)).isTrue());
    // what is printed is what was read
    Cli.Result all =
        Cli.with(csv.toString(), "query", path("f"), "--csv", "--field", 2).succeeded();
    String shown = end == LineDelimiter.CR ? null : csv.toString();
    if (shown != null) {
      assertThat(all.out()).isEqualTo(shown);
    }
  }

  @Test
  void bytesThatAreNotUtf8StayTheKeysTheyAre() {
    byte[] csv = "\u00ff\u0080,x\n".getBytes(StandardCharsets.ISO_8859_1);
    byte[] line = "\u00ff\u0080\n".getBytes(StandardCharsets.ISO_8859_1);
    Cli.with(new ByteArrayInputStream(csv), "build", "--csv", "--field", 1, "-o", path("c"))
        .succeeded();
    Cli.with(new ByteArrayInputStream(line), "build", "-o", path("l")).succeeded();
    assertThat(path("c")).hasSameBinaryContentAs(path("l"));
  }

  @Test
  void wholeRecordsArePrinted() {
    String csv = "n,t\n1,\"a\nb\"\n2,c\n1,again\n\n3,\"d,e\"\n";
    assertThat(Cli.with(csv, "uniq", "--csv", "--field", "n", "--quiet").succeeded().out())
        .isEqualTo("1,\"a\nb\"\n2,c\n3,\"d,e\"\n");
    build(csv, "--csv", "--field", "t").succeeded();
    assertThat(
            Cli.with(csv, "query", path("f"), "--csv", "--field", "t", "--only-field")
                .succeeded()
                .out())
        .isEqualTo("a\nb\nc\nagain\nd,e\n");
  }

  /** The column of the time is found as the one of the key is: a quote inside is a character. */
  @Test
  void quotesInsideAColumnDoNotHideTheTime() {
    String csv = "1,5\" disk,2026-03-01\r\n2,\"a, b\",\"2026-03-01 12:00:00\"\r\n";
    Cli.with(csv, "uniq", "--within", "1h", "--csv", "--field", 2, "--time-field", 3).succeeded();
    Cli.with(csv, "uniq", "--within", "1h", "--csv", "--field", 2, "--time-field", 2)
        .refused("standard input:1", "'5\" disk' is not a time");
    Cli.with(csv, "uniq", "--within", "1h", "--csv", "--field", 2, "--time-field", 4)
        .refused("standard input:1: the record has 3 columns, not 4: check --time-field");
  }

  @Test
  void headersNameColumnsOfPlainLinesToo() {
    String tsv = "id\tname\n1\t\"x\n2\ty\n";
    assertThat(Cli.with(tsv, "uniq", "--field", "name", "--quiet").succeeded().out())
        .isEqualTo("1\t\"x\n2\ty\n");
    assertThat(Cli.with("drop\nkeep\n", "uniq", "--header", "--quiet").succeeded().out())
        .isEqualTo("keep\n");
  }

  @Test
  void aQuoteWithoutCsvDrawsOneWarning() {
    Cli.Result built = build("1,\"a\"\n2,\"b\"\n", "--field", 2, "--delimiter", ",").succeeded();
    assertThat(built.err())
        .containsOnlyOnce("warning")
        .contains("standard input:1: the column begins with a quote", "--csv");
    assertThat(build("1\t\"a\"\n", "--field", 2).succeeded().err()).as("tabs").isEmpty();
    assertThat(build("1,a \"b\"\n", "--field", 2, "--delimiter", ",").succeeded().err()).isEmpty();
  }

  @Test
  void malformedCsvIsRefusedAtItsLine() {
    build("a,b\nc,\"d\"x\n", "--csv", "--field", 1).refused("standard input:", "closing quote");
    build("a,b\nc,\"d\n", "--csv", "--field", 1).refused("standard input:2", "Unclosed");
    build("a,\"", "--csv", "--field", 1).refused("Unclosed");
    build("a,b\nc\n", "--csv", "--field", 2).refused("standard input:2", "1 column, not 2");
    build("a,b\n", "--csv", "--field", "c").refused("no column is named 'c'", "'a', 'b'");
    build("a,a\n", "--csv", "--field", "a").refused("more than one column is named 'a'");
    build("a\n", "--csv").refused("--field");
    build("a\n", "--field", 0).refused("--field counts from 1");
    build("a\n", "--field", -1).refused("--field counts from 1");
    build("a,b\n", "--csv", "--field", 1, "--delimiter", "\"").refused("quote");
    build("\"" + "x\n".repeat(100_000), "--csv", "--field", 1, "--max-line", 1000)
        .refused("longer than 1,000 bytes", "quote", "--max-line");
    build("a\n\"b\"x\n" + "c\n".repeat(20_000), "--csv", "--field", 1, "--max-line", 100)
        .refused("standard input:2", "closing quote");
    assertThat(path("f")).doesNotExist();
    build("a,b\n", "--csv", "--field", 1).succeeded();
    Cli.run("query", path("f"), "--csv", "key").refused("--csv");
  }

  @Test
  void closedQuotesAtTheEndAreFine() {
    for (String csv :
        List.of("a,\"b\"", "a,\"b\"\n", "a,\"b\n\"", "a,\"b\n\"\r\n", "a,\"\"", "\"\"\"\"", "a,")) {
      build(csv, "--csv", "--field", 1).succeeded();
    }
  }

  @Test
  void recordsBeforeADefectAreAnswered() {
    build("1,a\n", "--csv", "--field", 1).succeeded();
    Cli.Result result =
        Cli.with("1,a\n1,\"b\"\n1,\"c\"x\n", "query", path("f"), "--csv", "--field", 1);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).startsWith("1,a\n");
  }

  /** A column that fills the parser's buffer, at the beginning of the input and behind a record. */
  @Test
  void aRecordThatIsTooLongNamesTheOption() {
    String column = "x".repeat(3 << 20);
    for (String start : List.of("", "a\n", "\"", "a\n\"")) {
      int line = start.startsWith("a") ? 2 : 1;
      build(start + column, "--csv", "--field", "1")
          .refused(":" + line + ": ", "longer than 1,048,576 bytes", "--max-line");
      build(start + column, "--csv", "--field", "1", "--max-line", "100")
          .refused(":" + line + ": ", "longer than 100 bytes", "--max-line");
    }
    build("a,b\n" + column + ",c\n", "--csv", "--field", "1", "--max-line", "4MiB").succeeded();
  }
}
