package dev.bellows.cli.keys;

import dev.bellows.cli.console.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/**
 * The lines of files as keys.
 *
 * @param console where standard input is
 * @param inputs the files; {@code -} or none is standard input
 * @param options how lines become keys
 */
public record KeyLines(Console console, List<String> inputs, KeyOptions options)
    implements KeyInput {
  @Override
  public boolean isLongs() {
    return options.isLongs();
  }

  @Override
  public long forEach(KeyCode code, CodeGroup group) throws IOException {
    LineCodes codes = new LineCodes(code, options.isLongs());
    return options.scan(console, inputs, lines -> codes.pass(lines, group));
  }

  @Override
  public long forEachText(Consumer<String> consumer) throws IOException {
    options.requireTexts();
    return options.scan(
        console,
        inputs,
        lines ->
            lines.forEach(
                (buffer, from, length) ->
                    consumer.accept(new String(buffer, from, length, StandardCharsets.UTF_8))));
  }
}
