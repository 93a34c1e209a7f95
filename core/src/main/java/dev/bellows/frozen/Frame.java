package dev.bellows.frozen;

import dev.bellows.HashScheme;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.columns.Columns;
import dev.bellows.internal.columns.Elimination;
import dev.bellows.internal.columns.Layer;
import dev.bellows.internal.columns.Rung;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.math.HashFloor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The parameters that a frozen filter shares with its foldings and parts: everything but the
 * columns.
 *
 * @param scheme the hash scheme of the keys
 * @param keys the number of distinct hashes
 * @param hashBits the number of leading bits of a hash that are used
 * @param attempt the number of seeds of the last layer that failed
 * @param layerGroups the number of groups in each layer
 */
record Frame(HashScheme scheme, long keys, int hashBits, int attempt, List<Long> layerGroups) {
  /**
   * The number of parameters in files: keys, bits of a hash and attempt. The groups of the layers
   * follow.
   */
  private static final int PARAMETERS = 3;

  private static final long MOST_GROUPS = Layer.MOST_ROWS / Layer.GROUP;

  static Frame of(HashScheme scheme, long keys, int hashBits, List<Layer> layers) {
    int last = layers.size() - 1;
    int attempt = last < 0 ? 0 : (int) (layers.get(last).seed() >>> 32);
    return new Frame(scheme, keys, hashBits, attempt, layers.stream().map(Layer::groups).toList());
  }

  /** Returns the mask of the bits of a hash that are used. */
  long mask() {
    return -1L << (Long.SIZE - hashBits);
  }

  long groups() {
    return layerGroups.stream().mapToLong(Long::longValue).sum();
  }

  /**
   * Returns the rate at which the leading bits of an absent key's hash equal those of a stored one.
   */
  double floor() {
    return floor(keys, hashBits);
  }

  static double floor(double keys, int hashBits) {
    return HashFloor.of(Math.scalb(keys, Long.SIZE - hashBits));
  }

  /** Returns the false positive rate of a filter whose columns alone have this rate. */
  double fpp(double columnsFpp) {
    return keys == 0 ? 0 : columnsFpp + (1 - columnsFpp) * floor();
  }

  /** Returns the lowest rung with a rate of at most fpp; the empty rung if fpp is 1. */
  Rung rung(List<Layer> layers, double fpp) {
    return keys == 0 || fpp >= 1 ? Rung.NONE : Columns.rung(layers, fpp, this::fpp);
  }

  /** Returns the number of words of a section with the columns between two rungs; at least one. */
  long words(Rung low, Rung high) {
    return Math.max(1, high.wordsAbove(low, groups()));
  }

  long thresholdBytes() {
    long bytes = 0;
    for (int i = 0; i < layerGroups.size() - 1; i++) {
      bytes += Layer.thresholdBytes(layerGroups.get(i) * Layer.GROUP);
    }
    return bytes;
  }

  /** Returns the encoded thresholds of all layers. */
  byte[] thresholds(List<Layer> layers) {
    byte[] all = new byte[Math.toIntExact(thresholdBytes())];
    int at = 0;
    for (Layer layer : layers) {
      byte[] some = layer.thresholds();
      System.arraycopy(some, 0, all, at, some.length);
      at += some.length;
    }
    return all;
  }

  /** Returns the layers with these thresholds. */
  private List<Layer> layers(byte[] thresholds) {
    List<Layer> layers = new ArrayList<>();
    long groups = 0;
    int at = 0;
    for (int i = 0; i < layerGroups.size(); i++) {
      long rows = layerGroups.get(i) * Layer.GROUP;
      boolean isLast = i == layerGroups.size() - 1;
      byte[] some = new byte[isLast ? 0 : (int) Layer.thresholdBytes(rows)];
      System.arraycopy(thresholds, at, some, 0, some.length);
      at += some.length;
      requireClearTail(rows, some);
      layers.add(new Layer(Layer.seed(i, isLast ? attempt : -1), groups, rows, some));
      groups += layerGroups.get(i);
    }
    return layers;
  }

  private static void requireClearTail(long rows, byte[] thresholds) {
    boolean isOdd = (rows + Layer.BLOCK - 1) / Layer.BLOCK % 2 == 1;
    if (isOdd && thresholds.length > 0 && (thresholds[thresholds.length - 1] & 0xf0) != 0) {
      throw new IllegalArgumentException("there is a threshold after the last block");
    }
  }

  void addTo(List<Long> parameters) {
    parameters.add(keys);
    parameters.add((long) hashBits);
    parameters.add((long) attempt);
    parameters.addAll(layerGroups);
  }

  /** Reads a frame from the parameters that start at an index. */
  static Frame read(FilterReader reader, int from) throws IOException {
    int layers = Math.max(0, reader.header().parameters().size() - from - PARAMETERS);
    reader.expect(from + PARAMETERS + Math.min(Elimination.MOST_LAYERS, layers), 2);
    long most = layers == 0 ? 0 : Long.MAX_VALUE;
    long keys = reader.parameter(from, "keys", Math.min(1, most), most);
    int hashBits = (int) reader.parameter(from + 1, "bits of a hash", 1, Long.SIZE);
    int attempt =
        (int)
            reader.parameter(
                from + 2, "attempts", 0, layers == 0 ? 0 : Elimination.MOST_ATTEMPTS - 1);
    List<Long> groups = new ArrayList<>();
    long all = 0;
    for (int i = 0; i < layers; i++) {
      long some = reader.parameter(from + PARAMETERS + i, "groups of a layer", 1, MOST_GROUPS);
      groups.add(some);
      all += some;
    }
    if (keys > all * Layer.GROUP || (hashBits < Long.SIZE - 1 && keys > 1L << hashBits)) {
      throw reader.parameterError(
          from,
          "%d keys do not fit into %d rows, or outnumber the hashes of %d bits"
              .formatted(keys, all * Layer.GROUP, hashBits));
    }
    return new Frame(reader.scheme(), keys, hashBits, attempt, List.copyOf(groups));
  }

  /** Reads a rung, which is at most the given one. */
  Rung readRung(FilterReader reader, int index, Rung most) throws IOException {
    int columns = (int) reader.parameter(index, "columns", 0, Rung.MOST_COLUMNS);
    long lead = reader.parameter(index + 1, "leading groups", 0, Math.max(0, groups() - 1));
    Rung rung = reader.checked(index, () -> new Rung(columns, lead));
    if (rung.compareTo(most) > 0) {
      throw reader.parameterError(index, "%s is above %s".formatted(rung, most));
    }
    return rung;
  }

  /** Throws if a section without columns contains anything but a zero word. */
  void requireClear(FilterReader reader, BitStore words, Rung low, Rung high) throws IOException {
    if (high.wordsAbove(low, groups()) == 0 && words.ones() > 0) {
      throw reader.parameterError(0, "a section without columns contains ones");
    }
  }

  /** Reads the layers from the next section. */
  List<Layer> readLayers(FilterReader reader, int from) throws IOException {
    if (reader.header().sectionBytes().get(0) != thresholdBytes()) {
      throw reader.parameterError(
          from,
          "%d bytes of thresholds, but the layers need %d"
              .formatted(reader.header().sectionBytes().get(0), thresholdBytes()));
    }
    byte[] thresholds = reader.bytes();
    return reader.checked(from, () -> layers(thresholds));
  }
}
