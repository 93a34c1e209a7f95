package dev.bellows.elastic;

import dev.bellows.internal.base.Prose;
import dev.bellows.internal.layout.Shape;

/** The text of {@code explain()} of an elastic filter. */
final class ElasticPage {
  private ElasticPage() {}

  static String of(
      ElasticBloomFilter filter,
      Shape shape,
      ElasticSettings settings,
      FoldingView.History history) {
    return "An elastic Bloom filter, "
        + shape.layout().describe()
        + ", keeping fpp "
        + settings.fpp()
        + " +- "
        + settings.tolerance()
        + ".\n\n"
        + Prose.format(
            "  capacity           %,d bits, folded by %d now\n",
            filter.capacity(), filter.capacity() / filter.bits())
        + filter.stats().lines("bits in view")
        + Prose.format("  in the band        %.1f %% of all changes\n", 100 * history.bandShare())
        + Prose.format(
            "  resizes            %,d, %,d cells read\n", history.resizes(), history.cellsRead())
        + "\n"
        + memory(filter, settings.policy())
        + (filter.isOverCapacity()
            ? "  There are more keys than the capacity holds in its band: build a larger one.\n"
            : "");
  }

  private static String memory(ElasticBloomFilter filter, FoldPolicy policy) {
    if (filter.isFrozen()) {
      return "  The capacity filter was dropped (frozen): the view can only shrink.\n";
    }
    return Prose.format(
            """
              Folding saves bandwidth and cache, not memory: the full %,d bits stay here,
              since unfolding needs them.
            """,
            filter.capacity())
        + (policy == FoldPolicy.GREEDY
            ? "  A folding in between is kept: resizes read it instead of the capacity, puts set it too.\n"
            : "");
  }
}
