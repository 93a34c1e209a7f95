package dev.bellows.papers.autoscaling;

import dev.bellows.papers.Item;
import java.util.List;

/** The table and figures of the Autoscaling paper. */
public final class AutoscalingItems {
  private AutoscalingItems() {}

  /** Returns the items, in the document's order. */
  public static List<Item> items() {
    return List.of(
        new Figure1(),
        new EmptyShare(),
        new ModelError(),
        new Figure2(),
        new Figure3(),
        new Table1(),
        new Figure4(),
        new LivingFilter(),
        new LimitedCounters());
  }
}
