package dev.bellows.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.jr.ob.JSON;

/**
 * Writes the site. It begins at README and follows every link to a file of the project: Markdown
 * becomes a page, a folder the list of its pages, and anything else is copied. So a page that no
 * other links to is not on the site; {@code SiteTest} says which are missing.
 */
public final class Site {
  private static final String FIRST = "README.md";
  private static final String PLANNER = "planner/index.html";

  /** Modules whose Javadoc users read, in their order. */
  private static final List<String> APIS =
      List.of(
          "core",
          "durable",
          "documents/partition",
          "documents/range",
          "documents/autoscale",
          "scalable",
          "engines/parquet",
          "engines/iceberg",
          "engines/redis",
          "engines/metrics",
          "engines/spark",
          "engines/flink",
          "engines/kafka-streams");

  private final Path root;
  private final Path out;
  private final Menu menu;
  private final Map<String, Page> pages = new LinkedHashMap<>();
  private final TreeSet<String> copies = new TreeSet<>();

  /** A page: where it lies, its title, its HTML and the words that a search finds. */
  record Page(String place, String title, String html, String words) {}

  private Site(Path root, Path out) throws IOException {
    this.root = root;
    this.out = out;
    this.menu = Menu.of(resource("menu.txt"));
  }

  /** Writes the site: the folder of the project, and the folder to write to. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      throw new IllegalArgumentException("project folder, output folder");
    }
    Path out = Path.of(arguments[1]);
    int pages = write(Path.of(arguments[0]), out).size();
    System.out.printf("%d pages: %s%n", pages, out.resolve("index.html"));
  }

  /** Writes the site and returns the files of the project that became pages. */
  static List<String> write(Path root, Path out) throws IOException {
    Site site = new Site(root.toRealPath(), out);
    site.collect();
    site.write();
    return List.copyOf(site.pages.keySet());
  }

  private void collect() throws IOException {
    Deque<String> open = new ArrayDeque<>(List.of(FIRST));
    while (!open.isEmpty()) {
      String source = open.remove();
      if (pages.containsKey(source)) {
        continue;
      }
      Path file = root.resolve(source);
      Markdown text = new Markdown(Files.isDirectory(file) ? list(file) : Files.readString(file));
      String title = text.title(source);
      String words = text.words();
      List<String> found = new ArrayList<>();
      String html = text.html(link -> follow(source, link, found));
      pages.put(source, new Page(place(source), title, html, words));
      open.addAll(found);
    }
  }

  /** Returns a page for a folder that has none. */
  private String list(Path folder) throws IOException {
    String name = folder.getFileName().toString();
    try (Stream<Path> files = Files.list(folder)) {
      return "# "
          + name.substring(0, 1).toUpperCase(Locale.ROOT)
          + name.substring(1)
          + "\n\n"
          + files
              .filter(file -> file.toString().endsWith(".md"))
              .sorted()
              .map(file -> "- [" + title(file) + "](" + file.getFileName() + ")")
              .collect(Collectors.joining("\n"));
    }
  }

  private static String title(Path file) {
    try {
      return new Markdown(Files.readString(file)).title(file.getFileName().toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Where a link of a page leads on the site; notes the files that it needs. */
  private String follow(String source, String link, List<String> found) {
    if (link.matches("[a-z]+:.*") || link.startsWith("#")) {
      return link;
    }
    int anchor = link.indexOf('#');
    String path = anchor < 0 ? link : link.substring(0, anchor);
    Path file = root.resolve(source);
    Path folder = Files.isDirectory(file) ? file : file.getParent();
    Path target = folder.resolve(path).normalize();
    if (!target.startsWith(root) || !Files.exists(target)) {
      throw new IllegalArgumentException(source + " links to " + link + ", which is not there");
    }
    String wanted = root.relativize(target).toString();
    if (wanted.equals("docs/page/index.html")) {
      return relative(place(source), PLANNER);
    }
    if (Files.isDirectory(target)) {
      wanted = page(target).map(name -> root.relativize(name).toString()).orElse(wanted);
      found.add(wanted);
    } else if (wanted.endsWith(".md")) {
      found.add(wanted);
    } else {
      copies.add(wanted);
    }
    return relative(place(source), place(wanted)) + (anchor < 0 ? "" : link.substring(anchor));
  }

  /** Returns the page that a folder has. */
  private static Optional<Path> page(Path folder) {
    return Stream.of("README.md", "index.md")
        .map(folder::resolve)
        .filter(Files::exists)
        .findFirst();
  }

  /** Where a file of the project lies on the site. */
  private String place(String source) {
    if (source.equals(FIRST)) {
      return "index.html";
    }
    if (Files.isDirectory(root.resolve(source))) {
      return source + "/index.html";
    }
    return source.replaceFirst("\\.md$", ".html");
  }

  /** Returns the relative path from one page of the site to another. */
  static String relative(String from, String to) {
    Path folder = Path.of("/" + from).getParent();
    return folder.relativize(Path.of("/" + to)).toString();
  }

  private void write() throws IOException {
    String frame = resource("frame.html");
    for (Page page : pages.values()) {
      String home = "../".repeat(page.place().split("/").length - 1);
      write(
          page.place(),
          frame
              .replace("{{title}}", Html.escaped(page.title()))
              .replace("{{home}}", home)
              .replace("{{menu}}", menu.html(page.place(), this::entry))
              .replace("{{content}}", page.html()));
    }
    for (String copy : copies) {
      copy(root.resolve(copy), copy);
    }
    write("site.css", resource("site.css"));
    write("search.js", resource("search.js"));
    write("words.js", "const PAGES = " + JSON.std.asString(index()) + ";\n");
    copy(root.resolve("docs/page/index.html"), PLANNER);
    for (String api : APIS) {
      copyTree(javadoc(api), "api/" + name(api));
    }
  }

  /** Returns what the search reads: place, title and words of each page. */
  private List<Map<String, String>> index() {
    return pages.values().stream()
        .map(page -> Map.of("place", page.place(), "title", page.title(), "words", page.words()))
        .toList();
  }

  /** Returns an entry of the menu; null for Javadoc that was not made. */
  private Menu.@Nullable Entry entry(String source) {
    if (source.equals(PLANNER)) {
      return new Menu.Entry(PLANNER, "The planner page");
    }
    if (source.startsWith("api/")) {
      String name = source.substring("api/".length());
      String module = APIS.stream().filter(api -> name(api).equals(name)).findFirst().orElseThrow();
      return Files.exists(javadoc(module))
          ? new Menu.Entry(source + "/index.html", "Javadoc of " + name)
          : null;
    }
    Page page = pages.get(source);
    if (page == null) {
      throw new IllegalArgumentException("the menu has " + source + ", to which no page links");
    }
    return new Menu.Entry(page.place(), page.title());
  }

  /** Returns the last part of the folder of a module. */
  private static String name(String module) {
    return module.substring(module.lastIndexOf('/') + 1);
  }

  private Path javadoc(String module) {
    return root.resolve(module).resolve("target/reports/apidocs");
  }

  private void write(String place, String text) throws IOException {
    Path file = out.resolve(place);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private void copy(Path from, String place) throws IOException {
    Path to = out.resolve(place);
    Files.createDirectories(to.getParent());
    Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
  }

  private void copyTree(Path from, String place) throws IOException {
    if (!Files.isDirectory(from)) {
      return; // the profile makes it; tests of the pages do without
    }
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
        copy(file, place + "/" + from.relativize(file));
      }
    }
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Site.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
