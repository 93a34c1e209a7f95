import dev.bellows.BloomFilter;
import dev.bellows.KeyHasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;

/** A spell checker: a word that is not in the filter is certainly misspelled. */
public final class SpellChecker {
  public static void main(String[] arguments) {
    Path list = Path.of(arguments.length > 0 ? arguments[0] : "examples/words.txt");
    BloomFilter dictionary = dictionary(list);

    for (String word : "the bellows folds and unfolds its lether without efort".split(" ")) {
      System.out.println(word + (dictionary.mightContain(word) ? "" : "   <- misspelled"));
    }

    System.out.printf("%,d words, %s%n", words(list).size(), dictionary);
    System.out.printf("heap of the filter  %,9d bytes%n", heapOf(() -> dictionary(list)));
    System.out.printf("heap of a HashSet   %,9d bytes%n", heapOf(() -> new HashSet<>(words(list))));
  }

  private static BloomFilter dictionary(Path list) {
    List<String> words = words(list);
    return words.stream().collect(BloomFilter.collector(words.size(), 0.001, KeyHasher.TEXT));
  }

  private static List<String> words(Path list) {
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
