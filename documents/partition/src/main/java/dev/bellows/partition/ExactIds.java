package dev.bellows.partition;

import dev.bellows.HashScheme;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.partition.IdPartition;
import dev.bellows.internal.partition.IdPartition.IdRange;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * The ids of a leaf, stored in one of two forms. If several ids of a full leaf share a container of
 * 2^16 ids, they are stored as a RoaringBitmap of offsets; otherwise, each id would need a
 * container of its own, and they are stored as a sorted array. RoaringBitmap is an optional
 * dependency: without it, all leaves use arrays, at 8 bytes per id.
 *
 * <p>Only {@link #contains} may be called while another thread changes the content. It waits while
 * that thread puts or removes a single id.
 */
final class ExactIds implements LeafContent {
  /**
   * The maximum number of ids in a leaf's range per key of a full leaf: up to it, a container has
   * at least 8 keys.
   */
  private static final int ROARING_SPACING = 1 << 13;

  private static final long ROARING_IDS = 1L << 32;

  private static final boolean HAS_ROARING = hasRoaring();

  private final HashScheme scheme;
  private final long unitKeys;
  private final long first;
  private final @Nullable RoaringBitmap offsets;
  private long[] sorted;
  private int count;

  /** Creates a content with these ids, which must be sorted and belong to the node. */
  ExactIds(HashScheme scheme, long unitKeys, Node node, long[] ids) {
    IdRange range = node.ids();
    this.scheme = scheme;
    this.unitKeys = unitKeys;
    this.first = range.from();
    this.count = ids.length;
    this.offsets = isDense(range, unitKeys) ? offsets(ids, first) : null;
    this.sorted = offsets == null ? ids : new long[0];
  }

  private ExactIds(ExactIds original) {
    this.scheme = original.scheme;
    this.unitKeys = original.unitKeys;
    this.first = original.first;
    this.count = original.count;
    this.offsets = original.offsets == null ? null : original.offsets.clone();
    this.sorted = original.sorted.clone();
  }

  /** Returns the ids of all leaves in ascending order. */
  static long[] idsOf(List<CompressedTree.Leaf> leaves) {
    return leaves.stream()
        .flatMapToLong(leaf -> Arrays.stream(((ExactIds) leaf.content).ids()))
        .toArray();
  }

  private static RoaringBitmap offsets(long[] ids, long first) {
    int[] offsets = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      offsets[i] = (int) (ids[i] - first);
    }
    return RoaringBitmap.bitmapOf(offsets);
  }

  private static boolean isDense(IdRange range, long unitKeys) {
    long ids = range.size();
    return HAS_ROARING && ids > 0 && ids <= ROARING_IDS && ids / unitKeys <= ROARING_SPACING;
  }

  private static boolean hasRoaring() {
    try {
      return RoaringBitmap.bitmapOf(0).contains(0);
    } catch (NoClassDefFoundError absent) {
      return false;
    }
  }

  @Override
  public long keys() {
    return count;
  }

  @Override
  public long excess() {
    return 0;
  }

  @Override
  public long populatedUnits(IdPartition partition) {
    return Arrays.stream(ids()).map(partition::leafIndex).distinct().count();
  }

  synchronized boolean contains(long id) {
    return offsets == null
        ? Arrays.binarySearch(sorted, 0, count, id) >= 0
        : offsets.contains((int) (id - first));
  }

  @Override
  public synchronized boolean put(long id, long hash) {
    if (offsets != null) {
      boolean added = offsets.checkedAdd((int) (id - first));
      count += added ? 1 : 0;
      return added;
    }
    int found = Arrays.binarySearch(sorted, 0, count, id);
    if (found >= 0) {
      return false;
    }
    int place = -found - 1;
    long[] old = sorted;
    if (count == old.length) {
      sorted = Arrays.copyOf(old, count + 4 + count / 4);
    }
    System.arraycopy(old, place, sorted, place + 1, count - place);
    sorted[place] = id;
    count++;
    return true;
  }

  @Override
  public synchronized boolean remove(long id) {
    if (offsets != null) {
      boolean removed = offsets.checkedRemove((int) (id - first));
      count -= removed ? 1 : 0;
      return removed;
    }
    int found = Arrays.binarySearch(sorted, 0, count, id);
    if (found < 0) {
      return false;
    }
    count--;
    System.arraycopy(sorted, found + 1, sorted, found, count - found);
    return true;
  }

  /** Returns all ids in ascending order. */
  long[] ids() {
    if (offsets == null) {
      return Arrays.copyOf(sorted, count);
    }
    long[] ids = new long[count];
    PeekableIntIterator iterator = offsets.getIntIterator();
    for (int i = 0; i < count; i++) {
      ids[i] = first + Integer.toUnsignedLong(iterator.next());
    }
    return ids;
  }

  @Override
  public ExactIds part(Node node) {
    IdRange range = node.ids();
    long[] ids = ids();
    int from = lowerBound(ids, range.from());
    // a range that ends at 2^63 includes all remaining ids
    int to = range.to() < 0 ? ids.length : lowerBound(ids, range.to());
    return new ExactIds(scheme, unitKeys, node, Arrays.copyOfRange(ids, from, to));
  }

  private static int lowerBound(long[] sorted, long id) {
    int found = Arrays.binarySearch(sorted, id);
    return found < 0 ? -found - 1 : found;
  }

  @Override
  public ExactIds union(LeafContent other, Node node) {
    LongStream both =
        LongStream.concat(Arrays.stream(ids()), Arrays.stream(((ExactIds) other).ids()));
    return new ExactIds(scheme, unitKeys, node, both.sorted().distinct().toArray());
  }

  @Override
  public ExactIds intersection(LeafContent other, Node node) {
    ExactIds theirs = (ExactIds) other;
    return new ExactIds(
        scheme, unitKeys, node, Arrays.stream(ids()).filter(theirs::contains).toArray());
  }

  @Override
  public ExactIds copy() {
    return new ExactIds(this);
  }

  @Override
  public HeapBits filter(CompressedTree.LeafSizes.Size size) {
    HeapBits store = size.newStore();
    for (long id : ids()) {
      size.set(store, scheme.hash(id));
    }
    return store;
  }
}
