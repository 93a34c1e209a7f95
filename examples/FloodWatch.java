import dev.bellows.autoscale.AutoscalingBloomFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/**
 * A router that counts packets per source and stops those that send too many. Every packet counts
 * at a few positions of a small table; a source has passed the limit when all its positions have.
 * No such source is missed, and forged senders that come once each hardly fill the table.
 */
public final class FloodWatch {
  private static final int LIMIT = 20;
  private static final int HASHES = 4;
  private static final int FORGED = 50_000;
  private static final int FLOODERS = 8;
  private static final int PACKETS_OF_FLOODER = 500;

  public static void main(String[] arguments) {
    // theta: a counter must exceed the limit; decision: all positions of a source must
    AutoscalingBloomFilter counts =
        AutoscalingBloomFilter.builder()
            .bits(1 << 16)
            .hashes(HASHES)
            .counterBits(8)
            .thresholds(LIMIT, HASHES)
            .build();
    Map<Integer, Integer> exact = new HashMap<>();
    Set<Integer> stopped = new TreeSet<>();
    SplittableRandom random = new SplittableRandom(1);
    int packets = FORGED + FLOODERS * PACKETS_OF_FLOODER;
    for (int i = 0; i < packets; i++) {
      boolean flood = random.nextInt(packets) < FLOODERS * PACKETS_OF_FLOODER;
      int source = flood ? 0x0A000001 + random.nextInt(FLOODERS) : random.nextInt();
      counts.put(source);
      exact.merge(source, 1, Integer::sum);
      if (counts.accepts(source)) {
        stopped.add(source);
      }
    }
    long missed =
        exact.entrySet().stream()
            .filter(entry -> entry.getValue() > LIMIT && !stopped.contains(entry.getKey()))
            .count();
    long accused = stopped.stream().filter(source -> exact.get(source) <= LIMIT).count();
    for (int source : stopped) {
      System.out.printf("%s   <- stopped, %d packets%n", address(source), exact.get(source));
    }
    System.out.printf("%,d packets from %,d sources%n", packets, exact.size());
    System.out.printf("seen more than %d times and not stopped: %d%n", LIMIT, missed);
    System.out.printf("stopped though seen less often: %d%n", accused);
    System.out.printf("table of counters: %,d bytes%n", counts.sizeInBytes());
  }

  private static String address(int source) {
    return "%d.%d.%d.%d"
        .formatted(source >>> 24, source >>> 16 & 255, source >>> 8 & 255, source & 255);
  }
}
