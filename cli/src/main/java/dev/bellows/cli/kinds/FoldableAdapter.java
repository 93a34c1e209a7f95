package dev.bellows.cli.kinds;

import dev.bellows.FilterStats;
import dev.bellows.Foldable;
import dev.bellows.FoldableFilter;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.internal.base.Prose;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A filter that folds, of bits or of counters.
 *
 * @param <F> the type of the filters of the kind
 */
class FoldableAdapter<F extends FoldableFilter<F>> extends KindAdapter<F> {
  FoldableAdapter(F filter) {
    super(filter);
  }

  /** Filters of different rates have different patterns unless a pattern is given. */
  @Override
  public final String wayOut(KindAdapter<?> other, String name, String otherName) {
    Pattern pattern = filter.layout().pattern();
    if (!(other.filter instanceof FoldableFilter<?> second)
        || second.layout().family() != filter.layout().family()
        || second.layout().equals(filter.layout())) {
      return "";
    }
    return pattern == null
        ? " (build %s again with --like %s)".formatted(otherName, name)
        : " (build %s again with --like %s or --pattern %s)".formatted(otherName, name, pattern);
  }

  @Override
  public final String meeting(List<KindAdapter<?>> inputs, long resultBits) {
    return "%s bits can only be merged at %d bits, where "
        .formatted(
            foldables(inputs).stream().map(f -> "" + f.bits()).collect(Collectors.joining(" and ")),
            resultBits);
  }

  @Override
  public final String roomAdvice(FilterStats stats) {
    Layout layout = filter.layout();
    return "%s bits are designed for about %s keys, and it has %s%s; build a larger one from all keys, or one that grows (--kind fingerprint)"
        .formatted(
            Prose.count(stats.bits()),
            Prose.count(layout.keysFor(stats.bits(), layout.designFpp())),
            stats.isFull() ? "at least " : "about ",
            Prose.count(filter.approximateElementCount()));
  }

  /**
   * Returns the size at which the filters would have to be built so that the result has the rate.
   */
  @Override
  public final String advice(
      List<KindAdapter<?>> inputs, List<String> names, MergeRule rule, double fpp) {
    if (!(fpp > 0 && fpp < 1)) {
      return "build all of them larger";
    }
    List<Foldable<?>> filters = foldables(inputs);
    long unit = Collections.min(filters, Comparator.comparingLong(Foldable::bits)).bits();
    long keys = rule.mostKeys(filters.stream().mapToLong(Foldable::approximateElementCount));
    Layout layout = filter.layout();
    if (layout.fpp(unit, keys) <= fpp) {
      for (int i = 0; i < filters.size(); i++) {
        long bits = filters.get(i).bits();
        if (bits % unit != 0) {
          return "build %s with --capacity %d, which is compatible, instead of %d"
              .formatted(NamedFiles.name(names.get(i)), (bits / unit + 1) * unit, bits);
        }
      }
    }
    long need = layout.foldableBits(layout.guaranteedBits(Math.max(1, keys), fpp));
    return "two full filters cannot share one size and keep their rate; build all of them with"
        + " --capacity %d%s, where the result has %s, or with --kind fingerprint, whose unions work at any sizes"
            .formatted(need, options(layout), Prose.rate(fpp));
  }

  /** Returns the options that select this layout, if they must be given. */
  private static String options(Layout layout) {
    if (layout instanceof Layout.Classic) {
      return " --layout classic --hashes " + layout.hashes();
    }
    return layout.equals(layout.family().forFpp(Size.DEFAULT_FPP))
        ? ""
        : " --pattern " + layout.pattern();
  }

  private static List<Foldable<?>> foldables(List<KindAdapter<?>> inputs) {
    return inputs.stream().<Foldable<?>>map(input -> (Foldable<?>) input.filter).toList();
  }
}
