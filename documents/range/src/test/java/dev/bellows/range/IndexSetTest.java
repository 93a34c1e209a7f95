package dev.bellows.range;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.HashScheme;
import dev.bellows.internal.range.HashOffset;
import dev.bellows.range.RangeSchema.Attribute;
import dev.bellows.range.RangeSchema.Domain;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The bits of a range, against the words of spec/HASHING.md and errata R4, number by number. */
class IndexSetTest {
  private final BitSet expected = new BitSet();

  private void set(HashScheme scheme, String name, int tag, long valueHash, int hash, long bits) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    ByteBuffer field = ByteBuffer.allocate(utf8.length + 5).order(ByteOrder.LITTLE_ENDIAN);
    field.put(utf8).putInt(utf8.length).put((byte) tag);
    long x = valueHash ^ scheme.hash(field.array());
    for (int i = 0; i < hash; i++) {
      long y = x * 0xD1342543DE82EF95L + 0x9E3779B97F4A7C15L;
      x = y ^ (y >>> 32);
    }
    expected.set((int) ((x >>> 2) % bits));
  }

  private static byte[] bare(BitSet bits, long size) {
    return Arrays.copyOf(bits.toByteArray(), (int) (size + 7) / 8);
  }

  @Test
  void divisionSchemesOwnTheIndexSetOfEveryNumber() {
    SplittableRandom random = new SplittableRandom(31);
    for (int trial = 0; trial < 2000; trial++) {
      int hashes = 1 + random.nextInt(16);
      int shift = 1 + random.nextInt(hashes);
      long divide = 1 + random.nextInt(12);
      long bits = 1 + random.nextInt(3000);
      HashScheme scheme = HashScheme.xxh3(random.nextLong());
      long low =
          switch (random.nextInt(4)) {
            case 0 -> Long.MIN_VALUE;
            case 1 -> Long.MAX_VALUE - 40;
            default -> random.nextInt(-500, 500);
          };
      long high = low + random.nextInt(41);
      RangeSchema schema =
          RangeSchema.of(
              bits,
              3,
              Attribute.divisionOverlapping(
                  "\u00e4ge", Domain.of(Long.MIN_VALUE, Long.MAX_VALUE), hashes, divide, shift));
      RangeBloomFilter filter = RangeBloomFilter.create(schema, scheme);
      filter.putRange("\u00e4ge", low, high);
      expected.clear();
      for (long steps = 0; steps <= high - low; steps++) {
        long division = Math.floorDiv(low + steps, divide);
        for (HashOffset index : HashOffset.indices(hashes, shift)) {
          long value = scheme.hash(division + index.offset());
          set(scheme, "\u00e4ge", 0, value, index.hash(), bits);
        }
      }
      assertThat(filter.toBareBytes()).isEqualTo(bare(expected, bits));
    }
  }

  @Test
  void textsAreKeysOfTheirAttribute() {
    RangeBloomFilter filter = RangeBloomFilter.create(RangeSchema.of(509, 6).withTexts("name"));
    filter.put("name", "Ada");
    for (int j = 1; j <= 6; j++) {
      set(HashScheme.DEFAULT, "name", 255, HashScheme.DEFAULT.hash("Ada"), j, 509);
    }
    assertThat(filter.toBareBytes()).isEqualTo(bare(expected, 509));
  }
}
