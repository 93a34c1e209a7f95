import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;

/**
 * A list of forbidden passwords: all of them are refused, and so is one good password in a
 * thousand. Users choose the keys here, adversaries among them, so they are hashed under a
 * secret key.
 */
public final class ForbiddenPasswords {
  public static void main(String[] arguments) {
    Path list = Path.of(arguments.length > 0 ? arguments[0] : "examples/passwords.txt");
    byte[] secret = new byte[16];
    new SecureRandom().nextBytes(secret);
    BloomFilter forbidden = forbidden(list, secret);

    for (String password : List.of("letmein", "Dragon123", "correct horse battery staple")) {
      System.out.println(password + (forbidden.mightContain(password) ? "   <- forbidden" : ""));
    }

    System.out.printf("%,d passwords, %s%n", passwords(list).size(), forbidden);
    System.out.printf("heap of the filter  %,9d bytes%n", heapOf(() -> forbidden(list, secret)));
    System.out.printf(
        "heap of a HashSet   %,9d bytes%n", heapOf(() -> new HashSet<>(passwords(list))));
  }

  private static BloomFilter forbidden(Path list, byte[] secret) {
    List<String> passwords = passwords(list);
    BloomFilter filter =
        BloomFilter.builder()
            .keys(passwords.size())
            .fpp(0.001)
            .hashScheme(HashScheme.sipHash(secret))
            .build();
    passwords.forEach(filter::put);
    return filter;
  }

  private static List<String> passwords(Path list) {
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
