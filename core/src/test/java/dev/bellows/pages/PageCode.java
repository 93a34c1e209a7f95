package dev.bellows.pages;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/**
 * Code blocks of the documentation, compiled against everything that the tests see, and run. The
 * tests of other modules find it in the test-jar of core. It needs java.base only, so it also works
 * for tests on the module path.
 */
public final class PageCode {
  private PageCode() {}

  /** The blocks of a page that begin with these words, e.g. {@code java redis}, joined. */
  public static String blocks(Path page, String words) throws IOException {
    return Pattern.compile("(?ms)^```" + Pattern.quote(words) + "\\n(.*?)^```")
        .matcher(Files.readString(page))
        .results()
        .map(block -> block.group(1))
        .collect(Collectors.joining());
  }

  /** A class Page with a method run that has this code; its imports move to the top. */
  public static String page(String imports, String parameters, String thrown, String code) {
    StringBuilder head = new StringBuilder(imports);
    StringBuilder body = new StringBuilder();
    for (String line : code.lines().toList()) {
      (line.startsWith("import ") ? head : body).append(line).append('\n');
    }
    return "%s\npublic class Page {\npublic static void run(%s) %s {\n%s}\n}\n"
        .formatted(head, parameters, thrown, body);
  }

  /** Compiles sources, by the names of their types, into a folder. */
  public static void compile(Path folder, Map<String, String> sources) throws IOException {
    List<Path> files = new ArrayList<>();
    for (Map.Entry<String, String> source : sources.entrySet()) {
      Path file = folder.resolve(source.getKey() + ".java");
      Files.createDirectories(file.getParent());
      files.add(Files.writeString(file, source.getValue()));
    }
    compile(folder, files);
  }

  /** Compiles files into a folder. */
  public static void compile(Path folder, List<Path> files) {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
    String modules = System.getProperty("jdk.module.path", "");
    String classes = System.getProperty("java.class.path");
    arguments.addAll(List.of("-cp", classes + File.pathSeparator + modules));
    files.forEach(file -> arguments.add(file.toString()));
    StringWriter messages = new StringWriter();
    PrintWriter out = new PrintWriter(messages);
    ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
    if (javac.run(out, out, arguments.toArray(String[]::new)) != 0) {
      throw new AssertionError(messages.toString());
    }
  }

  /** Compiles a {@link #page} into a folder and runs it, with assertions. */
  public static void run(Path folder, String page, Object... arguments) throws Exception {
    compile(folder, Map.of("Page", page));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      loader.setDefaultAssertionStatus(true);
      Method run =
          Arrays.stream(loader.loadClass("Page").getMethods())
              .filter(method -> method.getName().equals("run"))
              .findFirst()
              .orElseThrow();
      run.invoke(null, arguments);
    }
  }
}
