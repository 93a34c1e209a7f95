package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.cli.console.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class TextInputTest {
  private static byte[] gzip(String text) throws IOException {
    return gzip(text.getBytes(StandardCharsets.UTF_8));
  }

  private static byte[] gzip(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  /** A pipe is empty for a moment between two parts; both are read. */
  @Test
  void everyPartOfACompressedPipeIsRead() throws IOException {
    ByteArrayOutputStream parts = new ByteArrayOutputStream();
    parts.writeBytes(gzip("a\nb\n"));
    parts.writeBytes(gzip("c\n"));
    InputStream pipe =
        new FilterInputStream(new ByteArrayInputStream(parts.toByteArray())) {
          @Override
          public int available() {
            return 0;
          }

          @Override
          public int read(byte[] into, int at, int length) throws IOException {
            return super.read(into, at, Math.min(length, 1));
          }
        };
    try (InputStream text = TextInput.of(pipe, "pipe")) {
      assertThat(text.readAllBytes()).asString(StandardCharsets.UTF_8).isEqualTo("a\nb\nc\n");
    }
  }

  private static void refused(byte[] input, String... parts) {
    assertThatThrownBy(() -> TextInput.of(new ByteArrayInputStream(input), "k.in").readAllBytes())
        .isInstanceOf(CommandFailure.class)
        .hasMessageStartingWith("k.in ")
        .hasMessageContainingAll(parts);
  }

  private static byte[] bytes(String latin) {
    return latin.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Test
  void textInOtherEncodingsIsRefusedWithTheWayOut() {
    for (String name : List.of("UTF-16LE", "UTF-16BE", "UTF-16")) {
      refused("a\nbc\n".getBytes(Charset.forName(name)), "UTF-16", "iconv -f UTF-16");
    }
    for (String name : List.of("UTF-32LE", "UTF-32BE", "X-UTF-32LE-BOM", "X-UTF-32BE-BOM")) {
      refused("ab\n".getBytes(Charset.forName(name)), "UTF-32", "iconv -f UTF-32");
    }
    refused(bytes("BZh91AY&SY\1\2\3"), "bzip2", "bzcat");
    refused(bytes("BZh9\27rE8P\220\0\0\0\0"), "bzip2", "bzcat");
    refused(bytes("\3757zXZ\0\0\4"), "xz", "xzcat");
    refused(bytes("(\265/\375\4"), "zstd", "zstd -dc");
    refused(bytes("\120*M\30\4\0\0\0"), "zstd", "zstd -dc");
    refused(bytes("\4\"M\30d"), "lz4", "lz4 -dc");
    refused(bytes("]\0\0\200\0"), "lzma", "xzcat");
    refused(bytes("7z\274\257'\34\0\4"), "7z", "7z e -so");
    refused(bytes("\37\235\220a"), "compress", "gzip -dc");
    refused(bytes("PK\3\4\24\0"), "zip", "unzip -p");
    refused(bytes("PAR1\25\4\25"), "Parquet");
  }

  /** What is compressed is read as text, once: also a file that contains itself comes to an end. */
  @Test
  void whatIsCompressedTwiceIsRefusedAtOnce() throws IOException {
    byte[] layers = bytes("a\n");
    for (int i = 1; i <= 2000; i++) {
      layers = gzip(layers);
      if (i == 1) {
        try (InputStream text = TextInput.of(new ByteArrayInputStream(layers), "k.in")) {
          assertThat(text.readAllBytes()).asString().isEqualTo("a\n");
        }
      } else if (i == 2 || i == 2000) {
        refused(layers, "gzip twice", "gzip -dc");
      }
    }
  }

  @Test
  void whatIsCompressedIsJudgedLikeAnyOtherInput() throws IOException {
    refused(gzip(bytes("PK\3\4\24\0")), "zip", "unzip -p");
    refused(gzip(bytes("\3757zXZ\0\0\4")), "xz", "xzcat");
    refused(gzip("a\nbc\n".getBytes(StandardCharsets.UTF_16LE)), "UTF-16", "iconv");
  }

  @Test
  void aFilterIsNotAFileOfKeys() throws IOException {
    refused(BloomFilter.create(10, 0.01).toBytes(), "a Bellows filter", "bellows union");
    refused(gzip(BloomFilter.create(10, 0.01).toBytes()), "a Bellows filter");
  }

  @Test
  void utf16IsDetectedWhateverItBeginsWith() throws IOException {
    List<String> texts = List.of("\nabc\n", "éa\nbc\n", "жук\nкот\n", "一二\n三\n", "😀\nж\n");
    for (String text : texts) {
      for (String name : List.of("UTF-16LE", "UTF-16BE")) {
        byte[] input = text.getBytes(Charset.forName(name));
        refused(input, "UTF-16", "iconv -f " + name + " -t UTF-8");
      }
    }
    byte[] large = "жук\n".repeat(5000).getBytes(StandardCharsets.UTF_16LE);
    refused(large, "iconv -f UTF-16LE");
  }

  @Test
  void otherBytesAreKeys() throws IOException {
    List<byte[]> inputs =
        List.of(
            "жук\nкот\n一\n".getBytes(StandardCharsets.UTF_8),
            "caf\u00e9\nna\u00efve\n".getBytes(StandardCharsets.ISO_8859_1),
            "key\0value\nother\0one\n".getBytes(StandardCharsets.UTF_8),
            "\n".getBytes(StandardCharsets.UTF_8),
            "ж\n".repeat(5000).getBytes(StandardCharsets.UTF_8));
    for (byte[] input : inputs) {
      assertThat(TextInput.of(new ByteArrayInputStream(input), "x").readAllBytes())
          .isEqualTo(input);
    }
  }

  @Test
  void textThatBeginsLikeAMarkIsText() throws IOException {
    for (String text :
        List.of("", "\n", "a", "BZh9 is a key\n", "PAR1\nx\n", "PK\n", "a\0b\n", "(x\n", "\0")) {
      assertThat(TextInput.of(new ByteArrayInputStream(bytes(text)), "k").readAllBytes())
          .isEqualTo(bytes(text));
    }
  }

  @Test
  void damagedGzipNamesItsFile() throws IOException {
    byte[] whole = gzip("a\nb\n".repeat(1000));
    for (int length = 2; length < whole.length; length++) {
      refused(Arrays.copyOf(whole, length), "is damaged", "are truncated");
    }
    byte[] flipped = whole.clone();
    flipped[whole.length - 6] ^= 1;
    refused(flipped, "is damaged", "checksum");
  }

  @Test
  void bytesAfterTheLastGzipMemberAreRefusedUnlessTheyAreZeros() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(gzip("a\n"));
    bytes.writeBytes(new byte[100]);
    assertThat(TextInput.of(new ByteArrayInputStream(bytes.toByteArray()), "k").readAllBytes())
        .isEqualTo(bytes("a\n"));
    bytes.writeBytes(bytes("lost\n"));
    refused(bytes.toByteArray(), "bytes after its gzip data", "cut them off");
  }

  /** Wherever a read of the input ends, also inside the trailer of the last member. */
  @Test
  void fewBytesAfterTheLastGzipMemberAreRefusedWhereverAReadEnds() throws IOException {
    byte[] member = gzip("a\nb\n");
    for (String stray :
        List.of("x", "xy", "\0x", "xyz", "\37\213", "\37\213\10\0", "\0", "\0\0\0")) {
      byte[] whole = Arrays.copyOf(member, member.length + stray.length());
      System.arraycopy(bytes(stray), 0, whole, member.length, stray.length());
      for (int split = 2; split <= whole.length; split++) {
        InputStream text = TextInput.of(split(whole, split), "k.in");
        if (stray.chars().allMatch(c -> c == 0)) {
          assertThat(text.readAllBytes()).isEqualTo(bytes("a\nb\n"));
        } else {
          assertThatThrownBy(text::readAllBytes)
              .as("stray bytes %s, a read ends at %d", stray, split)
              .isInstanceOf(CommandFailure.class)
              .hasMessageStartingWith("k.in ");
        }
      }
    }
  }

  /** An input whose first read ends there, and whose available() is always 0. */
  private static InputStream split(byte[] input, int at) {
    return new SequenceInputStream(
        new ByteArrayInputStream(input, 0, at),
        new ByteArrayInputStream(input, at, input.length - at));
  }
}
