package dev.bellows.cli;

import dev.bellows.BloomFilter;
import dev.bellows.Foldable;
import dev.bellows.FoldableFilter;
import dev.bellows.HashScheme;
import dev.bellows.Pattern;
import dev.bellows.internal.rates.Cells;
import dev.bellows.plan.BloomPlan;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A filter that folds, of bits or of counters.
 *
 * @param <F> the type of the filters of the kind
 */
abstract class FoldableAdapter<F extends FoldableFilter<F>> extends MergingAdapter<F> {
  FoldableAdapter(F filter) {
    super(filter);
  }

  @Override
  final HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  CodedKeys keys(boolean longs) {
    return CodedKeys.of(filter);
  }

  @Override
  final Foldable<?> folding() {
    return filter;
  }

  @Override
  final BloomFilter part() {
    return filter.toBloomFilter();
  }

  @Override
  final long foldedBy(long resultBits) {
    return filter.bits() / resultBits;
  }

  /** Filters of different rates have different patterns unless they are told otherwise. */
  @Override
  final String wayOut(MergingAdapter<?> other, String name, String otherName) {
    Pattern pattern = filter.plan().pattern();
    if (!(other.filter instanceof FoldableFilter<?> second)
        || second.layout() != filter.layout()
        || second.hashes() == filter.hashes() && Objects.equals(second.plan().pattern(), pattern)) {
      return "";
    }
    return pattern == null
        ? " (build %s again with --like %s)".formatted(otherName, name)
        : " (build %s again with --like %s or --pattern %s)".formatted(otherName, name, pattern);
  }

  @Override
  final String meeting(List<MergingAdapter<?>> inputs, long resultBits) {
    return "%s bits meet at %d bits, where "
        .formatted(
            foldables(inputs).stream().map(f -> "" + f.bits()).collect(Collectors.joining(" and ")),
            resultBits);
  }

  /** A capacity at which the filters would meet without passing the rate. */
  @Override
  final String advice(
      List<MergingAdapter<?>> inputs, List<String> names, MergeRule rule, double maxFpp) {
    if (maxFpp == 0) {
      return "";
    }
    List<Foldable<?>> filters = foldables(inputs);
    long unit = Collections.min(filters, Comparator.comparingLong(Foldable::bits)).bits();
    long keys = rule.mostKeys(filters.stream().mapToLong(Foldable::approximateElementCount));
    BloomPlan plan = filter.plan();
    Cells cells = Cells.of(plan.layout(), plan.pattern(), plan.hashes());
    if (cells.fpp(unit, keys) <= maxFpp) {
      for (int i = 0; i < filters.size(); i++) {
        long bits = filters.get(i).bits();
        if (bits % unit != 0) {
          return "build %s with --capacity %d, which is compatible, instead of %d, or "
              .formatted(FilterFiles.name(names.get(i)), (bits / unit + 1) * unit, bits);
        }
      }
    }
    long need = cells.bitsFor(keys, maxFpp);
    return "build all of them with --capacity " + (need / unit + 1) * unit + ", or ";
  }

  private static List<Foldable<?>> foldables(List<MergingAdapter<?>> inputs) {
    return inputs.stream().<Foldable<?>>map(KindAdapter::folding).toList();
  }
}
