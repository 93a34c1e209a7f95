package dev.bellows.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.internal.bits.HeapBits;
import dev.bellows.internal.layout.DistinctPositions;
import dev.bellows.internal.layout.Positions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** From hashes to positions: spec/vectors/positions.json, every pattern, small and large sizes. */
class PositionVectorsTest {
  private static final long[] HASHES = {
    0, 1, -1, 1L << 58, 1L << 62, 1L << 63, 0x0123456789abcdefL, 0xd5a6f8c838df27c8L
  };

  /** Sizes whose bits are really set are below this. */
  private static final long SMALL = 1 << 20;

  @Test
  void everyHashHasItsFrozenPositions() throws IOException {
    List<String> lines = new ArrayList<>();
    for (long bits : new long[] {64, 840, 720_720, SMALL, 100_000_000_000L}) {
      for (int hashes : new int[] {1, 7, 13}) {
        Positions positions = Positions.classic(bits, hashes);
        for (long hash : HASHES) {
          add(lines, "\"classic\", \"hashes\": " + hashes, bits, hash, walk(positions, hash));
        }
      }
    }
    for (int words = 1; words <= 8; words *= 2) {
      for (int each = 1; each <= Pattern.MAX_BITS; each++) {
        Pattern pattern = new Pattern(words, each);
        for (long blocks : new long[] {7, 123_456_789}) {
          Positions positions = Positions.of(new Layout.Blocked(pattern), 512 * blocks);
          for (long hash : HASHES) {
            String shape = "\"blocked\", \"pattern\": \"" + pattern + "\"";
            add(lines, shape, 512 * blocks, hash, walk(positions, hash));
          }
        }
      }
    }
    for (long bits : new long[] {20, 509, 1 << 27}) {
      DistinctPositions positions = new DistinctPositions(bits, 20);
      for (long hash : HASHES) {
        long[] sorted = Arrays.stream(positions.draw(hash).take(20), 0, 20).sorted().toArray();
        add(lines, "\"distinct\", \"hashes\": 20", bits, hash, sorted);
      }
    }
    VectorFile.check(
        "positions.json",
        "{\n\"about\": \"positions of hashes (hexadecimal); distinct ones in ascending order\",\n"
            + "\"vectors\": [\n"
            + String.join(",\n", lines)
            + "\n]\n}\n");
  }

  private static void add(
      List<String> lines, String shape, long bits, long hash, long[] positions) {
    lines.add(
        "{\"layout\": %s, \"bits\": %d, \"hash\": \"%016x\", \"positions\": [%s]}"
            .formatted(
                shape,
                bits,
                hash,
                Arrays.stream(positions)
                    .mapToObj(String::valueOf)
                    .collect(Collectors.joining(", "))));
  }

  private static long[] walk(Positions positions, long hash) {
    long[] walked = new long[positions.hashes()];
    long value = positions.begin(hash);
    for (int probe = 0; probe < walked.length; probe++) {
      value = positions.step(value, probe);
      walked[probe] = positions.at(hash, value, probe);
    }
    if (positions.bits() <= SMALL) {
      HeapBits store = positions.newStore();
      positions.set(store, hash);
      long[] set = LongStream.range(0, positions.bits()).filter(store::isSet).toArray();
      assertThat(set).isEqualTo(Arrays.stream(walked).sorted().distinct().toArray());
    }
    return walked;
  }
}
