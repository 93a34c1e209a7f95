package dev.bellows.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Repository;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A JSON file of spec/vectors that a test regenerates and compares. {@code -Dbellows.golden.write}
 * writes it where it is missing.
 */
final class VectorFile {
  private VectorFile() {}

  static void check(String name, String expected) throws IOException {
    Path path = Repository.path("spec/vectors/" + name);
    if (System.getProperty("bellows.golden.write") != null && !Files.exists(path)) {
      Files.writeString(path, expected);
    }
    assertThat(Files.readAllLines(path)).isEqualTo(expected.lines().toList());
  }

  /** Texts as a JSON array of ASCII, lone surrogates included. */
  static String array(List<String> texts) {
    return "[" + String.join(", ", texts.stream().map(VectorFile::quoted).toList()) + "]";
  }

  static String quoted(String text) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      boolean plain = c >= ' ' && c < 0x7f && c != '"' && c != '\\';
      out.append(plain ? String.valueOf(c) : "\\u%04x".formatted((int) c));
    }
    return out.append('"').toString();
  }
}
