package dev.bellows.papers.folding;

import dev.bellows.BloomFilter;
import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.elastic.ElasticBloomFilter.FoldPolicy;
import dev.bellows.elastic.ElasticBloomFilter.Resize;
import java.util.function.BiFunction;

/** A filter that may follow the number of its keys, and counts the cost of doing so. */
abstract class Follower {
  static final double FPP = 0.01;
  static final Layout CELLS = Layout.Family.CLASSIC.forFpp(FPP);

  private static final int COUNTER_BITS = 4;
  private static final long ID = 16;

  /** The ways that are compared. */
  enum Way {
    INDEPENDENT("independent", (most, e) -> new Elastic(policy(most, e, FoldPolicy.INDEPENDENT))),
    PLANNED("independent with planned parts", Planned::new),
    GREEDY("greedy", (most, e) -> new Elastic(policy(most, e, FoldPolicy.GREEDY))),
    ENTROPY("entropy", (most, e) -> new Elastic(policy(most, e, FoldPolicy.ENTROPY))),
    HALVING("folding by two only", (most, e) -> new Elastic(halving(most, e))),
    FIXED("fixed size", Fixed::new);

    private final String words;

    @SuppressWarnings("ImmutableEnumChecker") // factories without state
    private final BiFunction<Integer, Double, Follower> maker;

    Way(String words, BiFunction<Integer, Double, Follower> maker) {
      this.words = words;
      this.maker = maker;
    }

    String words() {
      return words;
    }

    /** Returns an empty filter for at most this many keys that keeps its rate in a band. */
    Follower make(int mostKeys, double tolerance) {
      return maker.apply(mostKeys, tolerance);
    }
  }

  /** How often the size that answers queries changed. */
  long resizes;

  /** Cells read because the number of keys changed. */
  long cellsReadToFollow;

  /** Cells read for another folding of the same content. */
  long cellsReadToShip;

  abstract void put(long key);

  abstract void remove(long key);

  /** Returns what is sent: another folding each time, if possible. */
  abstract BloomFilter snapshot();

  /** Returns the size that answers queries. */
  abstract long bits();

  /** Returns the share of changes after which the rate was in the band, by the number of keys. */
  abstract double bandShare();

  /** Returns the rate of the real fill. */
  abstract double expectedFpp();

  private static ElasticBloomFilter.Builder policy(
      int mostKeys, double tolerance, FoldPolicy policy) {
    return common(tolerance).keys(mostKeys).policy(policy);
  }

  /** Sets a capacity that only halves: the next power of two above that of the others. */
  private static ElasticBloomFilter.Builder halving(int mostKeys, double tolerance) {
    long capacity = policy(mostKeys, tolerance, FoldPolicy.INDEPENDENT).build().capacity();
    return common(tolerance).capacity(Long.highestOneBit(2 * capacity - 1));
  }

  private static ElasticBloomFilter.Builder common(double tolerance) {
    return ElasticBloomFilter.builder()
        .fpp(FPP)
        .tolerance(tolerance)
        .layout(Layout.Family.CLASSIC)
        .counting(COUNTER_BITS)
        .id(ID);
  }

  /** One that folds and unfolds. */
  private static class Elastic extends Follower {
    final ElasticBloomFilter filter;
    private boolean shipping;

    Elastic(ElasticBloomFilter.Builder builder) {
      filter = builder.onResize(this::count).build();
    }

    private void count(Resize resize) {
      if (shipping) {
        cellsReadToShip += resize.cellsRead();
      } else {
        resizes++;
        cellsReadToFollow += resize.cellsRead();
      }
    }

    @Override
    void put(long key) {
      filter.put(key);
    }

    @Override
    void remove(long key) {
      filter.remove(key);
    }

    @Override
    BloomFilter snapshot() {
      shipping = true;
      BloomFilter part = filter.snapshot();
      shipping = false;
      return part;
    }

    @Override
    long bits() {
      return filter.bits();
    }

    @Override
    double bandShare() {
      return filter.bandShare();
    }

    @Override
    double expectedFpp() {
      return filter.expectedFpp();
    }
  }

  /** One whose parts may leave the band: after its view any size of at most as many bytes. */
  private static final class Planned extends Elastic {
    /** A header and a few bits. */
    private static final int LEAST_BUDGET = 300;

    Planned(int mostKeys, double tolerance) {
      super(policy(mostKeys, tolerance, FoldPolicy.INDEPENDENT));
    }

    @Override
    BloomFilter snapshot() {
      return filter.sentSizes().isEmpty()
          ? filter.snapshot()
          : filter
              .nextTransmission(Math.max(LEAST_BUDGET, filter.bits() / Byte.SIZE))
              .map(next -> filter.ship(next.bits()))
              .orElseGet(filter::snapshot);
    }
  }

  /** One of the size that the maximum number of keys needs. */
  private static final class Fixed extends Follower {
    private final CountingBloomFilter filter;
    private final long fewest;
    private final long most;
    private long keys;
    private long changes;
    private long inBand;

    Fixed(int mostKeys, double tolerance) {
      filter =
          CountingBloomFilter.builder()
              .keys(mostKeys)
              .fpp(FPP)
              .layout(Layout.Family.CLASSIC)
              .counterBits(COUNTER_BITS)
              .id(ID)
              .build();
      fewest = CELLS.keysFor(filter.bits(), FPP - tolerance);
      most = CELLS.keysFor(filter.bits(), FPP + tolerance);
    }

    @Override
    void put(long key) {
      filter.put(key);
      changed(1);
    }

    @Override
    void remove(long key) {
      filter.remove(key);
      changed(-1);
    }

    private void changed(int by) {
      keys += by;
      changes++;
      inBand += fewest <= keys && keys <= most ? 1 : 0;
    }

    @Override
    BloomFilter snapshot() {
      return filter.toBloomFilter();
    }

    @Override
    long bits() {
      return filter.bits();
    }

    @Override
    double bandShare() {
      return (double) inBand / changes;
    }

    @Override
    double expectedFpp() {
      return filter.expectedFpp();
    }
  }
}
