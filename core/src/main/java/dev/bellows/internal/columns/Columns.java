package dev.bellows.internal.columns;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.ContentHash;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.bits.MappedBits;
import dev.bellows.internal.bits.MappedFile;
import dev.bellows.internal.bits.WordSink;
import dev.bellows.internal.bits.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.DoubleUnaryOperator;

/**
 * The solved columns of all layers: words of 64 rows each, group after group. The {@link Rung}
 * determines how many columns a group has. Immutable.
 */
public final class Columns {
  /** The number of hashes in a batch, whose cache misses overlap. */
  private static final int BATCH = 32;

  /** The number of words that are copied at a time. */
  private static final int CHUNK_WORDS = 1 << 12;

  /** The place of a hash that every layer bumps. */
  private static final long NOWHERE = -1;

  private final Layer[] layers;
  private final BitStore words;
  private final long groups;
  private final Rung rung;
  private final int columns;
  private final long lead;

  /** The words, starting at an index, if they are on the heap; otherwise empty. */
  private final long[] array;

  private final int first;

  /** Creates columns whose words are in a store. An empty set has no layers. */
  public Columns(List<Layer> layers, BitStore words, Rung rung) {
    this.layers = layers.toArray(new Layer[0]);
    this.groups = groups(layers);
    this.words = words;
    this.rung = rung;
    this.columns = rung.columns();
    this.lead = Checks.inRange(0, Math.max(0, groups - 1), rung.lead(), "leading groups");
    this.array = words instanceof HeapBits heap ? heap.array() : new long[0];
    this.first = words instanceof HeapBits heap ? heap.first() : 0;
    long needed = bits(groups, Rung.NONE, rung);
    if (needed != words.bits()) {
      throw new IllegalArgumentException(
          "%d bits of columns, but %d are needed".formatted(words.bits(), needed));
    }
  }

  /**
   * Returns the number of bits of the columns of this many groups between two rungs; at least one
   * word, because a store cannot be empty.
   */
  public static long bits(long groups, Rung low, Rung high) {
    return Layer.GROUP * Math.max(1, high.wordsAbove(low, groups));
  }

  /** Returns the number of groups in all layers. */
  public static long groups(List<Layer> layers) {
    return layers.stream().mapToLong(Layer::groups).sum();
  }

  /**
   * Builds the columns of a set on the heap. The array is not changed.
   *
   * @param hashes the hashes, in any order, possibly with duplicates
   * @param mask a mask that is applied to each hash first
   * @param target chooses the rung once the layers and the number of keys are known
   * @param most a rung that is expected to suffice
   */
  public static Built build(long[] hashes, int length, long mask, Target target, Rung most) {
    List<long[]> segments = new ArrayList<>();
    Elimination.Solved solved;
    try {
      solved =
          new Elimination(
                  most,
                  (found, from, count) ->
                      segments.add(Arrays.copyOfRange(found, from, from + count)))
              .solve(hashes, length, mask);
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
    Rung chosen = target.choose(solved.layers(), solved.keys());
    if (chosen.compareTo(solved.rung()) > 0) {
      // this happens only if hashes are far from evenly distributed
      Rung all = new Rung(Math.min(Rung.MOST_COLUMNS, most.columns() + 1), 0);
      return build(hashes, length, mask, target, all);
    }
    HeapBits words = HeapBits.aligned(bits(groups(solved.layers()), Rung.NONE, chosen));
    Cutter cutter = new Cutter(solved.rung(), Rung.NONE, chosen);
    int at = words.first();
    for (int i = 0; i < segments.size(); i++) {
      long[] segment = segments.set(i, new long[0]);
      at += cutter.cut(segment, segment.length, words.array(), at);
    }
    return new Built(new Columns(solved.layers(), words, chosen), solved.keys());
  }

  /**
   * Builds the columns of a set that may be larger than the heap: solved segments are written to a
   * file, which is then mapped into memory. The columns have one more column than {@code most}
   * everywhere, and are meant to be folded when they are written.
   *
   * @param count the number of hashes
   * @param room a file that is overwritten and must exist as long as the columns are used
   */
  public static Columns build(Elimination.Ascending hashes, long count, Rung most, Path room)
      throws IOException {
    Rung all = new Rung(Math.min(Rung.MOST_COLUMNS, most.columns() + 1), 0);
    Elimination.Solved solved;
    try (FileChannel file = FileChannel.open(room, WRITE, CREATE, TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.allocateDirect(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
      solved =
          new Elimination(all, (found, from, length) -> write(found, from, length, bytes, file))
              .solve(hashes, count);
      if (file.size() == 0) {
        write(new long[1], 0, 1, bytes, file);
      }
    }
    long bits = bits(groups(solved.layers()), Rung.NONE, solved.rung());
    MappedBits words = MappedBits.map(MappedFile.open(room), 0, bits, ByteOrder.LITTLE_ENDIAN);
    return new Columns(solved.layers(), words, solved.rung());
  }

  private static void write(long[] words, int from, int length, ByteBuffer bytes, FileChannel file)
      throws IOException {
    for (int done = 0; done < length; ) {
      int count = Math.min(length - done, bytes.capacity() / Long.BYTES);
      bytes.clear().asLongBuffer().put(words, from + done, count);
      bytes.limit(count * Long.BYTES);
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
      done += count;
    }
  }

  /** Chooses the columns of a set. */
  @FunctionalInterface
  public interface Target {
    /** Returns the rung for layers that hold this many keys. */
    Rung choose(List<Layer> layers, long keys);
  }

  /** The columns of a set, and the number of its distinct hashes. */
  public record Built(Columns columns, long keys) {}

  /** Omits words, group by group: those below a lower rung and those above a higher one. */
  private static final class Cutter {
    private final Rung rung;
    private final Rung low;
    private final Rung high;
    private long group;

    Cutter(Rung rung, Rung low, Rung high) {
      this.rung = rung;
      this.low = low;
      this.high = high;
    }

    /** Copies the remaining words of whole groups and returns their number. */
    int cut(long[] from, int length, long[] into, int at) {
      int to = at;
      for (int i = 0; i < length; group++) {
        int first = low.columns(group);
        int count = high.columns(group) - first;
        System.arraycopy(from, i + first, into, to, count);
        to += count;
        i += rung.columns(group);
      }
      return to - at;
    }
  }

  /** Returns the layers. A key belongs to the first one that does not bump it. */
  public List<Layer> layers() {
    return List.of(layers);
  }

  /** Returns the words of all groups. */
  public BitStore words() {
    return words;
  }

  /** Returns the rung: the number of columns of each group. */
  public Rung rung() {
    return rung;
  }

  /** Returns the number of groups in all layers. */
  public long groups() {
    return groups;
  }

  /** Returns whether the key with this hash may be in the set. */
  public boolean test(long hash) {
    if (array.length == 0 || layers.length == 0) {
      return testMapped(hash);
    }
    Layer layer = layers[0];
    long value = layer.hash(hash);
    long start = layer.start(value);
    return layer.isBumped(start)
        ? testBumped(value)
        : matches(start >>> Layer.GROUP_SHIFT, (int) start, value);
  }

  private boolean testBumped(long hash) {
    long value = hash;
    for (int i = 1; i < layers.length; i++) {
      Layer layer = layers[i];
      value = layer.hash(value);
      long start = layer.start(value);
      if (!layer.isBumped(start)) {
        return matches(layer.group(start), (int) start, value);
      }
    }
    return false;
  }

  private boolean testMapped(long hash) {
    try {
      return answer(hash);
    } catch (InternalError e) {
      throw words.fault(e);
    }
  }

  private boolean answer(long hash) {
    long value = hash;
    for (Layer layer : layers) {
      value = layer.hash(value);
      long start = layer.start(value);
      if (!layer.isBumped(start)) {
        return matchesMapped(layer.group(start), (int) start, value);
      }
    }
    return false;
  }

  /** Returns the index of the first word of a group. */
  private long word(long group) {
    return group * columns + Math.min(group, lead);
  }

  private boolean matches(long group, int start, long value) {
    int offset = start & (Layer.GROUP - 1);
    long mixed = Layer.mixed(value);
    long coefficients = Layer.coefficients(mixed);
    long here = coefficients << offset;
    // in two steps, because for offset 0 nothing may be left for the next group, which may not
    // exist
    long there = coefficients >>> 1 >>> (63 - offset);
    long next = there == 0 ? group : group + 1;
    int count = next < lead ? columns + 1 : columns;
    int one = first + (int) word(group);
    int other = first + (int) word(next);
    long left = Layer.checks(mixed);
    int column = 0;
    // four at a time and, up to eleven columns, without a branch, because it is unpredictable
    // whether a key is present
    int wrong = 0;
    for (; column + 4 <= count; column += 4) {
      int parities = parity(array, one + column, other + column, here, there);
      parities = 2 * parities + parity(array, one + column + 1, other + column + 1, here, there);
      parities = 2 * parities + parity(array, one + column + 2, other + column + 2, here, there);
      parities = 2 * parities + parity(array, one + column + 3, other + column + 3, here, there);
      wrong |= parities ^ (int) (left >>> 60);
      left <<= 4;
      if (count >= 12 && wrong != 0) {
        return false;
      }
    }
    int parities = 0;
    for (int rest = column; rest < count; rest++) {
      parities = 2 * parities + parity(array, one + rest, other + rest, here, there);
    }
    return (wrong | (parities ^ (int) (left >>> 1 >>> (63 + column - count)))) == 0;
  }

  /** Like {@link #matches(long, int, long)}, from words that are certain. */
  private boolean matchesMapped(long group, int start, long value) {
    // the words of a group and of the next one follow each other
    long from = word(group);
    long last = group + 1 < groups ? word(group + 2) : word(group + 1);
    return last == from
        || matches(words.certain(from, (int) (last - from)), from, group, start, value);
  }

  /** Returns the parity of the rows of a column that a key selects. */
  private static int parity(long[] array, int one, int other, long here, long there) {
    return Long.bitCount((array[one] & here) ^ (array[other] & there)) & 1;
  }

  /** Like {@link #matches(long, int, long)}, from words that begin with the one at an index. */
  private boolean matches(Words from, long index, long group, int start, long value) {
    int offset = start & (Layer.GROUP - 1);
    long mixed = Layer.mixed(value);
    long coefficients = Layer.coefficients(mixed);
    long here = coefficients << offset;
    long there = coefficients >>> 1 >>> (63 - offset);
    long next = there == 0 ? group : group + 1;
    int count = next < lead ? columns + 1 : columns;
    long one = word(group) - index;
    long other = word(next) - index;
    long left = Layer.checks(mixed);
    for (int column = 0; column < count; column++) {
      long selected = (from.word(one + column) & here) ^ (from.word(other + column) & there);
      if (((Long.bitCount(selected) ^ left >>> 63) & 1) != 0) {
        return false;
      }
      left <<= 1;
    }
    return true;
  }

  /**
   * Tests hashes, writes the answers to the same indexes of {@code hits} and returns the number of
   * hashes that pass. In each batch all places are computed first, then their memory is touched,
   * then it is used.
   *
   * @param mask a mask that is applied to each hash first
   */
  public int count(long[] hashes, int from, int to, long mask, boolean[] hits) {
    long[] values = new long[BATCH];
    long[] places = new long[BATCH];
    int[] starts = new int[BATCH];
    int count = 0;
    try {
      for (int at = from; at < to; at += BATCH) {
        int length = Math.min(BATCH, to - at);
        find(hashes, at, length, mask, values, places, starts);
        count += count(length, values, places, starts, hits, at);
      }
      words.confirm();
      return count;
    } catch (InternalError e) {
      throw words.fault(e);
    }
  }

  private void find(
      long[] hashes, int at, int length, long mask, long[] values, long[] places, int[] starts) {
    for (int i = 0; i < length; i++) {
      long value = hashes[at + i] & mask;
      long place = NOWHERE;
      long start = 0;
      for (Layer layer : layers) {
        value = layer.hash(value);
        start = layer.start(value);
        if (!layer.isBumped(start)) {
          place = layer.group(start);
          break;
        }
      }
      values[i] = value;
      places[i] = place;
      starts[i] = (int) start;
    }
  }

  private int count(
      int length, long[] values, long[] places, int[] starts, boolean[] hits, int at) {
    boolean isHeap = array.length > 0;
    Words from = words.direct();
    if (columns > 0) {
      long last = words.wordCount() - 1;
      long any = 0;
      for (int i = 0; i < length; i++) {
        // a key reads the words of its group and of the next one
        long index = word(Math.max(0, places[i]));
        long end = Math.min(last, index + 2L * columns - 1);
        any |=
            isHeap
                ? array[first + (int) index] | array[first + (int) end]
                : from.word(index) | from.word(end);
      }
      seen = any;
    }
    int count = 0;
    for (int i = 0; i < length; i++) {
      boolean hit =
          places[i] != NOWHERE
              && (isHeap
                  ? matches(places[i], starts[i], values[i])
                  : matches(from, 0, places[i], starts[i], values[i]));
      hits[at + i] = hit;
      count += hit ? 1 : 0;
    }
    return count;
  }

  /**
   * The values read by a batch, which are kept because the compiler would eliminate unused reads.
   */
  @SuppressWarnings("UnusedVariable")
  private long seen;

  /**
   * Returns the same keys with fewer columns, as they would have been built.
   *
   * @param lower a rung with at most as many columns
   */
  public Columns fold(Rung lower) {
    return new Columns(layers(), between(Rung.NONE, lower), lower);
  }

  /** Returns the words between two rungs, group after group; a zero word if there are none. */
  public HeapBits between(Rung low, Rung high) {
    HeapBits between = HeapBits.aligned(bits(groups, low, high));
    int[] at = {between.first()};
    try {
      between(
          low,
          high,
          (chunk, from, length) -> {
            System.arraycopy(chunk, from, between.array(), at[0], length);
            at[0] += length;
          });
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
    return between;
  }

  /** Passes the words of {@link #between(Rung, Rung)} to a sink. */
  public void between(Rung low, Rung high, WordSink sink) throws IOException {
    if (low.compareTo(high) > 0 || high.compareTo(rung) > 0) {
      throw new IllegalArgumentException(
          "the columns from %s to %s are not all below %s".formatted(low, high, rung));
    }
    if (high.wordsAbove(low, groups) == 0) {
      sink.accept(new long[1], 0, 1);
      return;
    }
    Cutter cutter = new Cutter(rung, low, high);
    int step = Math.max(1, CHUNK_WORDS / (columns + 1));
    long[] chunk = new long[step * (columns + 1)];
    long[] out = new long[step * (columns + 1)];
    for (long group = 0; group < groups; group += step) {
      long first = word(group);
      int length = (int) (word(Math.min(groups, group + step)) - first);
      words.copy(first, chunk, length);
      sink.accept(out, 0, cutter.cut(chunk, length, out, 0));
    }
  }

  /**
   * Returns these columns, extended to a higher rung.
   *
   * @param more the words {@link #between} the two rungs
   */
  public Columns with(Rung higher, BitStore more) {
    HeapBits all = HeapBits.aligned(bits(groups, Rung.NONE, higher));
    int at = all.first();
    long from = 0;
    for (long group = 0; group < groups; group++) {
      int here = rung.columns(group);
      int added = higher.columns(group) - here;
      words.copyTo(word(group), all.array(), at, here);
      more.copyTo(from, all.array(), at + here, added);
      at += here + added;
      from += added;
    }
    return new Columns(layers(), all, higher);
  }

  /** Returns the probability that an absent key passes. */
  public double fpp() {
    return fpp(layers(), rung);
  }

  /** Returns the probability that an absent key passes at a rung. */
  public static double fpp(List<Layer> layers, Rung rung) {
    double passing = 0;
    double reaching = 1;
    for (Layer layer : layers) {
      double all = layer.starts();
      long kept = layer.kept(layer.starts());
      // the starts whose last row is in a leading group
      long leading = (rung.lead() - layer.firstGroup() - 1) * Layer.GROUP + 1;
      long more = layer.kept(Math.max(0, Math.min(leading, layer.starts())));
      passing += reaching / all * (kept - more / 2.0);
      reaching *= 1 - kept / all;
    }
    return Math.scalb(Math.min(1, passing), -rung.columns());
  }

  /**
   * Returns the lowest rung with a rate of at most fpp.
   *
   * @param rate maps the rate of the columns to the rate of the filter
   */
  public static Rung rung(List<Layer> layers, double fpp, DoubleUnaryOperator rate) {
    double all = fpp(layers, Rung.NONE);
    if (rate.applyAsDouble(all) <= fpp) {
      return Rung.NONE;
    }
    int columns = 0;
    while (columns < Rung.MOST_COLUMNS && rate.applyAsDouble(Math.scalb(all, -columns - 1)) > fpp) {
      columns++;
    }
    if (columns == Rung.MOST_COLUMNS) {
      throw new IllegalArgumentException(
          "a rate of %s needs more than %d columns: use %s or more"
              .formatted(fpp, columns, Prose.fpp(rate.applyAsDouble(Math.scalb(all, -columns)))));
    }
    long groups = groups(layers);
    long low = 0;
    long high = groups;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (rate.applyAsDouble(fpp(layers, new Rung(columns, middle))) <= fpp) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return high == groups ? new Rung(columns + 1, 0) : new Rung(columns, high);
  }

  /** Returns a hash of the whole content. */
  public long contentHash() {
    long sum = words.contentHash() + ContentHash.ofSize(groups);
    long index = words.wordCount();
    for (Layer layer : layers) {
      sum += ContentHash.of(index++, layer.seed()) + ContentHash.of(index++, layer.groups());
      for (byte pair : layer.thresholds()) {
        sum += ContentHash.of(index++, pair & 0xff);
      }
    }
    return sum;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Columns those
        && rung.equals(those.rung)
        && layers().equals(those.layers())
        && words.equals(those.words);
  }

  @Override
  public int hashCode() {
    return Objects.hash(rung, words);
  }
}
