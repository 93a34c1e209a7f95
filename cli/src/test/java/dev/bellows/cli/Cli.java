package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.console.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import tools.jackson.jr.ob.JSON;

/** Runs commands in this process and captures their output. */
public final class Cli {
  /** The root of the project. */
  public static final Path ROOT = Path.of(System.getProperty("bellows.root", ".."));

  private Cli() {}

  /** The result of a command. */
  public record Result(int code, byte[] bytes, String err) {
    public String out() {
      return new String(bytes, StandardCharsets.UTF_8);
    }

    public List<String> lines() {
      return out().lines().toList();
    }

    /** The one JSON object on standard output. */
    public Map<String, Object> json() {
      assertThat(code).as(err).isLessThan(2);
      assertThat(out()).endsWith("}\n").startsWith("{").containsOnlyOnce("\n");
      return JSON.std.mapFrom(out());
    }

    public Result succeeded() {
      assertThat(code).as(err).isZero();
      return this;
    }

    /** Refused: exit code 2, nothing on standard output, one line that contains all of these. */
    public Result refused(String... parts) {
      assertThat(code).as(out() + err).isEqualTo(2);
      assertThat(out()).isEmpty();
      assertThat(err).startsWith("bellows: ").endsWith("\n").containsOnlyOnce("\n").contains(parts);
      assertThat(err).doesNotContain("internal error");
      return this;
    }
  }

  public static Result run(Object... arguments) {
    return with("", arguments);
  }

  public static Result with(String input, Object... arguments) {
    return with(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), arguments);
  }

  public static Result with(InputStream input, Object... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Console console =
        new Console(
            input, out, new PrintStream(err, true, StandardCharsets.UTF_8), false, false, false);
    String[] words = new String[arguments.length];
    for (int i = 0; i < words.length; i++) {
      words[i] = arguments[i].toString();
    }
    int code = Main.run(console, words);
    return new Result(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }

  /** The numbers of a range, one per line. */
  public static String numbers(int from, int to) {
    StringBuilder lines = new StringBuilder();
    IntStream.range(from, to).forEach(i -> lines.append(i).append('\n'));
    return lines.toString();
  }

  public static long integer(Object value) {
    return ((Number) value).longValue();
  }

  public static double real(Object value) {
    return ((Number) value).doubleValue();
  }
}
