package dev.bellows.bench.peers;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.GradedMembership;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.papers.baseline.DynamicBloomFilter;
import dev.bellows.partition.DynamicPartitionBloomFilter;
import dev.bellows.partition.PartitionPlan;
import dev.bellows.range.RangeBloomFilter;
import dev.bellows.range.RangePlan;
import dev.bellows.range.RangeSchema;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.window.WindowFilter;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/** This library's filters beyond the plain ones, each compared with what it would replace. */
final class Structures {
  static final int COUNTERS = 1 << 27;
  static final int HASHES = 20;

  private Structures() {}

  /** Columns, from all keys at once. */
  @SuppressWarnings("NullAway.Init")
  public static final class Static extends Gathered {
    private FrozenFilter filter;

    public Static(Peer peer, Role role, long keys) {
      super(keys);
    }

    @Override
    void build(long[] keys) {
      filter = FrozenFilter.builder().fpp(Peer.STATIC_FPP).buildFrom(keys);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContain(key);
    }

    @Override
    public int count(long[] asked, boolean[] hits) {
      return filter.countMightContain(asked, hits);
    }

    @Override
    public long bits() {
      return filter.bits();
    }
  }

  /**
   * Keys that come evenly within a window of seven generations: in a window filter, or in a BLOCKED
   * filter for each generation, the newest queried first.
   */
  public static final class Expiring extends LongsOnly {
    private static final int GENERATIONS = 7;
    private static final long MILLIS = 7_000_000;

    private final long keys;
    private final @Nullable WindowFilter window;
    private final BloomFilter[] inTurn;
    private long count;

    public Expiring(Peer peer, Role role, long keys) {
      this.keys = keys;
      WindowFilter.Builder builder =
          WindowFilter.builder().window(Duration.ofMillis(MILLIS)).fpp(Peer.FPP);
      this.window =
          switch (peer) {
            case WINDOW_RING -> builder.keys(keys).build();
            case WINDOW_PREFIXES -> builder.build();
            default -> null;
          };
      this.inTurn = new BloomFilter[window == null ? GENERATIONS + 1 : 0];
      double one = 1 - Math.pow(1 - Peer.FPP, 1.0 / (GENERATIONS + 1));
      Arrays.setAll(
          inTurn,
          i ->
              BloomFilter.builder()
                  .keys(Math.max(1, keys / GENERATIONS))
                  .fpp(one)
                  .layout(Layout.Family.BLOCKED)
                  .build());
    }

    @Override
    public void put(long key) {
      // from the middle of a generation on, so that a window of keys is in eight of them
      long half = count++ * 2 * GENERATIONS / keys + 1;
      if (window == null) {
        inTurn[GENERATIONS - (int) Math.min(GENERATIONS, half / 2)].put(key);
      } else {
        long hash = window.hashScheme().hash(key);
        window.putHash(hash, Math.min(GENERATIONS, half / 2) * (MILLIS / GENERATIONS));
      }
    }

    @Override
    public boolean mightContain(long key) {
      if (window != null) {
        return window.mightContain(key);
      }
      for (BloomFilter filter : inTurn) {
        if (filter.mightContain(key)) {
          return true;
        }
      }
      return false;
    }

    @Override
    public int count(long[] asked, boolean[] hits) {
      return window == null ? super.count(asked, hits) : window.countMightContain(asked, hits);
    }

    @Override
    public long bits() {
      return window == null
          ? Arrays.stream(inTurn).mapToLong(BloomFilter::bits).sum()
          : 8 * window.heapBytes();
    }
  }

  /** Levels that double, from a thousand keys on. */
  public static final class Growing extends LongsOnly {
    private final ScalableBloomFilter filter = ScalableBloomFilter.create(Peer.FPP);

    public Growing(Peer peer, Role role, long keys) {}

    @Override
    public void put(long key) {
      filter.put(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return filter.bits();
    }
  }

  /** A band of 1 % +- 0.4 % from the first key on. */
  public static final class Elastic extends LongsOnly {
    private final ElasticBloomFilter filter;

    public Elastic(Peer peer, Role role, long keys) {
      filter = ElasticBloomFilter.builder().keys(keys).fpp(Peer.FPP).tolerance(0.004).build();
    }

    @Override
    public void put(long key) {
      filter.put(key);
    }

    @Override
    public boolean mightContain(long key) {
      return filter.mightContain(key);
    }

    @Override
    public long bits() {
      return filter.capacity();
    }
  }

  /** The tree, its view, and the list of equal filters that the Partition paper compares with. */
  public static final class Ids extends LongsOnly {
    private static final int ID_BITS = 30;
    private static final int DEPTH = 20;
    private static final double FPP = 1e-4;
    private static final int HASHES = 13;

    private final Peer peer;
    private final PartitionPlan plan = PartitionPlan.of(1L << ID_BITS, DEPTH, FPP, HASHES);
    private final DynamicPartitionBloomFilter tree;
    private final DynamicBloomFilter list;
    private @Nullable LongPredicate asked;

    public Ids(Peer peer, Role role, long keys) {
      this.peer = peer;
      tree =
          DynamicPartitionBloomFilter.builder()
              .universe(1L << ID_BITS)
              .depth(DEPTH)
              .fpp(FPP)
              .hashes(HASHES)
              .build();
      list = new DynamicBloomFilter(plan.unitKeys(), plan.unitBits(), HASHES);
    }

    @Override
    public void put(long key) {
      long id = key >>> (Long.SIZE - ID_BITS);
      if (peer == Peer.FILTER_LIST) {
        list.put(id);
      } else {
        tree.putId(id);
      }
    }

    @Override
    public void load(long[] keys) {
      if (peer == Peer.FILTER_LIST) {
        super.load(keys);
        return;
      }
      tree.putIds(Arrays.stream(keys).map(key -> key >>> (Long.SIZE - ID_BITS)).toArray());
    }

    @Override
    public void loaded() {
      asked =
          switch (peer) {
            case FILTER_LIST -> list::mightContain;
            case PARTITION_VIEW -> tree.view()::mightContainId;
            default -> tree::mightContainId;
          };
    }

    @Override
    public boolean mightContain(long key) {
      return asked != null && asked.test(key >>> (Long.SIZE - ID_BITS));
    }

    @Override
    public long bits() {
      return peer == Peer.FILTER_LIST ? list.size() * plan.unitBits() : tree.view().stats().bits();
    }
  }

  /** Counters read through thresholds, and the two things made from them. */
  public static final class Thresholds extends LongsOnly {
    private final Peer peer;
    private final AutoscalingBloomFilter filter = AutoscalingBloomFilter.create(COUNTERS, HASHES);
    private @Nullable GradedMembership asked;

    public Thresholds(Peer peer, Role role, long keys) {
      this.peer = peer;
    }

    @Override
    public void put(long key) {
      filter.put(key);
    }

    @Override
    public void loaded() {
      asked =
          switch (peer) {
            case AUTOSCALING_BITS -> filter.binarize();
            case AUTOSCALING_LIKELIHOOD -> filter.likelihood();
            default -> filter;
          };
    }

    @Override
    public boolean mightContain(long key) {
      return asked != null && asked.accepts(key);
    }

    @Override
    public long bits() {
      return peer == Peer.AUTOSCALING_BITS ? COUNTERS : 4L * COUNTERS;
    }
  }

  /**
   * A range of 1,000 of 10,000 numbers in 512 bits; the queries are ranges of 800 from a number on.
   */
  public static final class Ranges extends LongsOnly {
    private static final long DOMAIN = 10_000;
    private static final long RANGE = 1000;
    private static final long ASKED = 800;
    private static final int BITS = 512;
    private static final int MAX_HASHES = 8;

    private final RangeBloomFilter filter;

    public Ranges(Peer peer, Role role, long keys) {
      RangePlan.Scheme scheme =
          switch (peer) {
            case RANGE_PLAIN -> RangePlan.Scheme.PLAIN;
            case RANGE_DIVISION -> RangePlan.Scheme.DIVISION;
            case RANGE_OVERLAPPING -> RangePlan.Scheme.OVERLAPPING;
            default -> RangePlan.Scheme.DIVISION_OVERLAPPING;
          };
      RangePlan plan = RangePlan.best(scheme, BITS, MAX_HASHES, DOMAIN, RANGE);
      Domain domain = Domain.of(0, DOMAIN - 1);
      filter =
          RangeBloomFilter.create(
              RangeSchema.of(
                  BITS,
                  MAX_HASHES,
                  new Attribute("x", domain, scheme, MAX_HASHES, plan.divide(), plan.shift())));
    }

    private static long start(long key, long length) {
      return Math.multiplyHigh(key >>> 1, 2 * (DOMAIN - length));
    }

    @Override
    public void put(long key) {
      long from = start(key, RANGE);
      filter.putRange("x", from, from + RANGE - 1);
    }

    @Override
    public boolean mightContain(long key) {
      long from = start(key, ASKED);
      return filter.mightContainRange("x", from, from + ASKED - 1);
    }

    @Override
    public long bits() {
      return BITS;
    }
  }
}
