package dev.bellows.cli.kinds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.jr.ob.JSON;

/** Which names of a range filter hold text. */
class RangeTextsTest {
  private static final Object[] DECLARED = {
    "build",
    "--kind",
    "range",
    "--bits",
    1024,
    "--domain",
    "age:0:120",
    "--text",
    "name",
    "--text",
    "city",
    "-o"
  };

  @TempDir Path folder;

  private Path schema(Object... options) {
    Path file = folder.resolve("scheme.json");
    Object[] fixed = {"plan", "range", "--bits", 512, "--attribute", "age:120:10", "-o", file};
    Object[] all = new Object[fixed.length + options.length];
    System.arraycopy(fixed, 0, all, 0, fixed.length);
    System.arraycopy(options, 0, all, fixed.length, options.length);
    Cli.run(all).succeeded();
    return file;
  }

  private Cli.Result build(Path schema, String lines) {
    return Cli.with(
        lines, "build", "--kind", "range", "--scheme-file", schema, "-o", folder.resolve("filter"));
  }

  private static Object[] declared(Path out) {
    Object[] all = Arrays.copyOf(DECLARED, DECLARED.length + 1);
    all[DECLARED.length] = out;
    return all;
  }

  @Test
  void declaredTextsRefuseOtherNames() {
    Path f = folder.resolve("f");
    Cli.Result built = Cli.with("age=20..30\nname=Ada\ncity=12\n", declared(f)).succeeded();
    assertThat(built.err()).doesNotContain("has no domain");
    assertThat(Cli.run("query", f, "name=Ada", "city=12", "name=Bob").lines())
        .containsExactly("name=Ada", "city=12");
    Cli.run("query", f, "nmae=Ada").refused("there is no attribute 'nmae'", "[city, name]");
    Cli.with("nmae=Ada\n", "add", f).refused("standard input:1: there is no attribute 'nmae'");
    Cli.with("nmae=Ada\n", declared(folder.resolve("g"))).refused("'nmae'");
    assertThat(folder.resolve("g")).doesNotExist();
    assertThat(Cli.run("info", f, "--json").json())
        .containsEntry("open", false)
        .containsEntry("texts", List.of("city", "name"));
  }

  @Test
  void withoutDeclaredTextsEveryNameHoldsText() {
    Path f = folder.resolve("f");
    Cli.with("nmae=Ada\n", "build", "--kind", "range", "--domain", "age:0:9", "--bits", 99, "-o", f)
        .succeeded();
    assertThat(Cli.run("info", f, "--json").json())
        .containsEntry("open", true)
        .containsEntry("texts", List.of());
    assertThat(Cli.run("query", f, "nmae=Ada").code()).isZero();
  }

  @Test
  void aSavedSchemaSaysWhichNamesHoldText() throws IOException {
    Map<String, Object> open = JSON.std.mapFrom(Files.readString(schema()));
    assertThat(open).containsEntry("open", true).doesNotContainKey("texts");
    build(schema(), "any=Ada\n").succeeded();
    Map<String, Object> named =
        JSON.std.mapFrom(Files.readString(schema("--text", "name", "--text", "city")));
    assertThat(named).containsEntry("texts", List.of("city", "name")).doesNotContainKey("open");
    assertThat(named.get("schema")).isNotEqualTo(open.get("schema"));
    Path schema = folder.resolve("scheme.json");
    build(schema, "name=Ada\n").succeeded();
    build(schema, "any=Ada\n").refused("'any'");
    Cli.run("build", "--kind", "range", "--scheme-file", schema, "--text", "x", "-o", schema)
        .refused("leave out --text");
  }

  @Test
  void textsThatAreNamedArePlannedFor() {
    Object[] counted = {
      "plan", "range", "--bits", 512, "--attribute", "age:120:10", "--strings", 2, "--json"
    };
    Object[] named = {
      "plan",
      "range",
      "--bits",
      512,
      "--attribute",
      "age:120:10",
      "--text",
      "a",
      "--text",
      "b",
      "--json"
    };
    assertThat(Cli.run(named).succeeded().json())
        .containsEntry("strings", 2)
        .containsEntry("averageFpp", Cli.run(counted).succeeded().json().get("averageFpp"));
  }

  @Test
  void anOlderSchemaFileIsOpen() throws IOException {
    Path schema = schema();
    String older =
        Files.readString(schema)
            .replaceFirst(",\\s*\"open\" : true", "")
            .replaceFirst("\"schema\" : \"[^\"]*\"", "\"schema\" : \"0123456789abcdef\"");
    assertThat(older).doesNotContain("open", "texts").contains("0123456789abcdef");
    Files.writeString(schema, older);
    build(schema, "any=Ada\n").succeeded();
    assertThat(Cli.run("info", folder.resolve("filter"), "--json").json())
        .containsEntry("open", true);
  }

  @Test
  void textsOfTheWrongFormAreRefused() throws IOException {
    Path schema = schema("--text", "name");
    String text = Files.readString(schema);
    for (String[] wrong :
        new String[][] {
          {"[ 5 ]", "must be a list of names"},
          {"\"name\"", "must be a list of names"},
          {"[ \"name\", \"name\" ]", "two attributes are named 'name'"},
          {"[ \"name\" ], \"open\" : 1", "must be true or false"}
        }) {
      Files.writeString(schema, text.replaceFirst("\\[ \"name\" \\]", wrong[0]));
      build(schema, "name=Ada\n").refused("scheme.json is not a schema", wrong[1]);
    }
    Files.writeString(schema, text.replaceFirst("\"texts\" :", "\"open\" : true, \"texts\" :"));
    build(schema, "name=Ada\n").refused("scheme.json is not a schema", "open");
  }
}
