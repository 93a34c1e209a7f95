package dev.bellows.mapped;

import dev.bellows.BloomFilter;
import dev.bellows.MappedFilter;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.stream.LongStream;

/** Truncates a file under a mapped filter and prints how the filter reacts. */
final class Truncated {
  static final int KEYS = 20_000;
  private static final long[] KEYS_PUT = LongStream.range(0, KEYS).toArray();

  private static int wrong;

  private Truncated() {}

  public static void main(String[] arguments) throws IOException {
    String way = arguments[0];
    Path path = Path.of(arguments[1]);
    MappedFilter<BloomFilter> handle = BloomFilter.map(path);
    BloomFilter mapped = handle.filter();
    if (!way.startsWith("new")) {
      handle.verify();
      askBatch(mapped);
    }
    for (int i = 0; i < 300 && (way.startsWith("compiled") || way.equals("single")); i++) {
      askBatch(mapped);
      askEach(mapped);
    }
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.setLength(4096);
    }
    try {
      switch (way) {
        case "fold" -> mapped.foldBy(2);
        case "copy" -> mapped.copy();
        case "stats" -> mapped.stats();
        case "verify" -> handle.verify();
        case "single" -> askEach(mapped);
        default -> askBatch(mapped);
      }
      System.out.println("not noticed");
    } catch (UncheckedIOException e) {
      System.out.println("refused: " + e.getCause().getMessage());
    } catch (IOException e) {
      System.out.println("refused: " + e.getMessage());
    }
    System.out.println("wrong answers: " + wrong);
  }

  private static void askBatch(BloomFilter filter) {
    if (filter.countMightContain(KEYS_PUT, new boolean[KEYS]) != KEYS) {
      throw new AssertionError("a stored key is missing");
    }
  }

  private static void askEach(BloomFilter filter) {
    for (long key = 0; key < KEYS; key++) {
      if (!filter.mightContain(key)) {
        wrong++;
      }
    }
  }
}
