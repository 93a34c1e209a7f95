package dev.bellows.scalable;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Positions;
import dev.bellows.internal.layout.Shape;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.io.FilterKind;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * The bytes of scalable filters, as specified in spec/FORMAT.md: a table of the levels of all
 * series, then their bits.
 */
final class ScalableFormat {
  /** The number of parameters in addition to the shape: initial keys, fpp, horizon. */
  private static final int OWN_PARAMETERS = 3;

  private ScalableFormat() {}

  /** The content of a file. */
  record Content(ScalablePlan plan, HashScheme scheme, List<LevelSeries> series) {
    /** Returns the header of a filter without levels. */
    byte[] settings() {
      return new Content(plan, scheme, List.of()).header(new byte[0]).toBytes();
    }

    /** Returns the levels of all series. */
    List<LevelSeries.Level> levels() {
      return series.stream().flatMap(one -> one.levels().stream()).toList();
    }

    private List<BitStore> stores() {
      return levels().stream().<BitStore>map(level -> level.store).toList();
    }

    long fileBytes() {
      return header(table()).fileBytes();
    }

    private FilterHeader header(byte[] table) {
      return ShapeCodec.header(
          FilterKind.SCALABLE,
          // the shape of the first level, whose layout all levels share
          new Shape(plan.layout(), plan.initialBits(), scheme),
          List.of(plan.initialKeys(), Double.doubleToRawLongBits(plan.fpp()), plan.horizonKeys()),
          List.of((long) table.length, FilterWriter.sectionBytes(stores())));
    }

    /**
     * Encodes the number of series and, for each of them, its levels: index, bits, capacity, keys.
     */
    private byte[] table() {
      PackedLongs.Writer out = new PackedLongs.Writer();
      out.put(series.size());
      for (LevelSeries one : series) {
        out.put(one.levels().size());
        for (LevelSeries.Level level : one.levels()) {
          out.put(level.index);
          out.put(level.bits);
          out.put(level.capacity);
          out.put(level.keys);
        }
      }
      return out.toBytes();
    }

    /** Writes the levels, which no other thread may change in the meantime. */
    void writeTo(OutputStream out) throws IOException {
      byte[] table = table();
      FilterWriter.begin(out, header(table)).bytes(table).bits(stores()).end();
    }
  }

  /** Returns the settings in a header, without levels. */
  static Content settings(FilterReader reader) throws IOException {
    Shape first = reader.shape(OWN_PARAMETERS, 2);
    int at = ShapeCodec.PARAMETERS;
    long initialKeys = reader.parameter(at, "initial keys", 1, Long.MAX_VALUE);
    double fpp = Double.longBitsToDouble(reader.parameter(at + 1, "fpp", 1, Long.MAX_VALUE));
    long horizon = reader.parameter(at + 2, "horizon", 1, Long.MAX_VALUE);
    ScalablePlan plan =
        reader.checked(
            at + 1,
            () -> {
              HashFloor.require(fpp, 1);
              return new ScalablePlan(first.layout(), initialKeys, fpp, horizon, first.bits());
            });
    reader.checked(at - 1, () -> requireRule(first.layout()));
    reader.checked(1, () -> requireUnits(first));
    return new Content(plan, first.scheme(), List.of());
  }

  static Content read(FilterReader reader) throws IOException {
    Content settings = settings(reader);
    ScalablePlan plan = settings.plan;
    int at = ShapeCodec.PARAMETERS;
    byte[] table = reader.bytes();
    List<List<Claim>> claims = reader.checked(at, () -> claims(table, plan, reader.limit()));
    Iterator<HeapBits> stores =
        reader
            .bits(claims.stream().flatMap(List::stream).map(c -> c.positions.bits()).toList())
            .iterator();
    List<LevelSeries> series = new ArrayList<>();
    for (List<Claim> levels : claims) {
      series.add(new LevelSeries(plan, levels.stream().map(c -> c.level(stores.next())).toList()));
    }
    return new Content(plan, settings.scheme, series);
  }

  /** Checks that the levels have the pattern that the rule chooses for their hashes. */
  private static Layout requireRule(Layout layout) {
    Layout rule = layout.family().withHashes(layout.hashes());
    if (!layout.equals(rule)) {
      throw new IllegalArgumentException(
          "pattern %s where a growing filter with %d hashes has %s"
              .formatted(layout.pattern(), layout.hashes(), rule.pattern()));
    }
    return layout;
  }

  /**
   * Checks that the size of the first level is a multiple of the unit, so that the sizes of later
   * levels can be halved down to it.
   */
  private static Shape requireUnits(Shape first) {
    int unit = first.layout().unitBits();
    if (first.bits() % unit != 0) {
      throw new IllegalArgumentException(
          "a first level of %d bits, which is not a multiple of %d".formatted(first.bits(), unit));
    }
    return first;
  }

  /** A level whose bits have not been read yet. */
  private record Claim(int index, Positions positions, long capacity, long keys) {
    LevelSeries.Level level(HeapBits store) {
      return new LevelSeries.Level(index, positions, store, capacity, keys);
    }
  }

  /**
   * Decodes the levels of a table; each series has its newest level first. The limit includes the
   * first level of every series, which may be larger than all levels in the file, because clearing
   * the filter, or a put after levels were folded, creates it.
   */
  private static List<List<Claim>> claims(byte[] table, ScalablePlan plan, LongConsumer limit) {
    PackedLongs.Reader in = new PackedLongs.Reader(table);
    List<List<Claim>> all = new ArrayList<>();
    for (int left = Checks.positive(in.count(), "number of series"); left > 0; left--) {
      List<Claim> levels = new ArrayList<>();
      all.add(levels);
      limit.accept(BitStore.words(plan.initialBits()) * Long.BYTES * all.size());
      long index = LevelSeries.MAX_INDEX;
      int count = Checks.positive(in.count(), "number of levels of a series");
      while (levels.size() < count) {
        index = in.next(index);
        long bits = Checks.positive(in.next(ScalablePlan.MAX_LEVEL_BITS), "bits of a level");
        long capacity = Checks.positive(in.next(Long.MAX_VALUE), "capacity of a level");
        Positions positions = LevelSeries.positions(plan, bits);
        levels.add(new Claim((int) index, positions, capacity, in.next(capacity)));
      }
    }
    in.end();
    return all;
  }
}
