import dev.bellows.BloomFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A router's list of watched addresses: most packets are cleared after reading one cache line.
 */
public final class RouterAddresses {
  public static void main(String[] arguments) {
    Path list = Path.of(arguments.length > 0 ? arguments[0] : "examples/addresses.txt");
    List<String> lines = lines(list);
    BloomFilter watched = watched(list);

    for (String address : List.of(lines.get(0), lines.get(lines.size() / 2), "8.8.8.8")) {
      boolean look = watched.mightContain(number(address));
      System.out.println(address + (look ? "   <- look at the full table" : "   forward"));
    }

    System.out.printf("%,d addresses, %s%n", lines.size(), watched);
    System.out.printf("heap of the filter  %,9d bytes%n", heapOf(() -> watched(list)));
    System.out.printf(
        "heap of a HashSet   %,9d bytes%n",
        heapOf(
            () -> lines(list).stream().map(RouterAddresses::number).collect(Collectors.toSet())));
  }

  private static BloomFilter watched(Path list) {
    List<String> lines = lines(list);
    BloomFilter filter = BloomFilter.create(lines.size(), 0.001);
    for (String line : lines) {
      filter.put(number(line));
    }
    return filter;
  }

  /** The address as the number it is. */
  private static long number(String address) {
    long number = 0;
    for (String part : address.split("\\.")) {
      number = number << 8 | Integer.parseInt(part);
    }
    return number;
  }

  private static List<String> lines(Path list) {
    try {
      return Files.readAllLines(list);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Measures the heap size of one such object: creates many and divides. */
  private static long heapOf(Supplier<?> maker) {
    long bytes = 0;
    for (int round = 0; round < 2; round++) { // the first one also counts start-up garbage
      Object[] kept = new Object[100];
      long before = usedHeap();
      for (int i = 0; i < kept.length; i++) {
        kept[i] = maker.get();
      }
      bytes = (usedHeap() - before) / kept.length;
      Reference.reachabilityFence(kept);
    }
    return bytes;
  }

  /** Collects garbage until no more is found. */
  private static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    long used = Long.MAX_VALUE;
    while (true) {
      System.gc();
      long now = runtime.totalMemory() - runtime.freeMemory();
      if (now >= used) {
        return used;
      }
      used = now;
    }
  }
}
