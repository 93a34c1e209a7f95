package dev.bellows.kafka.streams;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme;
import dev.bellows.kafka.streams.Changelog.HashKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class ChangelogTest {
  private static final HashScheme SCHEME = HashScheme.xxh3(7);
  private static final HashKey KEY = new HashKey(1_800_000_000_000L, -5, 3);

  private static byte[] value(long... hashes) {
    return Changelog.hashes(KEY, SCHEME, 123, hashes.clone(), hashes.length);
  }

  private static long[] random(int count, long seed) {
    return new SplittableRandom(seed).longs(count).toArray();
  }

  private static long[] sorted(long[] hashes) {
    return Arrays.stream(hashes)
        .boxed()
        .sorted(Long::compareUnsigned)
        .mapToLong(Long::longValue)
        .toArray();
  }

  private static void assertRoundTrip(long[] hashes) {
    Changelog.Hashes read = (Changelog.Hashes) Changelog.read(KEY.toBytes(), value(hashes), SCHEME);
    assertThat(read.key()).isEqualTo(KEY);
    assertThat(read.time()).isEqualTo(123);
    assertThat(read.hashes()).isEqualTo(sorted(hashes));
  }

  @Test
  void everyNumberOfHashesIsReadAsItWasWritten() {
    for (int count = 1; count <= 300; count++) {
      assertRoundTrip(random(count, count));
    }
    for (int bits = 9; bits <= 14; bits++) {
      for (int more = -1; more <= 1; more++) {
        assertRoundTrip(random(Math.min(Changelog.MOST_HASHES, (1 << bits) + more), bits));
      }
    }
  }

  @Test
  void extremeHashesAreReadAsTheyWereWritten() {
    assertRoundTrip(new long[] {0});
    assertRoundTrip(new long[] {-1});
    assertRoundTrip(new long[] {-1, 0});
    assertRoundTrip(new long[] {0, 1, 2, 3, 4, 5, 6, 7});
    assertRoundTrip(new long[] {-1, -2, -3, Long.MIN_VALUE, Long.MAX_VALUE});
  }

  @Test
  void equalHashesAreWrittenOnce() {
    Changelog.Hashes read =
        (Changelog.Hashes) Changelog.read(KEY.toBytes(), value(5, 9, 5, 5), SCHEME);
    assertThat(read.hashes()).containsExactly(5, 9);
  }

  @Test
  void aHashTakesAtMost67BitsLessTheLogarithmOfTheirNumber() {
    for (int count : new int[] {1, 10, 100, 1000, 10_000, Changelog.MOST_HASHES}) {
      double bits = 8.0 * (value(random(count, 1)).length - 29) / count;
      assertThat(bits).isLessThanOrEqualTo(67 - Math.log(count) / Math.log(2));
    }
  }

  @Test
  void theClockAndTombstonesAreReadAsTheyWereWritten() {
    assertThat(Changelog.read(Changelog.clockKey(), Changelog.clock(-77), SCHEME))
        .isEqualTo(new Changelog.Clock(-77));
    assertThat(Changelog.read(KEY.toBytes(), null, SCHEME)).isEqualTo(new Changelog.Expired(KEY));
  }

  @Test
  void everyChangedBitIsRefused() {
    byte[] key = KEY.toBytes();
    byte[] value = value(random(20, 1));
    for (int bit = 0; bit < 8 * key.length; bit++) {
      byte[] changed = flipped(key, bit);
      assertRefused(changed, value);
    }
    for (int bit = 0; bit < 8 * value.length; bit++) {
      assertRefused(key, flipped(value, bit));
    }
    byte[] clock = Changelog.clock(5);
    for (int bit = 0; bit < 8 * clock.length; bit++) {
      assertRefused(Changelog.clockKey(), flipped(clock, bit));
    }
  }

  @Test
  void everyOtherLengthIsRefused() {
    byte[] key = KEY.toBytes();
    byte[] value = value(random(20, 1));
    for (int length = 0; length < value.length + 20; length++) {
      if (length != value.length) {
        assertRefused(key, Arrays.copyOf(value, length));
        assertRefused(key, summed(key, Arrays.copyOf(value, length)));
      }
    }
    for (int length = 0; length < key.length + 5; length++) {
      if (length != key.length) {
        byte[] other = Arrays.copyOf(key, length);
        assertRefused(other, summed(other, value.clone()));
        assertRefused(other, null);
      }
    }
    assertRefused(null, value);
    assertRefused(Changelog.clockKey(), null);
    assertRefused(Changelog.clockKey(), value);
    assertRefused(key, Changelog.clock(1));
  }

  /** Even where the checksum fits, bytes are refused or give ascending hashes. */
  @Test
  void hostileBytesWithTheRightChecksumAreRefusedOrAscend() {
    byte[] key = KEY.toBytes();
    SplittableRandom random = new SplittableRandom(3);
    int read = 0;
    for (int i = 0; i < 40_000; i++) {
      byte[] value = value(random(1 + random.nextInt(40), i));
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        value[random.nextInt(value.length)] = (byte) random.nextInt();
      }
      try {
        Changelog.Hashes its = (Changelog.Hashes) Changelog.read(key, summed(key, value), SCHEME);
        assertThat(its.hashes()).isEqualTo(sorted(its.hashes())).doesNotHaveDuplicates();
        read++;
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching(".+");
      }
    }
    assertThat(read).isBetween(1_000, 39_000);
  }

  @Test
  void anotherHashSchemeIsRefusedWithBothAndTheWayOut() {
    byte[] value = value(1, 2, 3);
    assertThatThrownBy(() -> Changelog.read(KEY.toBytes(), value, HashScheme.xxh3(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("identity 7")
        .hasMessageContaining("and 8")
        .hasMessageContaining("another store name");
  }

  /** The bytes are a contract: topics outlive the programs that wrote them. */
  @Test
  void theBytesOfVersion1StayAsTheyAre() {
    assertThat(KEY.toBytes())
        .asHexString()
        .isEqualTo("01680000" + "01A3185C5000" + "FFFFFFFFFFFFFFFB" + "00000003");
    assertThat(value(0x0123456789abcdefL, 0xfedcba9876543210L, 0x8000000000000001L))
        .asHexString()
        .isEqualTo(
            "016801"
                + "0000000000000007"
                + "000000000000007B"
                + "00000003"
                + "B0"
                + "02468ACF13579BDE0000000000000007F6E5D4C3B2A19080"
                + "CBA7A4B7");
    assertThat(Changelog.clock(1_800_000_000_000L))
        .asHexString()
        .isEqualTo("0163000001A3185C50009B7FA6D3");
  }

  private static void assertRefused(byte[] key, byte[] value) {
    assertThatThrownBy(() -> Changelog.read(key, value, SCHEME))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(?s).+");
  }

  private static byte[] flipped(byte[] bytes, int bit) {
    byte[] changed = bytes.clone();
    changed[bit / 8] ^= (byte) (1 << bit % 8);
    return changed;
  }

  /** Gives bytes the checksum that they should have. */
  private static byte[] summed(byte[] key, byte[] value) {
    if (value.length >= 4) {
      CRC32C sum = new CRC32C();
      sum.update(key);
      sum.update(value, 0, value.length - 4);
      ByteBuffer.wrap(value).putInt(value.length - 4, (int) sum.getValue());
    }
    return value;
  }
}
