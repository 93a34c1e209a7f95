package dev.bellows.web;

import dev.bellows.Layout;
import dev.bellows.answers.PlanFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer of a tab: {@code plan}, the fields that the command line prints; {@code json}, {@code
 * command} and {@code java}, texts to copy; and the data for its pictures.
 */
final class Answer {
  private final Map<String, @Nullable Object> fields = new LinkedHashMap<>();

  Answer(Map<String, ?> plan) {
    fields.put("plan", plan);
    fields.put("json", JsonText.of(plan));
  }

  /** Sets the command that prints this plan; null if there is none. */
  Answer command(@Nullable Command command) {
    fields.put("command", command == null ? null : command.toString());
    return this;
  }

  Answer java(String... lines) {
    fields.put("java", String.join("\n", lines));
    return this;
  }

  /** Adds data for a picture or a table. */
  Answer put(String name, @Nullable Object value) {
    fields.put(name, value);
    return this;
  }

  Map<String, @Nullable Object> fields() {
    return fields;
  }

  /** A command line with the options that were given. */
  static final class Command {
    private final StringBuilder text = new StringBuilder("./bellows plan ");

    Command(String what) {
      text.append(what);
    }

    Command option(String name, @Nullable Object value) {
      if (value != null) {
        text.append(" --").append(name).append(' ').append(value);
      }
      return this;
    }

    /** Adds the layout, unless it is the default of the command. */
    Command layout(Layout.Family layout) {
      return option("layout", layout == Inputs.DEFAULT_LAYOUT ? null : PlanFields.word(layout));
    }

    @Override
    public String toString() {
      return text + " --json";
    }
  }

  /** Returns a row of a table or a point of a curve. */
  static List<@Nullable Object> row(@Nullable Object... values) {
    return java.util.Collections.unmodifiableList(java.util.Arrays.asList(values));
  }
}
