package dev.bellows.web;

import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.Foldable;
import dev.bellows.HashScheme;
import dev.bellows.Membership;
import dev.bellows.Pattern;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPart;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.base.Prose;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.window.WindowFilter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A filter file that is open in the page: its description, its answers and its foldings. Readers
 * and filters are those of the library; this class only calls them.
 */
final class OpenedFile {
  private static final int KEY_BYTES = 16;

  private final Filter filter;

  /** What answers: the filter, or the columns of the first part of a frozen one. */
  private final Filter asked;

  private final boolean isLocked;

  private OpenedFile(Filter filter, boolean isLocked) {
    this.filter = filter;
    this.asked = filter instanceof FrozenPart part && part.isFirst() ? part.filter() : filter;
    this.isLocked = isLocked;
  }

  /**
   * Reads a file.
   *
   * @param key the secret key in hexadecimal digits; empty for none
   */
  static OpenedFile read(byte[] bytes, String key) throws FilterFormatException {
    if (key.isEmpty()) {
      Filter filter = Filters.fromBytes(bytes);
      return new OpenedFile(filter, filter.hashScheme().isKeyed());
    }
    HashScheme scheme = HashScheme.sipHash(fromHex(key));
    return new OpenedFile(
        Filters.fromBytes(bytes, ReadOptions.DEFAULT.withHashScheme(scheme)), false);
  }

  private static byte[] fromHex(String text) {
    byte[] bytes = bytes(text);
    if (bytes.length != KEY_BYTES) {
      throw new IllegalArgumentException(
          "a secret key has %d bytes, or %d hexadecimal digits: this has %d digits"
              .formatted(KEY_BYTES, 2 * KEY_BYTES, 2 * bytes.length));
    }
    return bytes;
  }

  /** The bytes that hexadecimal digits write. */
  private static byte[] bytes(String text) {
    String digits = text.strip().toLowerCase(Locale.ROOT);
    if (digits.length() % 2 != 0 || !digits.matches("[0-9a-f]*")) {
      throw new IllegalArgumentException(
          Prose.quote(text) + " is not a number of bytes in hexadecimal digits, e.g. 00ff");
    }
    byte[] bytes = new byte[digits.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(digits.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  /** The fields of {@code bellows info}, and what the page can do with the filter. */
  Map<String, @Nullable Object> info() {
    FilterStats stats = filter.stats();
    Map<String, @Nullable Object> info = new LinkedHashMap<>();
    info.put("kind", stats.kind().word());
    info.put(
        "layout", stats.family() == null ? null : stats.family().name().toLowerCase(Locale.ROOT));
    Pattern pattern = stats.pattern();
    info.put("pattern", pattern == null ? null : pattern.toString());
    info.put("bits", stats.bits());
    info.put("hashes", (long) stats.hashes());
    info.put("scheme", stats.hashScheme().toString());
    info.put("keyType", stats.hashScheme().keyType().word());
    info.put("ones", stats.ones());
    info.put("fill", stats.fill());
    info.put("approximateKeys", stats.isFull() ? null : stats.approximateKeys());
    info.put("expectedFpp", stats.expectedFpp());
    info.put("fpp", stats.targetFpp());
    FilterStats.Parts parts = stats.parts();
    info.put("parts", parts == null ? null : parts.count() + " " + parts.word());
    info.put("bytes", filter.sizeInBytes());
    if (filter instanceof FrozenFilter frozen) {
      info.put("columns", frozen.columns());
    }
    if (filter instanceof WindowFilter window) {
      info.put("window", window.window().toMillis());
      info.put("now", window.now().map(Instant::toEpochMilli).orElse(null));
      info.put("generations", generations(window));
    }
    info.put("ladder", ladder());
    info.put(
        "certain",
        asked instanceof Membership || isPartition() || filter instanceof RangeBloomFilter);
    info.put("asks", asks());
    info.put("folds", folds());
    info.put("locked", isLocked);
    return info;
  }

  /** From, to (milliseconds since 1970), keys and rate of each generation, the oldest first. */
  private static List<Object> generations(WindowFilter window) {
    List<Object> generations = new ArrayList<>();
    for (WindowFilter.Generation one : window.generations()) {
      generations.add(
          List.of(
              one.from().toEpochMilli(), one.to().toEpochMilli(), one.keys(), one.expectedFpp()));
    }
    return generations;
  }

  /** Every size it folds to, ascending, with the rate to expect. */
  private List<Object> ladder() {
    List<Object> ladder = new ArrayList<>();
    if (filter instanceof Foldable<?> foldable) {
      foldable.ladder().forEach(size -> ladder.add(List.of(size.bits(), size.expectedFpp())));
    }
    return ladder;
  }

  private boolean isPartition() {
    return filter instanceof DynamicPartitionBloomFilter || filter instanceof PartitionView;
  }

  /** Returns what can be queried: keys, ids, attributes with values, or nothing. */
  private String asks() {
    if (filter instanceof RangeBloomFilter) {
      return "attributes";
    }
    if (isPartition()) {
      HashScheme.KeyType type = filter.hashScheme().keyType();
      boolean isIds = type == HashScheme.KeyType.IDS || type == HashScheme.KeyType.UNKNOWN;
      return isIds ? "ids" : "keys";
    }
    return asked instanceof Membership || asked instanceof GradedMembership ? "keys" : "none";
  }

  /** Returns how the filter folds: to a size, to a rate, or not at all. */
  private String folds() {
    if (filter instanceof Foldable<?>) {
      return "size";
    }
    return filter instanceof FingerprintFilter || filter instanceof FrozenFilter ? "rate" : "none";
  }

  /**
   * Whether each key, id or {@code NAME=VALUE} may be in the filter.
   *
   * @param form what keys are: {@code text}, {@code longs}, or {@code bytes} in hexadecimal digits
   */
  List<Boolean> ask(List<String> questions, String form) {
    if (isLocked) {
      throw new IllegalArgumentException("the keys were hashed with a secret key: enter it first");
    }
    List<Boolean> answers = new ArrayList<>();
    for (String question : questions) {
      answers.add(ask(wellFormed(question), form));
    }
    return answers;
  }

  /** The text with {@code ?} for each half of a surrogate pair, as Java encodes it in UTF-8. */
  private static String wellFormed(String text) {
    StringBuilder formed = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char one = text.charAt(i);
      boolean isPair =
          Character.isHighSurrogate(one)
              && i + 1 < text.length()
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (isPair) {
        formed.append(one).append(text.charAt(++i));
      } else {
        formed.append(Character.isSurrogate(one) ? '?' : one);
      }
    }
    return formed.toString();
  }

  private boolean ask(String question, String form) {
    if (asks().equals("ids")) {
      return filter instanceof PartitionView view
          ? view.mightContainId(number(question))
          : ((DynamicPartitionBloomFilter) filter).mightContainId(number(question));
    }
    if (filter instanceof RangeBloomFilter range) {
      return ask(range, question);
    }
    HashScheme scheme = filter.hashScheme();
    long hash =
        switch (form) {
          case "longs" -> scheme.hash(number(question));
          case "bytes" -> scheme.hash(bytes(question));
          default -> scheme.hash(question);
        };
    if (filter instanceof DynamicPartitionBloomFilter partition) {
      return partition.mightContainHash(hash);
    }
    if (filter instanceof PartitionView view) {
      return view.mightContainHash(hash);
    }
    if (asked instanceof Membership membership) {
      return membership.mightContainHash(hash);
    }
    if (asked instanceof GradedMembership graded) {
      return graded.acceptsHash(hash);
    }
    throw new IllegalArgumentException(
        "a filter of kind " + filter.stats().kind().word() + " cannot be queried");
  }

  private static boolean ask(RangeBloomFilter range, String question) {
    int equals = question.indexOf('=');
    if (equals < 1) {
      throw new IllegalArgumentException(
          Prose.quote(question) + " is not NAME=VALUE, e.g. age=41 or town=Ghent");
    }
    String name = question.substring(0, equals);
    String value = question.substring(equals + 1);
    boolean isNumeric =
        range.schema().attributes().stream().anyMatch(attribute -> attribute.name().equals(name));
    return isNumeric
        ? range.mightContain(name, new BigDecimal(value.strip()))
        : range.mightContain(name, value);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(Prose.quote(text) + " is not a whole number of 64 bits");
    }
  }

  /** The filter folded to a size on its ladder, as a file. */
  byte[] foldedTo(long bits) {
    if (filter instanceof Foldable<?> foldable) {
      return bytes(foldable.foldTo(bits));
    }
    throw new IllegalArgumentException(notFolded());
  }

  /** The filter folded to a rate, as a file. */
  byte[] foldedToFpp(double fpp) {
    if (filter instanceof Foldable<?> foldable) {
      return bytes(foldable.foldToFpp(fpp));
    }
    if (filter instanceof FingerprintFilter fingerprint) {
      return fingerprint.foldToFpp(fpp).toBytes();
    }
    if (filter instanceof FrozenFilter frozen) {
      return frozen.foldToFpp(fpp).toBytes();
    }
    throw new IllegalArgumentException(notFolded());
  }

  private static byte[] bytes(Foldable<?> filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  private String notFolded() {
    return "a filter of kind " + filter.stats().kind().word() + " does not fold";
  }
}
