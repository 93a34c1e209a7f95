package dev.bellows.frozen;

import dev.bellows.HashScheme;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.columns.Columns;
import dev.bellows.internal.columns.Elimination;
import dev.bellows.internal.columns.Layer;
import dev.bellows.internal.columns.Rung;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.io.FilterKind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
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
record FrozenFrame(
    HashScheme scheme, long keys, int hashBits, int attempt, List<Long> layerGroups) {
  /**
   * The number of parameters in files: keys, bits of a hash and attempt. The groups of the layers
   * follow.
   */
  private static final int PARAMETERS = 3;

  private static final long MOST_GROUPS = Layer.MOST_ROWS / Layer.GROUP;

  static FrozenFrame of(HashScheme scheme, long keys, int hashBits, List<Layer> layers) {
    int last = layers.size() - 1;
    int attempt = last < 0 ? 0 : (int) (layers.get(last).seed() >>> 32);
    return new FrozenFrame(
        scheme, keys, hashBits, attempt, layers.stream().map(Layer::groups).toList());
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
  static double floor(double keys, int hashBits) {
    return HashFloor.of(Math.scalb(keys, Long.SIZE - hashBits));
  }

  /** Returns the false positive rate of a filter whose columns alone have this rate. */
  double fpp(double columnsFpp) {
    return keys == 0 ? 0 : columnsFpp + (1 - columnsFpp) * floor(keys, hashBits);
  }

  /** Returns the lowest rung with a rate of at most fpp; the empty rung if fpp is 1. */
  Rung rung(List<Layer> layers, double fpp) {
    return keys == 0 || fpp >= 1 ? Rung.NONE : Columns.rung(layers, fpp, this::fpp);
  }

  /** Returns the number of bits of a section with the columns between two rungs. */
  long bits(Rung low, Rung high) {
    return Columns.bits(groups(), low, high);
  }

  /** Returns the number of bytes of a section with the thresholds, which begin the first part. */
  long thresholdBytes(Rung low) {
    long bytes = 0;
    for (int i = 0; low.equals(Rung.NONE) && i < layerGroups.size() - 1; i++) {
      bytes += Layer.thresholdBytes(layerGroups.get(i) * Layer.GROUP);
    }
    return bytes;
  }

  /** Returns the encoded thresholds of layers. */
  byte[] thresholds(List<Layer> layers) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (Layer layer : layers) {
      byte[] thresholds = layer.thresholds();
      all.write(thresholds, 0, thresholds.length);
    }
    return all.toByteArray();
  }

  /** Returns the layers with these thresholds. */
  private List<Layer> layers(byte[] thresholds) {
    ByteBuffer in = ByteBuffer.wrap(thresholds);
    List<Layer> layers = new ArrayList<>();
    long groups = 0;
    for (int i = 0; i < layerGroups.size(); i++) {
      long rows = layerGroups.get(i) * Layer.GROUP;
      boolean isLast = i == layerGroups.size() - 1;
      byte[] some = new byte[isLast ? 0 : (int) Layer.thresholdBytes(rows)];
      in.get(some);
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

  /**
   * Returns the header of the columns between two rungs.
   *
   * @param own the first parameters
   * @param rungs the rungs, which follow them
   */
  FilterHeader header(FilterKind kind, List<Long> own, List<Rung> rungs, Rung low, Rung high) {
    List<Long> parameters = new ArrayList<>(own);
    for (Rung rung : rungs) {
      parameters.add((long) rung.columns());
      parameters.add(rung.lead());
    }
    parameters.add(keys);
    parameters.add((long) hashBits);
    parameters.add((long) attempt);
    parameters.addAll(layerGroups);
    List<Long> sections = List.of(thresholdBytes(low), bits(low, high) / Byte.SIZE);
    return FilterHeader.of(kind, scheme, Origin.NONE, parameters, sections);
  }

  /** Reads a frame from the parameters that start at an index. */
  static FrozenFrame read(FilterReader reader, int from) throws IOException {
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
    return new FrozenFrame(reader.scheme(), keys, hashBits, attempt, List.copyOf(groups));
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

  /** Reads the columns between two rungs from the next section. */
  BitStore readWords(FilterReader reader, Rung low, Rung high) throws IOException {
    BitStore words = reader.store(reader.requireBits(0, bits(low, high)));
    if (high.wordsAbove(low, groups()) == 0 && words.ones() > 0) {
      throw reader.parameterError(0, "a section without columns contains ones");
    }
    return words;
  }

  /** Reads the layers from the next section, which is empty unless the columns begin here. */
  List<Layer> readLayers(FilterReader reader, int from, Rung low) throws IOException {
    if (reader.header().sectionBytes().get(0) != thresholdBytes(low)) {
      throw reader.parameterError(
          from,
          "%d bytes of thresholds, but the layers need %d"
              .formatted(reader.header().sectionBytes().get(0), thresholdBytes(low)));
    }
    byte[] thresholds = reader.bytes();
    return low.equals(Rung.NONE) ? reader.checked(from, () -> layers(thresholds)) : List.of();
  }
}
