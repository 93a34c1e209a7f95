package dev.bellows.cli.kinds;

import dev.bellows.FilterStats;
import dev.bellows.cli.console.Console;
import dev.bellows.cli.console.Messages;
import dev.bellows.cli.keys.KeyInput;
import dev.bellows.cli.keys.KeyOptions;
import dev.bellows.cli.keys.Lines;
import dev.bellows.cli.kinds.DurableFolders.Pending;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.RateRule;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Kind range: lines are about attributes, {@code NAME=VALUE}, {@code NAME=LOW..HIGH} or {@code
 * NAME=text}. Space around names and values does not count.
 */
public final class RangeAdapter extends KindAdapter<RangeBloomFilter> {
  /** The attributes that are numbers, by their names. */
  private final Map<String, Attribute> numeric;

  /** How often each question was asked that has a rate of its own. */
  private final Map<Question, Long> asked = new HashMap<>();

  /**
   * What the rate of a question depends on.
   *
   * @param attribute a numeric attribute, or "" for the texts, which all have the same rate
   * @param numbers how many numbers of the domain it is about; 0 if it never passes
   * @param some whether it is for any of them, not for every one
   */
  private record Question(String attribute, long numbers, boolean some) {
    static final Question IMPOSSIBLE = new Question("", 0, false);
    static final Question TEXT = new Question("", 1, false);
  }

  RangeAdapter(RangeBloomFilter filter) {
    super(filter, "for values far from those in it; near them more, see plan range", false);
    this.numeric =
        filter.schema().attributes().stream()
            .collect(Collectors.toMap(Attribute::name, attribute -> attribute));
  }

  public static Built build(BuildRequest request, RangeOptions own) throws IOException {
    Size size = request.size();
    String settled = "--domain and --bits, or --schema, determine the filter";
    request.refuse(size.fpp() != null, "--fpp", settled);
    request.refuse(size.keys() != null, "--keys", settled);
    request.refuse(size.capacity() != null, "--capacity", settled);
    request.refuse(size.pattern() != null, "--pattern", settled);
    request.refuse(size.layout() != null, "--layout", settled);
    RangeBloomFilter filter =
        RangeBloomFilter.create(own.schema(size.bits(), size.hashes()), request.scheme());
    long lines = new RangeAdapter(filter).put(request.keys(), null).lines();
    return new Built(filter, lines, null, Built.Known.FROM_FILL, null, false);
  }

  @Override
  public boolean holdsKeys() {
    return false;
  }

  @Override
  public Changes put(KeyInput input, @Nullable Pending pending) throws IOException {
    long[] changed = {0};
    long lines = input.forEachText(text -> changed[0] += putLine(text, input.console()) ? 1 : 0);
    return new Changes(lines, changed[0], lines - changed[0]);
  }

  @Override
  public Lines.Query question(KeyOptions options, boolean some) {
    options.requireTexts();
    return Lines.Query.each(
        (buffer, from, length) ->
            askLine(new String(buffer, from, length, StandardCharsets.UTF_8), some));
  }

  @Override
  public String advice(
      List<KindAdapter<?>> inputs, List<String> names, MergeRule rule, double maxFpp) {
    return "build the inputs with more --bits";
  }

  /** One attribute may be useless while the mean rate is low. */
  @Override
  public @Nullable String complaint() {
    List<String> useless =
        filter.schema().attributes().stream()
            .map(RangeSchema.Attribute::name)
            .filter(name -> filter.valueFpp(name) > RateRule.HIGHEST)
            .toList();
    return useless.isEmpty()
        ? null
        : "more than half of all values of %s pass: use more --bits or another scheme (plan range)"
            .formatted(Messages.list(useless, "and"));
  }

  @Override
  public String roomAdvice(FilterStats stats) {
    return "%d bits are too few for what was put: use more --bits".formatted(stats.bits());
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    RangeSchema schema = filter.schema();
    fields.put("schema", "%016x".formatted(schema.schemaHash()));
    fields.put("exactBits", schema.exactBits());
    fields.put("attributes", schema.attributes().stream().map(this::fields).toList());
    fields.put("texts", schema.texts());
    fields.put("open", schema.isOpen());
  }

  private Map<String, Object> fields(RangeSchema.Attribute attribute) {
    Map<String, Object> fields = new LinkedHashMap<>(attribute.fields());
    fields.put("expectedFpp", filter.valueFpp(attribute.name()));
    return fields;
  }

  /** Puts the value of the line, unless it is blank; true iff a bit changed. */
  private boolean putLine(String line, Console console) {
    if (line.isBlank()) {
      return false;
    }
    String name = name(line);
    String value = value(line);
    if (numeric.containsKey(name)) {
      RangeText.Interval interval = RangeText.interval(value);
      return filter.putRange(name, interval.low(), interval.high());
    }
    if (RangeText.isNumbers(value) && filter.schema().isOpen()) {
      console.note("note: '%s' has no domain, so %s is stored as text", name, Prose.quote(value));
    }
    return filter.put(name, value);
  }

  /** Returns whether the text, the number, or every (or some) number of the range may be in it. */
  private boolean askLine(String line, boolean some) {
    String name = name(line);
    String value = value(line);
    Attribute attribute = numeric.get(name);
    if (attribute == null) {
      if (some) {
        throw new IllegalArgumentException(
            "there is no numeric attribute '%s' for --intersect: the filter has %s"
                .formatted(Prose.escape(name), numeric.keySet().stream().sorted().toList()));
      }
      boolean found = filter.mightContain(name, value);
      asked.merge(Question.TEXT, 1L, Long::sum);
      return found;
    }
    RangeText.Interval interval = RangeText.interval(value);
    boolean found =
        some
            ? filter.mightIntersect(name, interval.low(), interval.high())
            : filter.mightContainRange(name, interval.low(), interval.high());
    asked.merge(question(attribute, interval, some), 1L, Long::sum);
    return found;
  }

  /** A search is for the numbers of its range that are in the domain; others never pass. */
  private static Question question(Attribute attribute, RangeText.Interval interval, boolean some) {
    Domain domain = attribute.domain();
    BigDecimal low = interval.low().movePointRight(domain.scale());
    BigDecimal high = interval.high().movePointRight(domain.scale());
    if (!domain.open()) {
      BigDecimal from = low.max(BigDecimal.valueOf(domain.low()));
      BigDecimal to = high.min(BigDecimal.valueOf(domain.high()));
      boolean isInside = from.compareTo(low) == 0 && to.compareTo(high) == 0;
      if (from.compareTo(to) > 0 || !some && !isInside) {
        return Question.IMPOSSIBLE;
      }
      low = from;
      high = to;
    }
    BigDecimal numbers = high.subtract(low).add(BigDecimal.ONE);
    return new Question(
        attribute.name(), numbers.min(BigDecimal.valueOf(domain.size())).longValueExact(), some);
  }

  private double rate(Question question) {
    if (question.numbers == 0) {
      return 0;
    }
    if (question.attribute.isEmpty()) {
      return Math.pow(filter.fill(), filter.schema().hashes());
    }
    return question.some
        ? filter.intersectionFpp(question.attribute, question.numbers)
        : filter.rangeFpp(question.attribute, question.numbers);
  }

  /** Returns the mean rate of the questions, each of which has its own. */
  @Override
  public double askedFpp() {
    long count = asked.values().stream().mapToLong(Long::longValue).sum();
    double sum = asked.entrySet().stream().mapToDouble(e -> e.getValue() * rate(e.getKey())).sum();
    return count == 0 ? filter.expectedFpp() : sum / count;
  }

  private static String name(String line) {
    int equals = line.indexOf('=');
    if (equals < 0) {
      throw new IllegalArgumentException(
          Prose.quote(line) + " has no '=': write NAME=VALUE, NAME=LOW..HIGH or NAME=text");
    }
    return line.substring(0, equals).strip();
  }

  private static String value(String line) {
    return line.substring(line.indexOf('=') + 1).strip();
  }
}
