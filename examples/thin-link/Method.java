import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.elastic.ElasticBloomFilter;
import dev.bellows.plan.BloomPlan;
import dev.bellows.plan.CapacityPlan;
import dev.bellows.plan.TransmissionPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** How a peer tells the other which items it has: what its next transmission is. */
enum Method {
  /** Foldings to any size, each chosen for a receiver of those before. */
  FOLDING("folding to any divisor") {
    @Override
    Supplier<Optional<BloomFilter>> parts(
        Set<Long> ids, long filterId, Setting setting, LongConsumer cellsRead) {
      BloomPlan need = fixed(setting, filterId).plan();
      // the most divisors up to twice the need: the sieve of the Folding paper
      long capacity =
          CapacityPlan.smooth(need.bits(), need.bits(), LARGEST_PRIME).best().number();
      BloomPlan shape = new BloomPlan(need.layout(), capacity, setting.most());
      BloomFilter filter = BloomFilter.builder().shape(shape).id(filterId).build();
      ids.forEach(filter::put);
      List<Long> sent = new ArrayList<>();
      return () -> {
        if (sent.size() == MOST_FOLDINGS) {
          return Optional.empty();
        }
        long payload = setting.budget();
        Optional<TransmissionPlan> next =
            TransmissionPlan.next(shape, ids.size(), sent, payload);
        // the file has a header too
        while (next.isPresent()
            && filter.foldTo(next.get().bits()).sizeInBytes() > setting.budget()) {
          payload = next.get().bytes() - 1;
          next =
              payload == 0
                  ? Optional.empty()
                  : TransmissionPlan.next(shape, ids.size(), sent, payload);
        }
        next.ifPresent(
            plan -> {
              cellsRead.accept(shape.bits());
              sent.add(plan.bits());
            });
        return next.map(plan -> filter.foldTo(plan.bits()));
      };
    }
  },

  /**
   * The same with an elastic filter, for a node that queries its own items as well: its view
   * follows the number of items, and every resize reads the capacity, which is many times as
   * large.
   */
  ELASTIC("the same, elastic") {
    @Override
    Supplier<Optional<BloomFilter>> parts(
        Set<Long> ids, long filterId, Setting setting, LongConsumer cellsRead) {
      ElasticBloomFilter filter =
          ElasticBloomFilter.builder()
              .keys(setting.most())
              .fpp(FPP)
              .layout(Layout.Family.CLASSIC)
              .id(filterId)
              .build();
      ids.forEach(filter::put);
      // its view was folded while items came
      cellsRead.accept(filter.cellsRead());
      return () ->
          filter.sentSizes().size() == MOST_FOLDINGS
              ? Optional.empty()
              : filter
                  .nextTransmission(setting.budget())
                  .map(
                      next -> {
                        cellsRead.accept(filter.capacity());
                        return filter.ship(next.bits());
                      });
    }
  },

  /** Halving only: the largest size in the budget, then twice as much, and so on. */
  HALVING("folding by two only") {
    @Override
    Supplier<Optional<BloomFilter>> parts(
        Set<Long> ids, long filterId, Setting setting, LongConsumer cellsRead) {
      long need = fixed(setting, filterId).bits();
      long capacity = Long.highestOneBit(2 * need - 1);
      BloomFilter filter =
          BloomFilter.builder()
              .capacity(capacity)
              .fpp(FPP)
              .layout(Layout.Family.CLASSIC)
              .id(filterId)
              .build();
      ids.forEach(filter::put);
      long[] next = {capacity};
      while (filter.foldTo(next[0]).sizeInBytes() > setting.budget() && next[0] > SMALLEST) {
        next[0] /= 2;
      }
      return () -> {
        if (next[0] > capacity) {
          return Optional.empty();
        }
        BloomFilter part = filter.foldTo(next[0]);
        cellsRead.accept(capacity);
        next[0] *= 2;
        return Optional.of(part);
      };
    }
  },

  /** One filter of the size that the largest number of items needs, as without folding. */
  FIXED("a filter of fixed size") {
    @Override
    Supplier<Optional<BloomFilter>> parts(
        Set<Long> ids, long filterId, Setting setting, LongConsumer cellsRead) {
      BloomFilter filter = fixed(setting, filterId);
      ids.forEach(filter::put);
      boolean[] sent = {false};
      return () -> {
        boolean first = !sent[0];
        sent[0] = true;
        cellsRead.accept(first ? filter.bits() : 0);
        return first ? Optional.of(filter) : Optional.empty();
      };
    }
  },

  /** No filter: all ids go over the link. */
  IDS("plain exchange of ids") {
    @Override
    Supplier<Optional<BloomFilter>> parts(
        Set<Long> ids, long filterId, Setting setting, LongConsumer cellsRead) {
      return Optional::empty;
    }
  };

  private static final double FPP = 0.01;
  private static final int SMALLEST = 64;
  private static final int LARGEST_PRIME = 11;

  /** After this many foldings the remaining items are requested by id. */
  private static final int MOST_FOLDINGS = 8;

  /**
   * What both peers know.
   *
   * @param most the most items a peer may ever have
   * @param budget the most bytes of a filter in one round
   */
  record Setting(long most, long budget) {}

  private final String words;

  Method(String words) {
    this.words = words;
  }

  /** A filter for the most items there can be, with the fewest bits. */
  private static BloomFilter fixed(Setting setting, long filterId) {
    return BloomFilter.builder()
        .keys(setting.most())
        .fpp(FPP)
        .layout(Layout.Family.CLASSIC)
        .id(filterId)
        .build();
  }

  String words() {
    return words;
  }

  /**
   * The transmissions about a set of ids, one by one, until there are none. Every cell of a
   * filter that is read to make them is counted.
   */
  abstract Supplier<Optional<BloomFilter>> parts(
      Set<Long> ids, long filterId, Setting setting, LongConsumer cellsRead);
}
