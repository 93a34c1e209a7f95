import dev.bellows.CountingBloomFilter;
import dev.bellows.Layout;
import dev.bellows.autoscale.AutoscalingBloomFilter;
import dev.bellows.autoscale.CountingReading;
import dev.bellows.autoscale.ThresholdPlan;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A router that counts packets per source and stops those that send too many within a minute.
 * Every packet counts at a few positions of a table of counters; a source exceeds the limit
 * when all its positions do.
 *
 * <p>The table covers the last 60 to 70 seconds: every 10 seconds the packets of the oldest
 * slice, which are kept in a separate table, are subtracted. So no source that passes the limit
 * within a minute is missed, and a busy one that sends steadily is left alone, however long it
 * sends. A table that never forgets stops such a source as well.
 */
public final class FloodWatch {
  private static final int LIMIT = 20;
  private static final int HASHES = 4;
  private static final int COUNTERS = 1 << 16;
  private static final int SECONDS = 600;
  private static final int SLICE = 10;
  private static final int SLICES = 6;
  private static final int FORGED = 50_000;
  private static final int FLOODERS = 8;
  private static final int PACKETS_OF_FLOODER = 500;
  private static final int BUSY = 40;
  private static final int SECONDS_PER_PACKET_OF_BUSY = 5;
  private static final int FIRST_FLOODER = 0x0A000001;
  private static final int FIRST_BUSY = 0xC0A80001;

  /** The packets of the last seconds, in slices that are forgotten one by one. */
  private static final class SlidingTable {
    private CountingBloomFilter sum = table();
    private CountingBloomFilter slice = table();
    private final Deque<CountingBloomFilter> slices = new ArrayDeque<>();
    private CountingReading reading = reading(sum);

    private static CountingBloomFilter table() {
      return CountingBloomFilter.builder()
          .capacity(COUNTERS)
          .hashes(HASHES)
          .layout(Layout.Family.CLASSIC)
          .counterBits(4)
          .build();
    }

    /** A counter must exceed the limit, at all positions of a source. */
    private static CountingReading reading(CountingBloomFilter sum) {
      return CountingReading.of(sum, new ThresholdPlan.Rule.Fixed(LIMIT, HASHES));
    }

    /** Counts a packet; true if its source is above the limit now. */
    boolean count(int source) {
      sum.put(source);
      slice.put(source);
      return reading.accepts(source);
    }

    /** Begins the next slice and forgets the oldest. */
    void nextSlice() {
      slices.add(slice);
      slice = table();
      if (slices.size() > SLICES) {
        sum = sum.subtract(slices.remove());
        reading = reading(sum);
      }
    }

    long sizeInBytes() {
      long kept = slices.stream().mapToLong(CountingBloomFilter::sizeInBytes).sum();
      return sum.sizeInBytes() + slice.sizeInBytes() + kept;
    }
  }

  public static void main(String[] arguments) {
    SlidingTable window = new SlidingTable();
    AutoscalingBloomFilter ever =
        AutoscalingBloomFilter.builder()
            .bits(COUNTERS)
            .hashes(HASHES)
            .counterBits(8)
            .thresholds(LIMIT, HASHES)
            .build();
    Map<Integer, List<Integer>> exact = new HashMap<>();
    Set<Integer> stopped = new TreeSet<>();
    Set<Integer> stoppedByTotal = new TreeSet<>();
    int packets = 0;
    List<List<Integer>> traffic = traffic(new SplittableRandom(1));
    for (int second = 0; second < SECONDS; second++) {
      if (second > 0 && second % SLICE == 0) {
        window.nextSlice();
      }
      for (int source : traffic.get(second)) {
        packets++;
        exact.computeIfAbsent(source, s -> new ArrayList<>()).add(second);
        if (window.count(source)) {
          stopped.add(source);
        }
        ever.put(source);
        if (ever.accepts(source)) {
          stoppedByTotal.add(source);
        }
      }
    }
    long missed =
        exact.entrySet().stream()
            .filter(e -> most(e.getValue(), SLICE * SLICES) > LIMIT)
            .filter(e -> !stopped.contains(e.getKey()))
            .count();
    long accused =
        stopped.stream().filter(s -> most(exact.get(s), SLICE * (SLICES + 1)) <= LIMIT).count();
    for (int source : stopped) {
      System.out.printf(
          "%s   <- stopped, %d packets in a minute%n",
          address(source), most(exact.get(source), SLICE * SLICES));
    }
    System.out.printf("%,d packets from %,d sources in %d s%n", packets, exact.size(), SECONDS);
    System.out.printf("more than %d packets in a minute and not stopped: %d%n", LIMIT, missed);
    System.out.printf("stopped though never above the limit: %d%n", accused);
    System.out.printf(
        "busy sources, %d packets each: %d; stopped: %d; stopped by a table without a window: %d%n",
        SECONDS / SECONDS_PER_PACKET_OF_BUSY, BUSY, busy(stopped), busy(stoppedByTotal));
    System.out.printf(
        "tables of counters: %,d bytes; without a window: %,d bytes%n",
        window.sizeInBytes(), ever.sizeInBytes());
  }

  /** The sources of the packets of every second. */
  private static List<List<Integer>> traffic(SplittableRandom random) {
    List<List<Integer>> traffic = new ArrayList<>();
    for (int second = 0; second < SECONDS; second++) {
      traffic.add(new ArrayList<>());
    }
    for (int i = 0; i < FORGED; i++) {
      traffic.get(random.nextInt(SECONDS)).add(random.nextInt());
    }
    for (int i = 0; i < FLOODERS; i++) {
      int start = random.nextInt(SECONDS - 30);
      for (int packet = 0; packet < PACKETS_OF_FLOODER; packet++) {
        traffic.get(start + random.nextInt(30)).add(FIRST_FLOODER + i);
      }
    }
    for (int i = 0; i < BUSY; i++) {
      int phase = random.nextInt(SECONDS_PER_PACKET_OF_BUSY);
      for (int second = phase; second < SECONDS; second += SECONDS_PER_PACKET_OF_BUSY) {
        traffic.get(second).add(FIRST_BUSY + i);
      }
    }
    return traffic;
  }

  /** The most of these ascending times that lie within some seconds. */
  private static int most(List<Integer> times, int seconds) {
    int most = 0;
    int from = 0;
    for (int to = 0; to < times.size(); to++) {
      while (times.get(to) - times.get(from) >= seconds) {
        from++;
      }
      most = Math.max(most, to - from + 1);
    }
    return most;
  }

  private static long busy(Set<Integer> sources) {
    return sources.stream().filter(s -> s >= FIRST_BUSY && s < FIRST_BUSY + BUSY).count();
  }

  private static String address(int source) {
    return "%d.%d.%d.%d"
        .formatted(source >>> 24, source >>> 16 & 255, source >>> 8 & 255, source & 255);
  }
}
