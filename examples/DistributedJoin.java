import dev.bellows.BloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionView;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A join of two tables at two sites that do not know each other's size (the first application
 * that the Partition paper names). Both have agreed on the settings of a partition filter, none
 * of which is a number of keys. Each sends the view of its filter, and the rows of the smaller
 * side whose keys pass the other's view are sent; the join is exact.
 *
 * <p>A plain filter has to be sized for a number of keys that both agree on in advance. One
 * that is sized for too few lets most rows pass, and one for too many costs as much as the rows
 * themselves.
 */
public final class DistributedJoin {
  /** Customer numbers. */
  private static final long UNIVERSE = 1L << 40;

  /** Units of 1,024 keys. */
  private static final int DEPTH = 30;

  private static final double FPP = 0.01;
  private static final int ROW_BYTES = 100;

  /** A table at one site: the keys of its rows. Only bytes leave a site. */
  private record Site(Set<Long> keys) {
    static Site of(SplittableRandom random, int own, Set<Long> shared) {
      Set<Long> keys = new TreeSet<>(shared);
      while (keys.size() < own + shared.size()) {
        keys.add(random.nextLong(UNIVERSE));
      }
      return new Site(keys);
    }

    byte[] view() throws IOException {
      DynamicPartitionBloomFilter filter =
          DynamicPartitionBloomFilter.create(UNIVERSE, DEPTH, FPP);
      keys.forEach(filter::putId);
      return filter.view().toBytes();
    }

    /** The keys of the rows to send to a site with this view. */
    Set<Long> passing(byte[] received) throws IOException {
      PartitionView view = PartitionView.fromBytes(received);
      Set<Long> passing = new HashSet<>(keys);
      passing.removeIf(key -> !view.mightContainId(key));
      return passing;
    }

    /** A plain filter for a number of keys that both sites have agreed on. */
    BloomFilter plain(int agreed) {
      BloomFilter filter = BloomFilter.create(agreed, FPP);
      keys.forEach(filter::put);
      return filter;
    }
  }

  public static void main(String[] arguments) throws IOException {
    System.out.printf(
        "%9s %9s %7s | %11s %11s %8s | %22s | %22s%n",
        "rows", "rows", "", "bytes of", "rows sent", "in vain", "plain, for 1,000 keys",
        "plain, for a million");
    System.out.printf(
        "%9s %9s %7s | %11s %11s %8s | %11s %10s | %11s %10s%n",
        "here", "there", "joined", "both views", "", "", "bytes", "rows sent", "bytes",
        "rows sent");
    int[][] sizes = {{2_000, 50_000, 50}, {5_000, 5_000, 500}, {50_000, 50_000, 100}, {20, 10, 0}};
    for (int[] size : sizes) {
      join(size[0], size[1], size[2]);
    }
  }

  private static void join(int rowsHere, int rowsThere, int common) throws IOException {
    SplittableRandom random = new SplittableRandom(rowsHere + rowsThere);
    Set<Long> shared = new HashSet<>();
    while (shared.size() < common) {
      shared.add(random.nextLong(UNIVERSE));
    }
    Site here = Site.of(random, rowsHere - common, shared);
    Site there = Site.of(random, rowsThere - common, shared);

    byte[] viewOfHere = here.view();
    byte[] viewOfThere = there.view();
    Set<Long> fromHere = here.passing(viewOfThere);
    Set<Long> fromThere = there.passing(viewOfHere);
    boolean hereSends = fromHere.size() <= fromThere.size();
    Set<Long> sent = hereSends ? fromHere : fromThere;
    Set<Long> joined = new HashSet<>(sent);
    joined.retainAll((hereSends ? there : here).keys());
    if (!joined.equals(shared)) {
      throw new IllegalStateException("%d joined of %d".formatted(joined.size(), common));
    }
    int[] plainRows = new int[2];
    long[] plainBytes = new long[2];
    int[] agreed = {1_000, 1_000_000};
    for (int i = 0; i < agreed.length; i++) {
      BloomFilter mine = here.plain(agreed[i]);
      BloomFilter theirs = there.plain(agreed[i]);
      plainBytes[i] = mine.sizeInBytes() + theirs.sizeInBytes();
      plainRows[i] =
          Math.min(
              (int) here.keys().stream().filter(theirs::mightContain).count(),
              (int) there.keys().stream().filter(mine::mightContain).count());
    }
    System.out.printf(
        "%,9d %,9d %,7d | %,11d %,11d %,8d | %,11d %,10d | %,11d %,10d%n",
        rowsHere,
        rowsThere,
        joined.size(),
        viewOfHere.length + viewOfThere.length,
        sent.size(),
        sent.size() - joined.size(),
        plainBytes[0],
        plainRows[0],
        plainBytes[1],
        plainRows[1]);
    System.out.printf(
        "%28s %,d bytes instead of %,d for all rows of the smaller side%n",
        "with rows of " + ROW_BYTES + " bytes:",
        viewOfHere.length + viewOfThere.length + (long) ROW_BYTES * sent.size(),
        (long) ROW_BYTES * Math.min(rowsHere, rowsThere));
  }
}
