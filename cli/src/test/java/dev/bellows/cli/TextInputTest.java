package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class TextInputTest {
  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return bytes.toByteArray();
  }

  /** A pipe has nothing for a moment between two parts; both are read all the same. */
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
}
