package dev.bellows.web;

import dev.bellows.Layout;
import dev.bellows.answers.PlanFields;
import dev.bellows.answers.Quantities;
import dev.bellows.internal.base.Prose;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a tab as text, one {@code name=value} per line; an empty value counts as missing.
 */
final class Inputs {
  /** The layout of a plan that names none, on the command line too. */
  static final Layout.Family DEFAULT_LAYOUT = Layout.Family.CLASSIC;

  private static final int MOST_LINES = 200;
  private static final int LONGEST_VALUE = 500;

  private record Field(String name, String value) {}

  private final List<Field> fields = new ArrayList<>();

  Inputs(String lines) {
    for (String line : lines.split("\n", MOST_LINES)) {
      int sign = line.indexOf('=');
      if (sign > 0 && !line.substring(sign + 1).isBlank()) {
        String value = line.substring(sign + 1).strip();
        if (value.length() > LONGEST_VALUE) {
          throw new BadInput(
              line.substring(0, sign), Prose.quote(value) + " is too long to be a number");
        }
        fields.add(new Field(line.substring(0, sign), value));
      }
    }
  }

  /** Reads a field. */
  @FunctionalInterface
  interface Read {
    /** Reads a field; throws with the name of the field if its value is invalid. */
    void read(Inputs inputs);
  }

  /** Reads all of these fields, so that every invalid one is reported and not only the first. */
  void check(Read... reads) {
    List<BadInput> bad = new ArrayList<>();
    for (Read read : reads) {
      try {
        read.read(this);
      } catch (BadInput e) {
        bad.add(e);
      }
    }
    if (!bad.isEmpty()) {
      throw BadInput.of(bad);
    }
  }

  /** Returns the text of a field, null if it is empty. */
  @Nullable String text(String name) {
    for (Field field : fields) {
      if (field.name.equals(name)) {
        return field.value;
      }
    }
    return null;
  }

  /** Returns the texts of all fields of that name. */
  List<String> texts(String name) {
    return fields.stream().filter(field -> field.name.equals(name)).map(Field::value).toList();
  }

  boolean has(String name) {
    return text(name) != null;
  }

  /** Returns whether only the plan is requested, without the data for pictures. */
  boolean brief() {
    return has("brief");
  }

  String textOr(String name, String otherwise) {
    String text = text(name);
    return text == null ? otherwise : text;
  }

  @Nullable Long count(String name) {
    return parsed(name, Quantities::count);
  }

  long requiredCount(String name) {
    return required(name, count(name));
  }

  /** Returns a count of at least one. */
  long requiredPositive(String name) {
    long count = requiredCount(name);
    if (count == 0) {
      throw new BadInput(name, "must be at least 1");
    }
    return count;
  }

  @Nullable Integer smallCount(String name) {
    return parsed(name, Quantities::smallCount);
  }

  int requiredSmallCount(String name) {
    return required(name, smallCount(name));
  }

  /** Returns a small count of at least one, null if it is empty. */
  @Nullable Integer smallPositive(String name) {
    Integer count = smallCount(name);
    if (count != null && count == 0) {
      throw new BadInput(name, "must be at least 1");
    }
    return count;
  }

  @Nullable Double probability(String name) {
    return parsed(name, Quantities::probability);
  }

  double requiredProbability(String name) {
    return required(name, probability(name));
  }

  /** Returns a rate between 0 and 1, neither of them, null if it is empty. */
  @Nullable Double rate(String name) {
    Double rate = probability(name);
    if (rate != null && (rate <= 0 || rate >= 1)) {
      throw new BadInput(name, "must be between 0 and 1, exclusive: 1%, 0.001, 1/1000");
    }
    return rate;
  }

  double requiredRate(String name) {
    return required(name, rate(name));
  }

  double amountOr(String name, double otherwise) {
    Double amount = parsed(name, Quantities::amount);
    return amount == null ? otherwise : amount;
  }

  double probabilityOr(String name, double otherwise) {
    Double probability = probability(name);
    return probability == null ? otherwise : probability;
  }

  /**
   * Returns a number of bits, or a size in bytes with its unit, e.g. {@code 64 KiB}; at least 1.
   */
  @Nullable Long bits(String name) {
    Long bits =
        parsed(
            name,
            text ->
                text.toLowerCase(Locale.ROOT).endsWith("b")
                    ? Math.multiplyExact(Quantities.size(text), Byte.SIZE)
                    : Quantities.count(text));
    if (bits != null && bits == 0) {
      throw new BadInput(name, "must be at least 1 bit");
    }
    return bits;
  }

  long requiredBits(String name) {
    return required(name, bits(name));
  }

  Layout.Family layout() {
    String word = textOr("layout", PlanFields.word(DEFAULT_LAYOUT));
    return switch (word) {
      case "classic" -> Layout.Family.CLASSIC;
      case "blocked" -> Layout.Family.BLOCKED;
      default ->
          throw new BadInput(
              "layout", Prose.quote(word) + " is not a layout: use classic or blocked");
    };
  }

  /** Returns the value of a field, parsed. If the parser fails, the exception names the field. */
  <T> @Nullable T parsed(String name, Function<String, T> parser) {
    String text = text(name);
    if (text == null) {
      return null;
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new BadInput(name, String.valueOf(e.getMessage()));
    } catch (ArithmeticException e) {
      throw new BadInput(name, Prose.quote(text) + " is too large");
    }
  }

  static <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw new BadInput(name, "is required for this plan");
    }
    return value;
  }

  /** Throws if a count is too high for the page. */
  void atMost(String name, long most, String why) {
    Long value = count(name);
    if (value != null) {
      atMost(name, most, value, why);
    }
  }

  /** Throws if a value is too high for the page. */
  static long atMost(String name, long most, long value, String why) {
    if (value > most) {
      throw new BadInput(
          name, Prose.count(value) + " is more than " + Prose.count(most) + ": " + why);
    }
    return value;
  }
}
