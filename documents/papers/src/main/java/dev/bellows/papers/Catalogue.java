package dev.bellows.papers;

import dev.bellows.papers.autoscaling.AutoscalingItems;
import dev.bellows.papers.folding.FoldingItems;
import dev.bellows.papers.notes.NotesItems;
import dev.bellows.papers.partition.PartitionItems;
import dev.bellows.papers.range.RangeItems;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All items, in the order of the documents. */
public final class Catalogue {
  private Catalogue() {}

  /** Returns every item. */
  public static List<Item> all() {
    return Stream.of(
            FoldingItems.items(),
            NotesItems.items(),
            PartitionItems.items(),
            RangeItems.items(),
            AutoscalingItems.items())
        .flatMap(List::stream)
        .toList();
  }

  /** Returns the items with this id or prefix; all of them if it is null. */
  public static List<Item> named(@Nullable String only) {
    List<Item> named =
        all().stream()
            .filter(
                item -> only == null || item.id().startsWith(only) || only.startsWith(item.id()))
            .toList();
    if (named.isEmpty()) {
      throw new IllegalArgumentException(
          "no table or figure is called %s: %s"
              .formatted(only, String.join(", ", all().stream().map(Item::id).toList())));
    }
    return named;
  }
}
