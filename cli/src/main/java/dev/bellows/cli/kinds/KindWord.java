package dev.bellows.cli.kinds;

import dev.bellows.cli.console.Numbers;
import dev.bellows.io.FilterKind;
import java.util.EnumSet;

/** The kinds that {@code build} makes, by their word. */
public final class KindWord extends Numbers.Word<FilterKind> {
  KindWord() {
    super(
        "a kind that this version builds",
        EnumSet.complementOf(
                EnumSet.of(
                    FilterKind.BINARIZED,
                    FilterKind.BINARIZED_COUNTING,
                    FilterKind.PARTITION_VIEW,
                    FilterKind.FOLDED,
                    FilterKind.WINDOW_PREFIXES,
                    FilterKind.DELTA,
                    FilterKind.FROZEN_PART))
            .toArray(new FilterKind[0]),
        FilterKind::word);
  }
}
