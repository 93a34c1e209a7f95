package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.Test;

/** Dependencies between the packages of the command line point one way, as jdeps sees them. */
class PackagesTest {
  private static final Pattern LINE =
      Pattern.compile(
          "\\s+(dev\\.bellows\\.cli[\\w.]*)\\s+->\\s+(dev\\.bellows\\.cli[\\w.]*)\\s.*");

  /** The packages that each package uses. */
  private static Map<String, Set<String>> uses() {
    StringWriter out = new StringWriter();
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(
                new PrintWriter(out),
                new PrintWriter(out),
                "-verbose:package",
                "-filter:none",
                Cli.ROOT.resolve("cli/target/classes/dev").toString());
    assertThat(code).as(out.toString()).isZero();
    Map<String, Set<String>> uses = new TreeMap<>();
    for (String line : out.toString().split("\n")) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches() && !matcher.group(1).equals(matcher.group(2))) {
        uses.computeIfAbsent(matcher.group(1), name -> new TreeSet<>()).add(matcher.group(2));
      }
    }
    return uses;
  }

  private static Set<String> reachable(String from, Map<String, Set<String>> uses) {
    Set<String> reached = new TreeSet<>();
    Deque<String> open = new ArrayDeque<>(uses.getOrDefault(from, Set.of()));
    while (!open.isEmpty()) {
      String next = open.pop();
      if (reached.add(next)) {
        open.addAll(uses.getOrDefault(next, Set.of()));
      }
    }
    return reached;
  }

  @Test
  void packagesFormNoCycle() {
    Map<String, Set<String>> uses = uses();
    assertThat(uses).hasSizeGreaterThan(5);
    assertThat(uses.keySet())
        .allSatisfy(name -> assertThat(reachable(name, uses)).as(name).doesNotContain(name));
  }
}
