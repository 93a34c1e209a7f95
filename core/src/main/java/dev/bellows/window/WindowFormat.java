package dev.bellows.window;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PrefixFile;
import dev.bellows.internal.files.PrefixPlanes;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.window.WindowFilter.Rules;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads and writes the files of window filters, as specified in spec/FORMAT.md. Times are absolute.
 */
final class WindowFormat {
  /**
   * The number of parameters of both kinds: window, generations, clock, rules, late keys and fpp.
   */
  private static final int TIME_PARAMETERS = 6;

  /**
   * The number of parameters of a ring: keys, keys per generation and growth. The blocks of each
   * generation follow.
   */
  private static final int RING_PARAMETERS = 3;

  /** The number of parts that precede those of the prefixes: the tags. */
  private static final int TAG_PARTS = 1;

  private static final long DROP_LATE = 1;
  private static final long REFUSE_AHEAD = 2;
  private static final long KEEP_FIRST = 4;
  private static final long ALL_RULES = 7;

  private WindowFormat() {}

  private static List<Long> timeParameters(WindowFilter filter, long now, long late) {
    Rules rules = filter.rules();
    return List.of(
        filter.grid().window(),
        (long) filter.grid().generations(),
        now,
        (rules.dropLate() ? DROP_LATE : 0)
            | (rules.refuseAhead() ? REFUSE_AHEAD : 0)
            | (rules.keepFirst() ? KEEP_FIRST : 0),
        late,
        Double.doubleToRawLongBits(filter.targetFpp()));
  }

  /** The parameters that both kinds of windows share. */
  private record Times(TimeGrid grid, long now, Rules rules, long late, double fpp) {
    long generation() {
      return now == WindowFilter.NO_TIME ? WindowStore.NO_GENERATION : grid.generation(now);
    }

    WindowFilter filter(HashScheme scheme, WindowStore store) {
      return new WindowFilter(scheme, grid, rules, store, now, late);
    }

    WindowFilter empty(HashScheme scheme, WindowStore store) {
      return new WindowFilter(scheme, grid, rules, store, WindowFilter.NO_TIME, 0);
    }
  }

  private static Times times(FilterReader reader, int at) throws FilterFormatException {
    long window = reader.parameter(at, "window", 1, TimeGrid.MOST_MILLIS);
    int generations = (int) reader.parameter(at + 1, "generations", 3, TimeGrid.MOST_GENERATIONS);
    TimeGrid grid = reader.checked(at + 1, () -> new TimeGrid(window, generations));
    long now = reader.header().parameters().get(at + 2);
    if (now != WindowFilter.NO_TIME) {
      reader.parameter(at + 2, "clock", -TimeGrid.MOST_MILLIS, TimeGrid.MOST_MILLIS);
    }
    long rules = reader.parameter(at + 3, "rules", 0, ALL_RULES);
    long late = reader.parameter(at + 4, "late keys", 0, Long.MAX_VALUE);
    double fpp = reader.real(at + 5);
    return new Times(
        grid,
        now,
        new Rules((rules & DROP_LATE) != 0, (rules & REFUSE_AHEAD) != 0, (rules & KEEP_FIRST) != 0),
        late,
        fpp);
  }

  // Rings.

  private static FilterHeader ringHeader(WindowFilter filter, RingStore ring) {
    List<Long> times = timeParameters(filter, filter.millis(), filter.lateKeys());
    return ringHeader(filter, times, ring.plan(), ring.growth(), ring.filledCells());
  }

  private static FilterHeader ringHeader(
      WindowFilter filter, List<Long> times, WindowPlan plan, double growth, long[] filledCells) {
    List<Long> parameters = new ArrayList<>(times);
    parameters.add(plan.keys());
    parameters.add(plan.keysPerGeneration());
    parameters.add(Double.doubleToRawLongBits(growth));
    for (long cells : filledCells) {
      parameters.add(cells);
    }
    return ShapeCodec.header(
        FilterKind.WINDOW,
        new Shape(plan.layout(), plan.generationBits(), filter.hashScheme()),
        parameters,
        List.of(plan.bits() / 8));
  }

  static WindowFilter readRing(FilterReader reader) throws IOException {
    Ring ring = ring(reader);
    HeapBits bits = reader.bits(ring.plan.bits());
    int at = ShapeCodec.PARAMETERS;
    if (ring.times.now == WindowFilter.NO_TIME && bits.ones() > 0) {
      throw reader.parameterError(at + 2, "keys where the clock is not set");
    }
    long generation = ring.times.generation();
    RingStore store =
        reader.checked(
            at + 5, () -> RingStore.of(ring.plan, ring.growth, generation, bits, ring.filled));
    return ring.times.filter(ring.scheme, store);
  }

  /** Returns an empty ring with the settings of a header. */
  static WindowFilter emptyRing(FilterReader reader) throws IOException {
    Ring ring = ring(reader);
    WindowPlan plan =
        ring.growth > 0
            ? reader.checked(
                ShapeCodec.PARAMETERS + 5,
                () ->
                    WindowPlan.of(
                            ring.plan.keys(),
                            ring.plan.keysPerGeneration(),
                            ring.plan.targetFpp(),
                            ring.plan.generations())
                        .halvable())
            : ring.plan;
    reader.requireWithinLimit(1, plan.bits() / 8);
    return ring.times.empty(ring.scheme, RingStore.create(plan, ring.growth));
  }

  /** The parameters of a ring in its header. */
  @SuppressWarnings("ArrayRecordComponent") // a private result of several values
  private record Ring(
      Times times, HashScheme scheme, WindowPlan plan, double growth, long[] filled) {}

  private static Ring ring(FilterReader reader) throws FilterFormatException {
    int at = ShapeCodec.PARAMETERS;
    int generations = (int) reader.parameter(at + 1, "generations", 3, TimeGrid.MOST_GENERATIONS);
    Shape shape = reader.shape(TIME_PARAMETERS + RING_PARAMETERS + generations + 1, 1);
    Times times = times(reader, at);
    if (!(shape.layout() instanceof Layout.Blocked layout)) {
      throw reader.parameterError(0, "windows do not support layout CLASSIC");
    }
    int own = at + TIME_PARAMETERS;
    long keys = reader.parameter(own, "keys", 1, Long.MAX_VALUE);
    long share = reader.parameter(own + 1, "keys per generation", 1, Long.MAX_VALUE);
    double growth = reader.real(own + 2);
    if (!(growth == 0 || (growth > 1 && growth <= 1 << 20))
        || Double.doubleToRawLongBits(growth) == Double.doubleToRawLongBits(-0.0)) {
      throw reader.parameterError(own + 2, "a growth per generation of " + growth);
    }
    WindowPlan plan =
        reader.checked(
            at + 5,
            () -> new WindowPlan(generations, keys, share, times.fpp, layout, shape.bits()));
    long cells = shape.bits() / Layout.Blocked.BLOCK_BITS;
    long[] filled = new long[generations + 1];
    for (int lane = 0; lane <= generations; lane++) {
      int index = own + RING_PARAMETERS + lane;
      filled[lane] = reader.parameter(index, "blocks of a generation", 1, cells);
      if (cells % filled[lane] != 0 || (growth == 0 && filled[lane] != cells)) {
        throw reader.parameterError(
            index, "a generation of %d blocks in a ring of %d".formatted(filled[lane], cells));
      }
    }
    return new Ring(times, shape.scheme(), plan, growth, filled);
  }

  // Prefixes.

  private static PrefixFile prefixFile(WindowFilter filter, PrefixWindow window) {
    int bits = PrefixSizes.ageBits(filter.grid().generations());
    return PrefixFile.of(
        FilterKind.WINDOW_PREFIXES,
        filter.hashScheme(),
        timeParameters(filter, filter.millis(), filter.lateKeys()),
        List.of(PrefixPlanes.encodeTags(window.store(), window::age, bits)),
        window.store());
  }

  /** Returns an empty window of prefixes with the settings of a header. */
  static WindowFilter emptyPrefixes(FilterReader reader) throws IOException {
    PrefixFile.expect(reader, TIME_PARAMETERS);
    HashScheme scheme = reader.scheme();
    Times times = times(reader, 0);
    PrefixSizes sizes = reader.checked(5, () -> PrefixSizes.of(times.fpp));
    return times.empty(scheme, PrefixWindow.create(sizes, times.grid.generations()));
  }

  static WindowFilter readPrefixes(FilterReader reader) throws IOException {
    PrefixFile.expect(reader, TIME_PARAMETERS);
    HashScheme scheme = reader.scheme();
    Times times = times(reader, 0);
    PrefixSizes sizes = reader.checked(5, () -> PrefixSizes.of(times.fpp));
    PrefixPlanes planes = PrefixFile.planes(reader, TIME_PARAMETERS, TAG_PARTS);
    long copies = PrefixFile.copies(reader, TIME_PARAMETERS, planes);
    if (times.now == WindowFilter.NO_TIME && planes.count() > 0) {
      throw reader.parameterError(2, "keys where the clock is not set");
    }
    byte[] tags = reader.bytes();
    List<byte[]> parts = PrefixFile.parts(reader, TAG_PARTS);
    int generations = times.grid.generations();
    PrefixWindow window =
        reader.checked(
            TIME_PARAMETERS + 1,
            () ->
                PrefixWindow.read(
                    sizes,
                    generations,
                    times.generation(),
                    planes.decode(parts, tags, PrefixSizes.ageBits(generations)),
                    planes.count(),
                    copies,
                    reader.limit()));
    PrefixFile.requireUnique(reader, TIME_PARAMETERS, planes, window.store());
    return times.filter(scheme, window);
  }

  // Both.

  /**
   * Returns the settings of a filter: the header of an empty filter whose clock is not set. For an
   * elastic ring, the header has one block, because the settings do not depend on the current size.
   */
  static byte[] settings(WindowFilter filter) {
    if (filter.store() instanceof RingStore ring) {
      WindowPlan plan =
          ring.growth() > 0
              ? ring.plan().withGenerationBits(Layout.Blocked.BLOCK_BITS)
              : ring.plan();
      List<Long> times = timeParameters(filter, WindowFilter.NO_TIME, 0);
      return ringHeader(filter, times, plan, ring.growth(), plan.filledCells()).toBytes();
    }
    PrefixWindow none =
        PrefixWindow.create(((PrefixWindow) filter.store()).sizes(), filter.grid().generations());
    WindowFilter empty =
        new WindowFilter(
            filter.hashScheme(), filter.grid(), filter.rules(), none, WindowFilter.NO_TIME, 0);
    return prefixFile(empty, none).header().toBytes();
  }

  static long fileBytes(WindowFilter filter) {
    return filter.store() instanceof RingStore ring
        ? ringHeader(filter, ring).fileBytes()
        : prefixFile(filter, (PrefixWindow) filter.store().copy()).header().fileBytes();
  }

  /** Writes a filter. No other thread may use it. */
  static void write(WindowFilter filter, OutputStream out) throws IOException {
    if (filter.store() instanceof RingStore ring) {
      FilterWriter.begin(out, ringHeader(filter, ring)).bits(ring.content()).end();
      return;
    }
    prefixFile(filter, (PrefixWindow) filter.store()).writeTo(out);
  }
}
