package dev.bellows.internal.columns;

import dev.bellows.internal.bits.WordSink;
import dev.bellows.internal.math.RibbonSize;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Builds the columns of a set: eliminates the equations of the keys segment by segment, and solves
 * each segment from its last row to its first. Neither elimination nor bumping depends on the
 * number of columns. Apart from the bumped keys, this takes the memory of one segment.
 */
public final class Elimination {
  private static final int LAST_KEYS = RibbonSize.LAST_KEYS;

  private static final double MORE_ROWS = 0.01;
  private static final int SEEDS_PER_SIZE = 8;

  /** The maximum number of seeds that the last layer is tried with. */
  public static final int MOST_ATTEMPTS = 1000;

  /**
   * The maximum number of layers. Only hashes chosen by an attacker to agree are bumped this often.
   */
  public static final int MOST_LAYERS = 60;

  /** The maximum ratio of the keys of a segment to its expected number, in a stream. */
  private static final int MOST_UNEVEN = 8;

  /** Distinct hashes in ascending unsigned order. */
  @FunctionalInterface
  public interface Ascending {
    /** Copies up to {@code most} hashes into an array and returns how many; 0 at the end. */
    int read(long[] into, int at, int most) throws IOException;
  }

  private final Rung rung;
  private final WordSink sink;
  private final List<Layer> layers = new ArrayList<>();
  private long groups;

  /** The equations of one segment: the coefficients and the check bits of each row alternate. */
  private long[] rows = new long[0];

  private long[] words = new long[0];
  private int[] starts = new int[512];
  private int[] used = new int[512];
  private long[] bumped = new long[0];
  private int bumpedCount;

  /**
   * Creates an elimination.
   *
   * @param rung the columns to build; if one group of a segment has an additional column, all
   *     groups of the segment get it
   * @param sink receives the words of solved segments, in the order of their groups
   */
  public Elimination(Rung rung, WordSink sink) {
    this.rung = rung;
    this.sink = sink;
  }

  /**
   * Builds the columns of a set on the heap. The array is not changed.
   *
   * @param hashes the hashes, in any order, possibly with duplicates
   * @param mask a mask that is applied to each hash first
   */
  public Solved solve(long[] hashes, int length, long mask) throws IOException {
    HashSort sorted = HashSort.of(hashes, length, mask);
    if (sorted.count() > LAST_KEYS) {
      segments(layer(sorted.count()), sorted);
    } else {
      bumped = sorted.hashes();
      bumpedCount = sorted.count();
    }
    return solveBumped(sorted.count());
  }

  /**
   * Builds the columns of a set that may be larger than the heap.
   *
   * @param count the number of hashes
   */
  public Solved solve(Ascending hashes, long count) throws IOException {
    if (count <= LAST_KEYS) {
      bumped = new long[(int) count];
      for (int read = -1; bumpedCount < count && read != 0; bumpedCount += read) {
        read = hashes.read(bumped, bumpedCount, (int) count - bumpedCount);
      }
      require(bumpedCount == count && isAtEnd(hashes), count, bumpedCount);
    } else {
      stream(hashes, count);
    }
    return solveBumped(count);
  }

  /**
   * The result.
   *
   * @param layers the layers
   * @param rung the rung of the words that the sink received
   * @param keys the number of distinct keys
   */
  public record Solved(List<Layer> layers, Rung rung, long keys) {}

  private Solved solveBumped(long keys) throws IOException {
    while (bumpedCount > 0) {
      long[] before = bumped;
      int count = bumpedCount;
      bumped = new long[0];
      bumpedCount = 0;
      if (count <= LAST_KEYS) {
        last(before, count);
      } else {
        Layer layer = layer(count);
        segments(layer, rehashed(layer, before, count));
      }
    }
    return new Solved(layers, solvedRung(), keys);
  }

  private Rung solvedRung() {
    long lead = 0;
    for (Layer layer : layers) {
      for (int segment = 0; segment < layer.segments(); segment++) {
        long first = firstGroup(layer, segment);
        if (first < rung.lead()) {
          lead = first + layer.rows(segment) / Layer.GROUP;
        }
      }
    }
    return lead > 0 && lead == groups
        ? new Rung(rung.columns() + 1, 0)
        : new Rung(rung.columns(), lead);
  }

  private static long firstGroup(Layer layer, int segment) {
    return layer.group((long) segment * Layer.SEGMENT);
  }

  /** Returns the next layer: the first one, or one for the keys that the previous layer bumped. */
  private Layer layer(long count) {
    if (layers.size() == MOST_LAYERS - 1) {
      throw new IllegalArgumentException(
          ("%d hashes agree in so many bits that %d layers cannot hold them: if others "
                  + "choose the keys, hash them with a secret key")
              .formatted(count, MOST_LAYERS));
    }
    long rows = RibbonSize.bumpingRows(count);
    Layer layer =
        new Layer(
            Layer.seed(layers.size(), -1),
            groups,
            rows,
            new byte[Math.toIntExact(Layer.thresholdBytes(rows))]);
    layers.add(layer);
    groups += layer.groups();
    return layer;
  }

  private static HashSort rehashed(Layer layer, long[] keys, int count) {
    long[] here = new long[count];
    for (int i = 0; i < count; i++) {
      here[i] = layer.hash(keys[i]);
    }
    return HashSort.of(here, count, -1L);
  }

  private void segments(Layer layer, HashSort keys) throws IOException {
    for (int from = 0, segment = 0; segment < layer.segments(); segment++) {
      int to = end(layer, segment, keys.hashes(), from, keys.count());
      solve(layer, segment, keys.hashes(), from, to);
      from = to;
    }
  }

  /** Returns the index after the last key of a segment, by bisection. */
  private static int end(Layer layer, int segment, long[] keys, int from, int count) {
    int low = from;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (layer.start(keys[middle]) / Layer.SEGMENT <= segment) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private void stream(Ascending hashes, long count) throws IOException {
    Layer layer = layer(count);
    int most = (int) Math.min(count, (long) MOST_UNEVEN * Layer.SEGMENT);
    long[] keys = new long[(int) Math.min(count, 2L * Layer.SEGMENT)];
    long done = 0;
    int held = 0;
    for (int segment = 0; segment < layer.segments(); segment++) {
      int to = end(layer, segment, keys, 0, held);
      while (to == held && done + held < count) {
        if (held == keys.length) {
          if (held == most) {
            throw new IllegalArgumentException(
                ("at least %d of %d hashes are in one of %d equal parts: if others choose the "
                        + "keys, hash them with a secret key")
                    .formatted(most, count, layer.segments()));
          }
          keys = Arrays.copyOf(keys, Math.min(most, 2 * held));
        }
        int read = hashes.read(keys, held, (int) Math.min(keys.length - held, count - done - held));
        if (read == 0) {
          break;
        }
        held += read;
        to = end(layer, segment, keys, to, held);
      }
      solve(layer, segment, keys, 0, to);
      done += to;
      held -= to;
      System.arraycopy(keys, to, keys, 0, held);
    }
    require(done == count && isAtEnd(hashes), count, done);
  }

  private static boolean isAtEnd(Ascending hashes) throws IOException {
    return hashes.read(new long[1], 0, 1) == 0;
  }

  private static void require(boolean isSo, long count, long read) {
    if (!isSo) {
      throw new IllegalArgumentException(
          "%d hashes were announced, but there are at least %d, or they are not ascending"
              .formatted(count, read));
    }
  }

  private void clearRows(int count) {
    if (rows.length < 2 * count) {
      rows = new long[2 * count];
    } else {
      Arrays.fill(rows, 0, 2 * count, 0);
    }
  }

  /** Solves a segment for its keys, except those that do not fit, which are bumped. */
  private void solve(Layer layer, int segment, long[] keys, int from, int to) throws IOException {
    clearRows(layer.rows(segment));
    long base = (long) segment * Layer.SEGMENT;
    for (int i = from; i < to; ) {
      int start = (int) (layer.start(keys[i]) - base);
      int first = start / Layer.BLOCK * Layer.BLOCK;
      int count = 0;
      while (start < first + Layer.BLOCK) {
        if (count == starts.length) {
          starts = Arrays.copyOf(starts, 2 * count);
          used = Arrays.copyOf(used, 2 * count);
        }
        starts[count++] = start;
        if (i + count == to) {
          break;
        }
        start = (int) (layer.start(keys[i + count]) - base);
      }
      long block = (base + first) / Layer.BLOCK;
      if (layer.isBorder(block)) {
        layer.bump(block, Layer.BLOCK - 1);
        bump(keys, i, count);
      } else {
        bump(keys, i, block(layer, block, first, keys, i, count));
      }
      i += count;
    }
    solveRows(layer, segment);
  }

  /**
   * Inserts the keys of a block from the last to the first, so that those that do not fit have the
   * lowest starts. Returns how many of the first keys are bumped.
   */
  private int block(Layer layer, long block, int first, long[] keys, int from, int count) {
    int key = count - 1;
    for (; key >= 0; key--) {
      int row = insert(rows, starts[key], keys[from + key]);
      if (row < 0) {
        break;
      }
      used[key] = row;
    }
    if (key < 0) {
      return 0;
    }
    int limit = first + layer.bump(block, starts[key] - first);
    int kept = key + 1;
    for (; kept < count && starts[kept] < limit; kept++) {
      rows[2 * used[kept]] = 0;
      rows[2 * used[kept] + 1] = 0;
    }
    return kept;
  }

  private void bump(long[] keys, int from, int count) {
    if (bumpedCount + count > bumped.length) {
      bumped = Arrays.copyOf(bumped, bumped.length + bumped.length / 2 + count + 64);
    }
    System.arraycopy(keys, from, bumped, bumpedCount, count);
    bumpedCount += count;
  }

  /** Builds the last layer, into which all keys fit with one seed or another. */
  private void last(long[] keys, int count) throws IOException {
    for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
      int larger = attempt / SEEDS_PER_SIZE;
      double more = larger * MORE_ROWS;
      int each = RibbonSize.lastRows(count, RibbonSize.LAST_ROWS_PER_KEY + more);
      Layer layer = new Layer(Layer.seed(layers.size(), attempt), groups, each, new byte[0]);
      clearRows(each);
      if (insertAll(layer, rehashed(layer, keys, count))) {
        layers.add(layer);
        groups += layer.groups();
        solveRows(layer, 0);
        return;
      }
    }
    throw new IllegalStateException("the equations of %d keys have no solution".formatted(count));
  }

  private boolean insertAll(Layer layer, HashSort keys) {
    for (int i = 0; i < keys.count(); i++) {
      long key = keys.hashes()[i];
      if (insert(rows, (int) layer.start(key), key) < 0) {
        return false;
      }
    }
    return true;
  }

  /** Inserts the equation of a key and returns the row that it occupies, or -1 if there is none. */
  private static int insert(long[] rows, int start, long hash) {
    long mixed = Layer.mixed(hash);
    long coefficients = Layer.coefficients(mixed);
    long checks = Layer.checks(mixed);
    int row = start;
    long there = rows[2 * row];
    while (there != 0) {
      coefficients ^= there;
      checks ^= rows[2 * row + 1];
      if (coefficients == 0) {
        return -1;
      }
      int zeros = Long.numberOfTrailingZeros(coefficients);
      coefficients >>>= zeros;
      row += zeros;
      there = rows[2 * row];
    }
    rows[2 * row] = coefficients;
    rows[2 * row + 1] = checks;
    return row;
  }

  /** Solves a segment, starting with its last row. Rows without an equation are zero. */
  private void solveRows(Layer layer, int segment) throws IOException {
    int columns = rung.columns(firstGroup(layer, segment));
    int count = layer.rows(segment) / Layer.GROUP * columns;
    if (words.length < count) {
      words = new long[count];
    }
    long[] solution = new long[columns];
    int at = count;
    for (int row = layer.rows(segment); row > 0; ) {
      for (int end = row - Layer.GROUP; row > end; ) {
        row--;
        step(solution, rows[2 * row], rows[2 * row + 1]);
      }
      at -= columns;
      System.arraycopy(solution, 0, words, at, columns);
    }
    sink.accept(words, 0, count);
  }

  /** Computes the next lower row of all columns: the lowest bit of each solution. */
  private static void step(long[] solution, long coefficients, long checks) {
    if (coefficients == 0) {
      for (int column = 0; column < solution.length; column++) {
        solution[column] <<= 1;
      }
      return;
    }
    long left = checks;
    for (int column = 0; column < solution.length; column++) {
      long above = solution[column] << 1;
      solution[column] = above | ((Long.bitCount(above & coefficients) & 1) ^ left >>> 63);
      left <<= 1;
    }
  }
}
