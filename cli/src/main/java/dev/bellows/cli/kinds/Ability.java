package dev.bellows.cli.kinds;

import dev.bellows.Foldable;
import dev.bellows.KeyFilter;
import dev.bellows.Mergeable;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Messages;
import dev.bellows.cli.console.NamedFiles;
import dev.bellows.io.FilterKind;
import dev.bellows.io.Filters;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.range.RangeBloomFilter;
import java.util.List;
import java.util.stream.Stream;

/** What a verb requires of a filter: a kind supports it if its class is one of the types. */
public enum Ability {
  PUT(
      "does not take keys",
      KeyFilter.class,
      DynamicPartitionBloomFilter.class,
      RangeBloomFilter.class),
  REMOVE("cannot remove keys", KeyFilter.Removable.class, DynamicPartitionBloomFilter.class),
  FOLD("does not fold", Foldable.class),
  UNION("cannot be merged", Mergeable.class),
  INTERSECT("cannot be intersected", Mergeable.Intersectable.class),
  SUBTRACT("cannot subtract", Mergeable.Subtractable.class);

  private final String lack;

  @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
  private final List<Class<?>> types;

  Ability(String lack, Class<?>... types) {
    this.lack = lack;
    this.types = List.of(types);
  }

  /** Returns whether filters of the kind can do it; some of them only if they were built for it. */
  public boolean isOf(FilterKind kind) {
    Class<?> filters = Filters.format(kind).type();
    return types.stream().anyMatch(type -> type.isAssignableFrom(filters));
  }

  /**
   * Refuses the filter of a file if its kind cannot do it, and names the kinds that can; and one
   * that cannot do what others of its kind can.
   */
  public void require(KindAdapter<?> adapter, String file) {
    FilterKind kind = adapter.filter.kind();
    String name = NamedFiles.name(file);
    if (!isOf(kind)) {
      throw new CommandFailure(
          "%s is of kind %s, which %s: %s can%s",
          name, kind.word(), lack, kinds(), adapter.hint(this));
    }
    String refusal = adapter.refusal(this, name);
    if (refusal != null) {
      throw new CommandFailure(refusal);
    }
  }

  private String kinds() {
    List<String> able =
        Stream.of(FilterKind.values()).filter(this::isOf).map(FilterKind::word).toList();
    return (able.size() == 1 ? "kind " : "kinds ") + Messages.list(able, "and");
  }
}
