package dev.bellows.cli.kinds;

import dev.bellows.cli.console.Numbers;
import dev.bellows.io.FilterKind;

/** The kinds that {@code build} makes, by their word. */
public final class KindWord extends Numbers.Word<FilterKind> {
  KindWord() {
    super(
        "a kind that this version builds",
        Adapters.buildable().toArray(new FilterKind[0]),
        FilterKind::word);
  }
}
