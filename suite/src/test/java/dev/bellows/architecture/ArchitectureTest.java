package dev.bellows.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Filter;
import dev.bellows.Repository;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Dependencies point one way, class by class, as jdeps sees them. The rules name no classes: what a
 * class may use follows from its type and from what can be reached from there.
 */
class ArchitectureTest {
  private static final String ROOT = "dev.bellows";
  private static final String INTERNAL = ROOT + ".internal";

  /** The modules that have filters. */
  static final List<String> MODULES =
      List.of(
          "core",
          "scalable",
          "durable",
          "documents/partition",
          "documents/range",
          "documents/autoscale");

  private static final Pattern LINE =
      Pattern.compile("\\s+(dev\\.bellows[\\w.$]*)\\s+->\\s+(dev\\.bellows[\\w.$]*)\\s.*");

  /** The top-level classes that each top-level class uses. */
  private static final Map<String, Set<String>> USES = new TreeMap<>();

  @BeforeAll
  static void readUses() {
    StringWriter out = new StringWriter();
    List<String> arguments = new ArrayList<>(List.of("-verbose:class", "-filter:none"));
    MODULES.forEach(
        module -> arguments.add(Repository.path(module + "/target/classes/dev").toString()));
    int code =
        ToolProvider.findFirst("jdeps")
            .orElseThrow()
            .run(new PrintWriter(out), new PrintWriter(out), arguments.toArray(String[]::new));
    assertThat(code).as(out.toString()).isZero();
    for (String line : out.toString().split("\n")) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        String from = topLevel(matcher.group(1));
        String to = topLevel(matcher.group(2));
        USES.computeIfAbsent(to, name -> new TreeSet<>());
        if (!from.equals(to)) {
          USES.computeIfAbsent(from, name -> new TreeSet<>()).add(to);
        }
      }
    }
    assertThat(USES).hasSizeGreaterThan(100);
  }

  private static String topLevel(String name) {
    return name.replaceAll("\\$.*", "");
  }

  private static String packageOf(String name) {
    return name.substring(0, name.lastIndexOf('.'));
  }

  private static boolean isInternal(String name) {
    return name.startsWith(INTERNAL + ".");
  }

  /** A class of filters, as opposed to the interfaces and values around them. */
  private static boolean isFilter(String name) {
    Class<?> type = load(name);
    return Filter.class.isAssignableFrom(type) && !type.isInterface();
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, ArchitectureTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static Stream<String> classes() {
    return USES.keySet().stream();
  }

  /** Everything that a class uses, and what that uses, and so on. */
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
  void internalPackagesFormNoCycle() {
    Map<String, Set<String>> packages = new TreeMap<>();
    USES.forEach(
        (from, uses) ->
            uses.stream()
                .filter(to -> isInternal(from) && isInternal(to))
                .map(ArchitectureTest::packageOf)
                .filter(to -> !to.equals(packageOf(from)))
                .forEach(
                    to -> packages.computeIfAbsent(packageOf(from), p -> new TreeSet<>()).add(to)));
    assertThat(packages.keySet())
        .allSatisfy(p -> assertThat(reachable(p, packages)).as(p).doesNotContain(p));
  }

  @Test
  void noCycleOfClassesLeavesItsPackage() {
    Map<String, Set<String>> reached = new TreeMap<>();
    classes().forEach(name -> reached.put(name, reachable(name, USES)));
    assertThat(classes())
        .allSatisfy(
            name ->
                assertThat(reached.get(name))
                    .as("what %s uses and is used by", name)
                    .filteredOn(other -> reached.get(other).contains(name))
                    .allMatch(other -> packageOf(other).equals(packageOf(name))));
  }

  /**
   * Internal classes may use the values and interfaces of the API, which do not depend on filters.
   */
  @Test
  void noInternalClassReachesAFilter() {
    assertThat(classes().filter(ArchitectureTest::isInternal))
        .allSatisfy(
            name ->
                assertThat(reachable(name, USES)).as(name).noneMatch(ArchitectureTest::isFilter));
  }

  @Test
  void plansDoNotDependOnMemoryOrFiles() {
    Set<String> memory = new TreeSet<>();
    for (String room : Set.of("bits", "counters", "prefixes", "files")) {
      String name = INTERNAL + "." + room;
      assertThat(classes()).as(name).anyMatch(used -> packageOf(used).equals(name));
      memory.add(name);
    }
    assertThat(classes().filter(name -> name.endsWith("Plan")))
        .hasSizeGreaterThan(5)
        .allSatisfy(
            name ->
                assertThat(reachable(name, USES))
                    .as(name)
                    .noneMatch(used -> memory.contains(packageOf(used))));
  }

  /**
   * The kinds of the documents are independent: all use the plain filters, and one depends on
   * another only if its filters are converted to it, never the other way round.
   */
  @Test
  void kindsDependOnlyOnTheKindsTheyConvertTo() {
    Map<String, Set<String>> rooms = new TreeMap<>();
    classes()
        .filter(ArchitectureTest::isFilter)
        .forEach(
            name ->
                rooms
                    .computeIfAbsent(packageOf(name), room -> new TreeSet<>())
                    .addAll(conversions(name)));
    rooms.remove(ROOT);
    assertThat(rooms).hasSizeGreaterThan(3);
    assertThat(rooms.keySet())
        .allSatisfy(room -> assertThat(reachable(room, rooms)).doesNotContain(room));
    assertThat(classes().filter(name -> rooms.containsKey(packageOf(name))))
        .allSatisfy(
            name ->
                assertThat(USES.get(name))
                    .as(name)
                    .noneMatch(
                        used ->
                            rooms.containsKey(packageOf(used))
                                && !packageOf(used).equals(packageOf(name))
                                && !rooms.get(packageOf(name)).contains(packageOf(used))));
  }

  /** The page has a row for every package of the API, and its drawing names every package. */
  @Test
  void thePageNamesEveryPackage() throws IOException {
    String page = Files.readString(Repository.path("docs/architecture.md"));
    String packages = page.substring(page.indexOf("## Packages of core"));
    String drawing = packages.split("```")[1];
    assertThat(classes().map(ArchitectureTest::packageOf).distinct())
        .hasSizeGreaterThan(15)
        .allSatisfy(
            name -> {
              String last = name.substring(name.lastIndexOf('.') + 1);
              if (!name.startsWith(INTERNAL) && !name.equals(ROOT)) {
                assertThat(packages).contains("\n| `." + last + "` |");
              }
              if (!name.equals(ROOT + ".io")) {
                assertThat(drawing).containsPattern("\\b" + last + "\\b");
              }
            });
  }

  /** The packages of the filters that methods of a filter return, except its own. */
  private static Set<String> conversions(String filter) {
    Set<String> rooms = new TreeSet<>();
    for (Method method : load(filter).getMethods()) {
      String result = topLevel(method.getReturnType().getName());
      if (USES.containsKey(result)
          && isFilter(result)
          && !packageOf(result).equals(packageOf(filter))) {
        rooms.add(packageOf(result));
      }
    }
    return rooms;
  }
}
