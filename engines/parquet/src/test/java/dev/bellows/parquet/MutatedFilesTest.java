package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Modified files: a changed byte of a footer, an index or a filter's header is refused or does no
 * harm, and takes no more memory than the bytes justify.
 */
class MutatedFilesTest {
  private static final int MUTATIONS = 3_000;
  private static final long MOST_BYTES = 64L << 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir Path folder;

  private boolean foldsOrRefuses(byte[] bytes) throws IOException {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    boolean isFolded = Hostile.foldsOrRefuses(Hostile.rewrite(folder.resolve("file"), bytes));
    assertThat(THREADS.getCurrentThreadAllocatedBytes() - before).isLessThan(MOST_BYTES);
    return isFolded;
  }

  /** Where a changed byte matters: the footer, the headers of filters, the offset indexes. */
  private static List<Integer> places(byte[] file) throws IOException {
    List<Integer> places = new ArrayList<>();
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    for (int at = file.length - 8 - length; at < file.length; at++) {
      places.add(at);
    }
    for (var group : Rearranged.footer(file).getRow_groups()) {
      for (var chunk : group.getColumns()) {
        add(places, chunk.getOffset_index_offset(), chunk.getOffset_index_length());
        if (chunk.getMeta_data().isSetBloom_filter_offset()) {
          add(places, chunk.getMeta_data().getBloom_filter_offset(), 18);
        }
      }
    }
    return places;
  }

  private static void add(List<Integer> places, long from, int length) {
    for (int i = 0; i < length; i++) {
      places.add((int) from + i);
    }
  }

  @Test
  void changedBytesAreRefusedOrDoNoHarm() throws IOException {
    byte[] sample = Hostile.sample(folder);
    assertThat(foldsOrRefuses(sample)).isTrue();
    List<Integer> places = places(sample);
    SplittableRandom random = new SplittableRandom(19);
    int folded = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] bytes = sample.clone();
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        bytes[places.get(random.nextInt(places.size()))] = (byte) random.nextInt(256);
      }
      folded += foldsOrRefuses(bytes) ? 1 : 0;
    }
    assertThat(folded).isBetween(MUTATIONS / 20, MUTATIONS * 19 / 20);
  }

  @Test
  void lengthsBeyondTheFileAreRefused() throws IOException {
    for (byte[] claim : Hostile.claims(Hostile.sample(folder))) {
      Path file = Files.write(folder.resolve("file"), claim);
      assertThat(foldsOrRefuses(claim)).isFalse();
      assertThatThrownBy(() -> ParquetFilters.read(file))
          .isInstanceOf(ParquetFormatException.class);
    }
  }

  @Test
  void everyCutIsRefused() throws IOException {
    byte[] sample = Hostile.sample(folder);
    for (int length = 0; length < sample.length; length += 1 + length / 50) {
      byte[] cut = Arrays.copyOf(sample, length);
      assertThat(foldsOrRefuses(cut)).isFalse();
    }
  }
}
