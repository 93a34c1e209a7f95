package dev.bellows.papers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The errors and gaps of the documents: one entry per id, one file per document. */
public final class Errata {
  private static final List<String> PARTS = List.of("common", "000", "001", "002", "003", "004");
  private static final Map<String, String> ENTRIES = load();

  private Errata() {}

  /** Returns the entries by id: what is printed, and what is correct. */
  public static Map<String, String> entries() {
    return ENTRIES;
  }

  /** Returns the id if it has an entry; throws otherwise. */
  static String require(String id) {
    if (!ENTRIES.containsKey(id)) {
      throw new IllegalArgumentException(
          "no erratum " + id + ": add it to the document's errata file");
    }
    return id;
  }

  /** Returns a page of all entries, each with an anchor. */
  static String page() {
    StringBuilder page = new StringBuilder("# Errata of the documents\n\n");
    page.append("What the pages here correct, by the ids they use. [All tables](index.md)\n");
    ENTRIES.forEach((id, text) -> page.append("\n## " + id + "\n\n" + text + "\n"));
    return page.toString();
  }

  /** Returns the same page for the Javadoc, which links to its anchors. */
  static String javadocPage() {
    StringBuilder page = new StringBuilder();
    page.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>Errata</title>\n</head>\n");
    page.append("<body>\n<h1>Errata of the documents</h1>\n");
    ENTRIES.forEach(
        (id, text) ->
            page.append("<h2 id=\"%s\">%s</h2>\n<p>%s</p>\n".formatted(id, id, escaped(text))));
    return page.append("</body>\n</html>\n").toString();
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  private static Map<String, String> load() {
    Map<String, String> entries = new LinkedHashMap<>();
    for (String part : PARTS) {
      for (String line : text("errata-" + part + ".txt").lines().toList()) {
        int colon = line.indexOf(':');
        entries.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      }
    }
    return Collections.unmodifiableMap(entries);
  }

  /** Returns the text of a resource of this package. */
  static String text(String resource) {
    try (InputStream in = Errata.class.getResourceAsStream(resource)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
