package dev.bellows.mapped;

import dev.bellows.BloomFilter;
import dev.bellows.MappedFilter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Truncates a file under a mapped filter in every round and counts how its operations react. The
 * JVM reports the fault of a read at the next safepoint, so another thread constantly requests
 * safepoints: they occur before, inside and after every statement of an operation.
 */
final class TruncatedRounds {
  private static final long[] KEYS = LongStream.range(0, 500).toArray();

  private TruncatedRounds() {}

  private interface Operation {
    /** The result is not used: the operation must throw. */
    @Nullable Object run(MappedFilter<BloomFilter> mapped) throws IOException;
  }

  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    BloomFilter heap = BloomFilter.builder().bits(512L * 2310).hashes(6).build();
    heap.putAll(KEYS);
    byte[] file = heap.toBytes();
    List<Operation> operations =
        List.of(
            mapped -> mapped.filter().foldBy(2),
            mapped -> mapped.filter().copy(),
            mapped -> mapped.filter().stats(),
            mapped -> {
              mapped.verify();
              return null;
            },
            mapped -> mapped.filter().toBytes(),
            mapped -> mapped.filter().hashCode(),
            mapped -> mapped.filter().equals(heap),
            mapped -> heap.union(mapped.filter()),
            mapped -> mapped.filter().countMightContain(KEYS, new boolean[KEYS.length]),
            mapped -> mapped.filter().mightContain(3L));
    Thread storm = new Thread(TruncatedRounds::askForSafepoints);
    storm.setDaemon(true);
    storm.start();
    int refused = 0;
    int faults = 0;
    for (int round = 0; round < rounds; round++) {
      for (Operation operation : operations) {
        Files.write(path, file);
        try (MappedFilter<BloomFilter> mapped = BloomFilter.map(path)) {
          if (round % 3 > 0) {
            // new pieces are checked by the operation, others before it
            mapped.verify();
          }
          cut(path);
          Object unused = operation.run(mapped);
        } catch (UncheckedIOException | IOException e) {
          refused++;
        } catch (InternalError e) {
          faults++;
          e.printStackTrace();
        }
        try {
          // where a fault that was not reported would come at the latest
          Class.forName("none");
        } catch (ClassNotFoundException e) {
          // as expected
        } catch (InternalError e) {
          faults++;
          e.printStackTrace();
        }
        Files.delete(path);
      }
    }
    System.out.printf(
        "faults %d, not noticed %d%n", faults, rounds * operations.size() - refused - faults);
  }

  private static void cut(Path path) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(4096);
    }
  }

  private static void askForSafepoints() {
    while (true) {
      ManagementFactory.getThreadMXBean().dumpAllThreads(false, false);
    }
  }
}
