package dev.bellows.site;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The menu of every page: headings, and below each the files of the project. */
final class Menu {
  private final List<String> lines;

  private Menu(List<String> lines) {
    this.lines = lines;
  }

  /** Reads lines {@code # heading} and {@code file}. */
  static Menu of(String text) {
    return new Menu(text.lines().filter(line -> !line.isBlank()).toList());
  }

  /** Where an entry leads, and its words. */
  record Entry(String place, String title) {}

  /** As HTML on the page at this place; a file without an entry is left out. */
  String html(String place, Function<String, @Nullable Entry> entries) {
    List<String> html = new ArrayList<>();
    boolean open = false;
    for (String line : lines) {
      if (line.startsWith("# ")) {
        html.add((open ? "</ul>" : "") + "<h2>" + Html.escaped(line.substring(2)) + "</h2><ul>");
        open = true;
        continue;
      }
      Entry entry = entries.apply(line);
      if (entry != null) {
        String here = entry.place.equals(place) ? " aria-current=\"page\"" : "";
        html.add(
            "<li><a href=\"%s\"%s>%s</a></li>"
                .formatted(Site.relative(place, entry.place), here, Html.escaped(entry.title)));
      }
    }
    return String.join("\n", html) + "</ul>";
  }
}
