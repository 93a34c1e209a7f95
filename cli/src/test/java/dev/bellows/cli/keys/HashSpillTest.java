package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HashSpillTest {
  @Test
  void countsAndListsExactlyWhetherItSpillsOrNot() throws IOException {
    Random random = new Random(11);
    for (int bufferSize : new int[] {4, 16, 2048}) {
      for (int mostInMemory : new int[] {100, 1 << 20}) {
        int mostInRuns = mostInMemory == 100 ? 0 : 20_000;
        for (int distinct : new int[] {0, 1, 300, 50_000}) {
          long[] pool = random.longs(Math.max(1, distinct)).toArray();
          Set<Long> expected = new HashSet<>();
          try (HashSpill spill = new HashSpill(bufferSize, mostInMemory, mostInRuns)) {
            for (int i = 0; i < 2 * distinct; i++) {
              long hash = pool[random.nextInt(pool.length)];
              expected.add(hash);
              spill.add(hash);
            }
            assertThat(spill.distinct(done -> {})).isEqualTo(expected.size());
            assertThat(raw(spill)).isEqualTo(expected);
            assertThat(sliced(spill, spill.sliceBits())).isEqualTo(expected);
          }
        }
      }
    }
  }

  @Test
  void slicesAreSortedAndApart() throws IOException {
    Random random = new Random(12);
    try (HashSpill spill = new HashSpill(8, 1000, 50_000)) {
      for (int i = 0; i < 100_000; i++) {
        spill.add(random.nextLong());
      }
      assertThat(spill.sliceBits()).isGreaterThanOrEqualTo(8);
      for (long slice = 0; slice < 1 << 8; slice++) {
        long at = slice;
        spill.slice(
            8,
            slice,
            (hashes, count) -> {
              for (int i = 0; i < count; i++) {
                if (hashes[i] >>> 56 != at || (i > 0 && hashes[i - 1] >= hashes[i])) {
                  throw new AssertionError("hash " + i + " of slice " + at);
                }
              }
            });
      }
    }
  }

  @Test
  void repetitionsStayInMemory() throws IOException {
    Set<Path> before = spillFiles();
    Random random = new Random(13);
    long[] pool = random.longs(1000).toArray();
    try (HashSpill spill = new HashSpill(2048, 1 << 20, 0)) {
      for (int i = 0; i < 2_000_000; i++) {
        spill.add(pool[i % pool.length]);
      }
      assertThat(spillFiles()).isEqualTo(before);
      assertThat(spill.distinct(done -> {})).isEqualTo(1000);
    }
  }

  @Test
  void leavesNoFileBehind() throws IOException {
    Set<Path> before = spillFiles();
    try (HashSpill spill = new HashSpill(4, 1 << 20, 100)) {
      new Random(14).longs(10_000).forEach(hash -> add(spill, hash));
    }
    assertThat(spillFiles()).isEqualTo(before);
  }

  private static void add(HashSpill spill, long hash) {
    try {
      spill.add(hash);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static Set<Long> raw(HashSpill spill) throws IOException {
    Set<Long> all = new HashSet<>();
    spill.forEach(
        (hashes, count) -> {
          for (int i = 0; i < count; i++) {
            all.add(hashes[i]);
          }
        });
    return all;
  }

  private static Set<Long> sliced(HashSpill spill, int bits) throws IOException {
    Set<Long> all = new HashSet<>();
    for (long slice = 0; slice < 1L << bits; slice++) {
      spill.slice(
          bits,
          slice,
          (hashes, count) -> {
            for (int i = 0; i < count; i++) {
              if (!all.add(hashes[i])) {
                throw new AssertionError("twice: " + hashes[i]);
              }
            }
          });
    }
    return all;
  }

  private static Set<Path> spillFiles() throws IOException {
    try (Stream<Path> files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return new TreeSet<>(files.filter(file -> file.toString().endsWith(".spill")).toList());
    }
  }
}
