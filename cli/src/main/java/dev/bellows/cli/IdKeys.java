package dev.bellows.cli;

import dev.bellows.DynamicPartitionBloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.Membership;
import dev.bellows.PartitionView;
import dev.bellows.RemovableKeys;
import dev.bellows.plan.IdPartition;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Partition filters as filters over keys. With {@code --longs} a key is the id itself; without, its
 * hash is scaled to the universe. Ids travel with their bits reversed where hashes do, so that even
 * small ones differ in their first bits, by which verbs cut keys into slices.
 */
final class IdKeys {
  private IdKeys() {}

  /** The filter as one over keys, if it is a partition filter; keys are then read as it wants. */
  static Filter adapt(Filter filter, KeyOptions options) {
    if (filter instanceof DynamicPartitionBloomFilter partition) {
      options.ids = true;
      return new Full(partition, ids(partition.plan().partition(), options));
    }
    if (filter instanceof PartitionView view) {
      options.ids = true;
      return new Tree(view, ids(view.plan().partition(), options));
    }
    return filter;
  }

  private static Ids ids(IdPartition partition, KeyOptions options) {
    return options.longs ? Long::reverse : partition::idOfHash;
  }

  /** From what travels as a hash to an id. */
  private interface Ids {
    long of(long hash);
  }

  private record Full(DynamicPartitionBloomFilter filter, Ids ids) implements RemovableKeys {
    @Override
    public HashScheme hashScheme() {
      return filter.hashScheme();
    }

    @Override
    public boolean mightContainHash(long hash) {
      return filter.mightContain(ids.of(hash));
    }

    @Override
    public boolean putHash(long hash) {
      return filter.put(ids.of(hash));
    }

    @Override
    public boolean removeHash(long hash) {
      try {
        return filter.remove(ids.of(hash));
      } catch (UnsupportedOperationException e) {
        throw new CommandFailure("a filter of mode published cannot remove: build --mode exact", e);
      }
    }

    @Override
    public FilterStats stats() {
      return filter.stats();
    }

    @Override
    public String explain() {
      return filter.explain();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      filter.writeTo(out);
    }
  }

  private record Tree(PartitionView view, Ids ids) implements Membership, Filter {
    @Override
    public HashScheme hashScheme() {
      return view.hashScheme();
    }

    @Override
    public boolean mightContainHash(long hash) {
      return view.mightContain(ids.of(hash));
    }

    @Override
    public FilterStats stats() {
      return view.stats();
    }

    @Override
    public String explain() {
      return view.explain();
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      view.writeTo(out);
    }
  }
}
