package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import dev.bellows.scalable.ScalablePlan;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The content of a filter's hash: its configuration and its live parts. Every change is an atomic
 * compare-and-set from one version to the next, and no version is ever reused.
 *
 * @param name the name of the filter
 * @param id a random number, drawn when the filter was created
 * @param serial a random number, drawn again at every change
 * @param shape how keys are mapped to bits; its size is that of the first level
 * @param plan the plan of a filter that grows, otherwise null
 * @param live the levels that are queried, oldest first
 * @param change the change that is in progress
 * @param next the parts that are being prepared: the folded levels, or one new level
 * @param garbage the parts whose stripes are to be deleted
 * @param nextNumber the number of the next part
 * @param expires the time of expiry in milliseconds; 0 for never
 */
record SharedState(
    String name,
    String id,
    long serial,
    Shape shape,
    @Nullable ScalablePlan plan,
    List<Part> live,
    Change change,
    List<Part> next,
    List<Part> garbage,
    long nextNumber,
    long expires) {
  /** The fields of the hash that are read together. */
  static final List<String> FIELDS = List.of("version", "name", "header", "parts", "expires");

  private static final int SCALABLE_PARAMETERS = 3;

  /** The id of {@link Creation} and a serial, as {@link #version} writes them. */
  private static final Pattern VERSION =
      Pattern.compile("(?<id>[0-9a-f]{16})\\.(?<serial>0|[1-9][0-9]{0,18})");

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final long MOST_STEPS = 1L << 40;

  /** What {@link #next} is. */
  enum Change {
    /** Nothing. */
    NONE("-"),
    /** The stripes of the folded levels are being created; puts do not update them yet. */
    PREPARE("p"),
    /** Puts update the folded levels too, while earlier bits are being copied. */
    FOLD("f"),
    /** The stripes of a new level are being created. */
    GROW("g");

    private final String word;

    Change(String word) {
      this.word = word;
    }

    static Change of(String word) {
      return Stream.of(values())
          .filter(change -> change.word.equals(word))
          .findFirst()
          .orElseThrow(() -> new IllegalArgumentException("unknown change"));
    }
  }

  SharedState {
    live = List.copyOf(live);
    next = List.copyOf(next);
    garbage = List.copyOf(garbage);
  }

  String version() {
    return id + "." + serial;
  }

  /**
   * Returns the serial of the next change, a random number of steps ahead. After a failover, two
   * servers may continue from the same state, and a client that moves from one to the other must
   * not find its version there. The serial wraps around to 0.
   */
  long nextSerial() {
    return (serial + 1 + RANDOM.nextLong(MOST_STEPS)) & Long.MAX_VALUE;
  }

  boolean isGrowing() {
    return plan != null;
  }

  boolean isFolding() {
    return change == Change.PREPARE || change == Change.FOLD;
  }

  Layout layout() {
    return shape.layout();
  }

  Part newest() {
    return live.get(live.size() - 1);
  }

  /** Returns the number of bits of all levels. */
  long bits() {
    return live.stream().mapToLong(Part::bits).sum();
  }

  /** Returns the total length of the strings of all levels. */
  long serverBytes() {
    return live.stream().mapToLong(Part::bytes).sum();
  }

  /**
   * Returns the length of the file of a download; for a growing filter, the bytes of its levels
   * alone.
   */
  long fileBytes() {
    return isGrowing() ? serverBytes() : header().fileBytes();
  }

  /** Returns the parts that a put into the newest level updates: that level, and its folding. */
  List<Part> targets() {
    if (change != Change.FOLD) {
      return List.of(newest());
    }
    return List.of(newest(), next.get(next.size() - 1));
  }

  /**
   * Returns the name of the field that counts the keys of a level. A union may add a second level
   * of the same index; levels of the same index never change their order.
   */
  static String keysField(List<Part> levels, int level) {
    int index = levels.get(level).index();
    long before = levels.subList(0, level).stream().filter(one -> one.index() == index).count();
    return "keys:" + index + (before == 0 ? "" : "." + before);
  }

  /** Returns the live levels and the one that is being created, in the order of their indexes. */
  List<Part> grown() {
    List<Part> levels = new ArrayList<>(live);
    Part added = next.get(0);
    int at = 0;
    while (at < levels.size() && levels.get(at).index() <= added.index()) {
      at++;
    }
    levels.add(at, added);
    return levels;
  }

  /** Returns the next version, with other parts. */
  SharedState with(List<Part> newLive, Change newChange, List<Part> newNext, List<Part> dead) {
    List<Part> allGarbage = new ArrayList<>(garbage);
    allGarbage.addAll(dead);
    long number =
        Stream.concat(newLive.stream(), newNext.stream())
            .mapToLong(Part::number)
            .reduce(nextNumber - 1, Math::max);
    Shape newShape =
        plan == null && !newLive.isEmpty() ? shape.withBits(newLive.get(0).bits()) : shape;
    return new SharedState(
        name,
        id,
        nextSerial(),
        newShape,
        plan,
        newLive,
        newChange,
        newNext,
        allGarbage,
        number + 1,
        expires);
  }

  /** Returns the same version without garbage. */
  SharedState swept() {
    return new SharedState(
        name, id, serial, shape, plan, live, change, next, List.of(), nextNumber, expires);
  }

  /** Returns the fields and values of the hash. */
  List<byte[]> fields() {
    return List.of(
        Wire.bytes("version"),
        Wire.bytes(version()),
        Wire.bytes("name"),
        Wire.bytes(name),
        Wire.bytes("header"),
        header().toBytes(),
        Wire.bytes("parts"),
        Wire.bytes(partsText()));
  }

  /** Returns the header of the filter's file; the sections of a growing filter are empty. */
  FilterHeader header() {
    if (plan == null) {
      return ShapeCodec.header(
          FilterKind.BLOOM, shape, List.of(), List.of(8 * BitStore.words(shape.bits())));
    }
    return ShapeCodec.header(
        FilterKind.SCALABLE,
        shape.withBits(plan.initialBits()),
        List.of(plan.initialKeys(), Double.doubleToRawLongBits(plan.fpp()), plan.horizonKeys()),
        List.of(0L, 0L));
  }

  private String partsText() {
    return nextNumber
        + " "
        + change.word
        + " "
        + text(live)
        + " "
        + text(next)
        + " "
        + text(garbage);
  }

  private static String text(List<Part> parts) {
    if (parts.isEmpty()) {
      return "-";
    }
    StringBuilder text = new StringBuilder();
    for (Part part : parts) {
      text.append(text.isEmpty() ? "" : ";")
          .append(part.index())
          .append(',')
          .append(part.number())
          .append(',')
          .append(part.bits())
          .append(',')
          .append(part.stripeBytes())
          .append(',')
          .append(part.capacity());
    }
    return text.toString();
  }

  /** Reads the fields of a hash, which any client may have written. */
  static SharedState read(
      String name, List<? extends @Nullable Object> values, @Nullable HashScheme scheme) {
    try {
      return parsed(name, values, scheme);
    } catch (FilterFormatException | IllegalArgumentException e) {
      throw SharedFilterException.refused(
          "key %s is not the state of a filter, or it is damaged: %s"
              .formatted(Keys.state(name), e.getMessage()));
    }
  }

  private static SharedState parsed(
      String name, List<? extends @Nullable Object> values, @Nullable HashScheme scheme)
      throws FilterFormatException {
    // scripts compare the bytes: a version in any other spelling would never match
    Matcher version = VERSION.matcher(new String(value(values, 0), ISO_8859_1));
    if (!version.matches()) {
      throw new IllegalArgumentException("the version is not readable");
    }
    String own = text(values, 1);
    if (!own.equals(name)) {
      throw new IllegalArgumentException(
          "it is the state of filter '%s', whose stripes have that name: rename it back"
              .formatted(own));
    }
    ReadOptions options =
        scheme == null ? ReadOptions.UNLIMITED : ReadOptions.UNLIMITED.withHashScheme(scheme);
    FilterReader reader = FilterReader.ofHeader(value(values, 2), options);
    boolean isBloom = reader.header().kind() == FilterKind.BLOOM;
    Shape shape =
        isBloom
            ? reader.shape(0, 1)
            : reader.expect(FilterKind.SCALABLE, false).shape(SCALABLE_PARAMETERS, 2);
    ScalablePlan plan = isBloom ? null : plan(reader, shape);
    String[] parts = text(values, 3).split(" ", -1);
    if (parts.length != 5) {
      throw new IllegalArgumentException("the list of parts is not readable");
    }
    Object expires = values.get(4);
    SharedState state =
        new SharedState(
            name,
            version.group("id"),
            number(version.group("serial")),
            shape,
            plan,
            parts(parts[2], shape.layout()),
            Change.of(parts[1]),
            parts(parts[3], shape.layout()),
            parts(parts[4], shape.layout()),
            number(parts[0]),
            expires instanceof byte[] time && time.length > 0 ? number(text(time)) : 0);
    state.requireConsistent();
    return state;
  }

  private static ScalablePlan plan(FilterReader reader, Shape shape) throws FilterFormatException {
    int at = ShapeCodec.PARAMETERS;
    long initialKeys = reader.parameter(at, "initial keys", 1, Long.MAX_VALUE);
    double fpp = reader.real(at + 1);
    long horizon = reader.parameter(at + 2, "horizon", 1, Long.MAX_VALUE);
    Layout layout = shape.layout();
    if (!layout.equals(layout.family().withHashes(layout.hashes()))) {
      throw new IllegalArgumentException("growing filters do not have this pattern");
    }
    return new ScalablePlan(layout, initialKeys, fpp, horizon, shape.bits());
  }

  private void requireConsistent() {
    Set<Long> numbers = new HashSet<>();
    for (Part part : Stream.of(live, next, garbage).flatMap(List::stream).toList()) {
      if (!numbers.add(part.number()) || part.number() >= nextNumber) {
        throw new IllegalArgumentException("the numbers of the parts are wrong");
      }
    }
    boolean right =
        switch (change) {
          case NONE -> next.isEmpty() && !live.isEmpty();
          case GROW -> next.size() == 1;
          case PREPARE, FOLD -> next.size() == live.size() && !live.isEmpty();
        };
    if (!right) {
      throw new IllegalArgumentException("the parts contradict each other");
    }
    for (int i = 0; isFolding() && i < live.size(); i++) {
      if (live.get(i).bits() % next.get(i).bits() != 0
          || live.get(i).index() != next.get(i).index()) {
        throw new IllegalArgumentException("a level is not a folding of another one");
      }
    }
    for (int i = 1; i < live.size(); i++) {
      if (live.get(i).index() < live.get(i - 1).index()) {
        throw new IllegalArgumentException("the levels are not in order");
      }
    }
    if (plan == null && live.size() + (change == Change.GROW ? 1 : 0) > 1) {
      throw new IllegalArgumentException("a filter that does not grow has several levels");
    }
    if (plan == null && !live.isEmpty() && live.get(0).bits() != shape.bits()) {
      throw new IllegalArgumentException(
          "the header has %d bits, but the parts have %d"
              .formatted(shape.bits(), live.get(0).bits()));
    }
  }

  private static List<Part> parts(String text, Layout layout) {
    List<Part> parts = new ArrayList<>();
    if (text.equals("-")) {
      return parts;
    }
    for (String one : text.split(";", -1)) {
      String[] numbers = one.split(",", -1);
      if (numbers.length != 5) {
        throw new IllegalArgumentException("a part is not readable");
      }
      parts.add(
          new Part(
                  (int) Checks.inRange(0, Integer.MAX_VALUE, number(numbers[0]), "level"),
                  number(numbers[1]),
                  number(numbers[2]),
                  (int) Checks.inRange(0, Integer.MAX_VALUE, number(numbers[3]), "stripe"),
                  number(numbers[4]))
              .checked(layout));
    }
    return parts;
  }

  private static long number(String digits) {
    long value = Long.parseLong(digits);
    return Checks.notNegative(value, "a number of the state");
  }

  private static String text(List<? extends @Nullable Object> values, int index) {
    return text(value(values, index));
  }

  private static String text(byte[] value) {
    return new String(value, UTF_8);
  }

  private static byte[] value(List<? extends @Nullable Object> values, int index) {
    if (values.get(index) instanceof byte[] value) {
      return value;
    }
    throw new IllegalArgumentException("the field '" + FIELDS.get(index) + "' is missing");
  }
}
