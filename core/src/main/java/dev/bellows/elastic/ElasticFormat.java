package dev.bellows.elastic;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.FoldableFilter;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.PackedLongs;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes of an elastic filter (spec/FORMAT.md): its settings and what happened so far in the
 * header, the sizes sent in a section, and behind it the capacity, or the view if it is frozen, as
 * a filter.
 */
final class ElasticFormat {
  /** View, fpp, tolerance, policy, frozen, step and four numbers of the history. */
  private static final int OWN_PARAMETERS = 10;

  private static final int OWN = ShapeCodec.PARAMETERS;

  private ElasticFormat() {}

  /**
   * What a file says.
   *
   * @param shape the shape of the capacity
   * @param band the sizes of the view
   * @param body the capacity, or the view of a frozen filter
   */
  record Content(
      Shape shape,
      ElasticSettings settings,
      FoldBand band,
      boolean frozen,
      long viewBits,
      FoldableFilter<?> body,
      FoldingView.History history,
      List<Long> sent) {}

  static BloomPlan plan(Shape shape) {
    return new BloomPlan(shape.layout(), shape.bits(), 0);
  }

  static FilterHeader header(
      Shape shape,
      ElasticSettings settings,
      FoldingView.History past,
      KeptFilters kept,
      long id,
      byte[] sent) {
    return ShapeCodec.header(
        FilterKind.ELASTIC,
        shape,
        Origin.folding(id, 0),
        List.of(
            kept.view.bits(),
            Double.doubleToLongBits(settings.fpp()),
            Double.doubleToLongBits(settings.tolerance()),
            (long) settings.policy().id(),
            kept.isFrozen() ? 1L : 0L,
            Double.doubleToLongBits(settings.step()),
            past.changes(),
            past.changesInBand(),
            past.resizes(),
            past.cellsRead()),
        List.of((long) sent.length));
  }

  /** The sizes sent that a reader of these filters can fold to. */
  static byte[] sentBytes(List<Long> sent, KeptFilters kept) {
    long full = kept.full().bits();
    List<Long> sizes = sent.stream().filter(size -> full % size == 0).toList();
    PackedLongs.Writer out = new PackedLongs.Writer();
    out.put(sizes.size());
    sizes.forEach(out::put);
    return out.toBytes();
  }

  static Content read(FilterReader reader) throws IOException {
    Shape shape = reader.shape(OWN_PARAMETERS, 1);
    reader.requireNoState();
    long viewBits = reader.parameter(OWN, "view bits", 1, shape.bits());
    FoldPolicy policy = FoldPolicy.ofId((int) reader.parameter(OWN + 3, "policy", 0, 2));
    boolean frozen = reader.parameter(OWN + 4, "frozen", 0, 1) == 1;
    double step = Double.longBitsToDouble(reader.parameter(OWN + 5, "step", 0, Long.MAX_VALUE));
    double fpp = reader.real(OWN + 1);
    double tolerance = reader.real(OWN + 2);
    ElasticSettings settings =
        reader.checked(
            OWN + 5, () -> new ElasticSettings(fpp, tolerance, policy, step, resize -> {}));
    FoldingView.History history = history(reader);
    Shape stored = frozen ? reader.checked(OWN, () -> shape.withBits(viewBits)) : shape;
    FoldBand band = reader.checked(OWN + 1, () -> settings.band(shape));
    if (!band.has(viewBits)) {
      throw reader.parameterError(OWN, "view bits " + viewBits + " are not on the ladder");
    }
    byte[] table = reader.bytes();
    List<Long> sent = reader.checked(OWN, () -> sent(table, stored));
    FoldableFilter<?> body =
        reader.nested(ElasticFormat::body, FilterKind.BLOOM, FilterKind.COUNTING);
    if (!body.plan().equals(plan(stored))
        || !body.hashScheme().equals(stored.scheme())
        || body.filterId() != reader.header().filterId()) {
      throw reader.parameterError(OWN, "its filter is none of " + stored + " with its id");
    }
    return new Content(shape, settings, band, frozen, viewBits, body, history, sent);
  }

  private static FoldableFilter<?> body(FilterReader reader) throws IOException {
    return reader.header().kind() == FilterKind.BLOOM
        ? BloomFilter.FORMAT.read(reader)
        : CountingBloomFilter.FORMAT.read(reader);
  }

  private static FoldingView.History history(FilterReader reader) throws IOException {
    long[] past = new long[4];
    for (int i = 0; i < past.length; i++) {
      past[i] = reader.parameter(OWN + 6 + i, "history", 0, Long.MAX_VALUE);
    }
    return reader.checked(
        OWN + 6, () -> new FoldingView.History(past[0], past[1], past[2], past[3]));
  }

  /** The sizes sent, ascending, all of them foldings of the shape. */
  private static List<Long> sent(byte[] table, Shape shape) {
    PackedLongs.Reader in = new PackedLongs.Reader(table);
    List<Long> sent = new ArrayList<>();
    long before = 0;
    for (int left = in.count(); left > 0; left--) {
      long size = in.next(shape.bits());
      if (size <= before || !shape.ladder().hasSize(size)) {
        throw new IllegalArgumentException(
            "a size sent of %d bits behind %d, of a filter of %d"
                .formatted(size, before, shape.bits()));
      }
      sent.add(size);
      before = size;
    }
    in.end();
    return sent;
  }
}
