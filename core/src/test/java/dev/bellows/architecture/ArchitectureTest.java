package dev.bellows.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Repository;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The layers of core point one way, class by class, as jdeps sees them. */
class ArchitectureTest {
  /** The value types that every layer may name, though users meet them in higher packages. */
  private static final Set<String> WORDS =
      Set.of(
          "dev.bellows.Layout",
          "dev.bellows.Pattern",
          "dev.bellows.FoldSize",
          "dev.bellows.HashScheme",
          "dev.bellows.KeyHasher",
          "dev.bellows.KeySink",
          "dev.bellows.KeyType",
          "dev.bellows.io.FilterFormatException",
          "dev.bellows.io.FilterKind",
          "dev.bellows.io.ReadOptions");

  /** From the lowest: a layer may use itself and those before it. */
  private static final List<Set<String>> LAYERS =
      List.of(
          Set.of("internal.base", "internal.hash"),
          Set.of("internal.numbers", "internal.rates"),
          Set.of("internal.store"),
          Set.of("internal.codec"),
          Set.of("", "elastic", "growth", "range", "autoscale", "foreign"),
          Set.of("internal.kinds"));

  private static final Pattern LINE =
      Pattern.compile("\\s+(dev\\.bellows[\\w.$]*)\\s+->\\s+(dev\\.bellows[\\w.$]*)\\s.*");

  private static final Set<Use> USES = new TreeSet<>();

  private record Use(String from, String to) implements Comparable<Use> {
    @Override
    public int compareTo(Use other) {
      return (from + to).compareTo(other.from + other.to);
    }
  }

  @BeforeAll
  static void readUses() {
    StringWriter out = new StringWriter();
    ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
    Path classes = Repository.path("core/target/classes/dev");
    int code =
        jdeps.run(
            new PrintWriter(out),
            new PrintWriter(out),
            "-verbose:class",
            "-filter:none",
            classes.toString());
    assertThat(code).as(out.toString()).isZero();
    for (String line : out.toString().split("\n")) {
      Matcher matcher = LINE.matcher(line);
      if (matcher.matches()) {
        USES.add(new Use(topLevel(matcher.group(1)), topLevel(matcher.group(2))));
      }
    }
    assertThat(USES).hasSizeGreaterThan(500);
  }

  private static String topLevel(String name) {
    return name.replaceAll("\\$.*", "");
  }

  private static String packageOf(String name) {
    String inner = name.substring(0, name.lastIndexOf('.'));
    return inner.equals("dev.bellows") ? "" : inner.substring("dev.bellows.".length());
  }

  /** The layer of a class; -1 for {@code plan} and {@code io}, which have rules of their own. */
  private static int layer(String name) {
    if (WORDS.contains(name)) {
      return 0;
    }
    for (int i = 0; i < LAYERS.size(); i++) {
      if (LAYERS.get(i).contains(packageOf(name))) {
        return i;
      }
    }
    return -1;
  }

  @Test
  void layersPointOneWay() {
    assertThat(USES)
        .allSatisfy(
            use -> {
              boolean door =
                  use.from.equals("dev.bellows.Filter")
                      && use.to.equals("dev.bellows.internal.kinds.Kinds");
              // every filter is serialized in the one form of all kinds
              door |= use.to.equals("dev.bellows.internal.kinds.SerializedFilter");
              boolean words = WORDS.contains(use.from);
              if (!door && !words && layer(use.from) >= 0 && layer(use.to) >= 0) {
                assertThat(layer(use.to)).as("%s", use).isLessThanOrEqualTo(layer(use.from));
              }
            });
  }

  @Test
  void wordsUseNothingButEachOtherAndTheBase() {
    assertThat(USES)
        .filteredOn(use -> WORDS.contains(use.from))
        .allSatisfy(use -> assertThat(layer(use.to)).as("%s", use).isZero());
  }

  @Test
  void plannersKnowNoStoresAndStoresKnowNoPlanners() {
    assertThat(USES)
        .filteredOn(use -> packageOf(use.from).equals("plan"))
        .allSatisfy(
            use ->
                assertThat(packageOf(use.to).equals("plan") || layer(use.to) <= 1)
                    .as("%s", use)
                    .isTrue());
    assertThat(USES)
        .filteredOn(use -> layer(use.from) <= 3 && layer(use.from) >= 0)
        .noneMatch(use -> packageOf(use.to).equals("plan"));
  }

  @Test
  void noKindKnowsAnother() {
    Set<String> kinds = Set.of("elastic", "growth", "range", "autoscale", "foreign");
    assertThat(USES)
        .filteredOn(use -> kinds.contains(packageOf(use.from)))
        .allSatisfy(
            use ->
                assertThat(
                        !kinds.contains(packageOf(use.to))
                            || packageOf(use.to).equals(packageOf(use.from)))
                    .as("%s", use)
                    .isTrue());
  }
}
