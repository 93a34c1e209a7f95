import dev.bellows.autoscale.AutoscalingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Which language is it? A filter for each language holds the frequent triples of letters of a
 * few sentences; a new sentence belongs to the language whose filter has the largest evidence
 * for its triples.
 */
public final class Languages {
  private static final int COUNTERS = 4096;
  private static final int HASHES = 32;

  /**
   * Triples that every language learns: the same number for each, so that the comparison is
   * fair.
   */
  private static final int TRIPLES = 400;

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments.length > 0 ? arguments[0] : "examples/languages");
    Map<String, AutoscalingBloomFilter> languages = learn(lines(folder.resolve("train.txt")));

    int right = 0;
    List<String[]> tests = lines(folder.resolve("test.txt"));
    for (String[] test : tests) {
      String found = classify(test[1], languages);
      right += found.equals(test[0]) ? 1 : 0;
      System.out.printf("%-9s%s%s%n", found, test[1], found.equals(test[0]) ? "" : "   <- wrong");
    }

    AutoscalingBloomFilter spanish = languages.get("spanish");
    System.out.printf("%d of %d sentences right%n", right, tests.size());
    System.out.printf(
        "%d languages, %d triples each, thresholds %d and %d, %d bytes each to ship%n",
        languages.size(),
        TRIPLES,
        spanish.theta(),
        spanish.decision(),
        spanish.binarize().toBytes().length);
    for (String other : List.of("italian", "finnish")) {
      System.out.printf(
          Locale.ROOT,
          "similarity of spanish and %s %.2f%n",
          other,
          spanish.similarity(languages.get(other)));
    }
  }

  private static Map<String, AutoscalingBloomFilter> learn(List<String[]> lines) {
    Map<String, Map<String, Integer>> counts = new TreeMap<>();
    for (String[] line : lines) {
      Map<String, Integer> own = counts.computeIfAbsent(line[0], language -> new TreeMap<>());
      triples(line[1]).forEach(triple -> own.merge(triple, 1, Integer::sum));
    }
    Map<String, AutoscalingBloomFilter> languages = new TreeMap<>();
    counts.forEach(
        (language, own) -> {
          AutoscalingBloomFilter filter = AutoscalingBloomFilter.create(COUNTERS, HASHES);
          own.keySet().stream()
              .sorted(Comparator.comparing(own::get, Comparator.reverseOrder()))
              .limit(TRIPLES)
              .forEach(filter::put); // each triple once
          languages.put(language, filter);
        });
    return languages;
  }

  /** The language with the largest evidence: the sum of the dot products of all triples. */
  private static String classify(String sentence, Map<String, AutoscalingBloomFilter> languages) {
    Map<String, Long> evidence = new TreeMap<>();
    languages.forEach(
        (language, filter) ->
            evidence.put(
                language, triples(sentence).stream().mapToLong(filter::evidence).sum()));
    return evidence.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
  }

  /** Every three characters in a row, in lower case, with one blank between words. */
  private static List<String> triples(String text) {
    String letters = " " + text.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}]+", " ").strip() + " ";
    List<String> triples = new ArrayList<>();
    for (int i = 0; i + 3 <= letters.length(); i++) {
      triples.add(letters.substring(i, i + 3));
    }
    return triples;
  }

  /** Lines of a language, a tab and a sentence. */
  private static List<String[]> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(line -> line.split("\t")).toList();
  }
}
