package dev.bellows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.HashScheme.KeyType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyTypeTest {
  private static BloomFilter of(KeyType type) {
    return BloomFilter.builder().bits(5120).hashes(6).keyType(type).build();
  }

  @ParameterizedTest
  @EnumSource(KeyType.class)
  void filesRecordTheKeyType(KeyType type) throws IOException {
    BloomFilter filter = of(type);
    filter.putHash(1);
    BloomFilter read = BloomFilter.fromBytes(filter.toBytes());
    assertThat(read.hashScheme().keyType()).isEqualTo(type);
    assertThat(read).isEqualTo(filter);
    assertThat(read.foldBy(2).hashScheme().keyType()).isEqualTo(type);
    assertThat(read.copy().hashScheme().keyType()).isEqualTo(type);
    assertThat(filter.explain().contains("keys are")).isEqualTo(type != KeyType.UNKNOWN);
  }

  @Test
  void aUnionHasTheTypeOfBothOrIsRefused() {
    assertThat(of(KeyType.LONGS).union(of(KeyType.LONGS)).hashScheme().keyType())
        .isEqualTo(KeyType.LONGS);
    assertThat(of(KeyType.UNKNOWN).union(of(KeyType.TEXT)).hashScheme().keyType())
        .as("some of its keys may be anything")
        .isEqualTo(KeyType.UNKNOWN);
    assertThat(of(KeyType.BYTES).union(of(KeyType.TEXT)).hashScheme().keyType())
        .as("the hashes of a text are those of its bytes")
        .isEqualTo(KeyType.BYTES);
    for (KeyType other : List.of(KeyType.TEXT, KeyType.BYTES, KeyType.IDS)) {
      assertThatThrownBy(() -> of(KeyType.LONGS).union(of(other)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> of(KeyType.LONGS).putAll(of(other)))
          .isInstanceOf(IllegalArgumentException.class);
    }
    HashScheme longs = HashScheme.DEFAULT.withKeyType(KeyType.LONGS);
    assertThatThrownBy(() -> longs.mergedWith(HashScheme.DEFAULT.withKeyType(KeyType.TEXT)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> longs.mergedWith(HashScheme.xxh3(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Whichever side has the key, the union can be queried. */
  @Test
  void aUnionIsSealedOnlyIfBothSidesAre() throws IOException {
    HashScheme secret = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    BloomFilter keyed = BloomFilter.builder().bits(5120).hashes(6).hashScheme(secret).build();
    keyed.put("key");
    BloomFilter sealed = BloomFilter.fromBytes(keyed.toBytes());
    assertThat(sealed.union(keyed).mightContain("key")).isTrue();
    assertThat(keyed.union(sealed).mightContain("key")).isTrue();
  }

  /** The tag in a file is not the hash of any text that a client could query. */
  @Test
  void aKeyTagIsNotTheHashOfAnyText() {
    HashScheme secret = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    assertThat(secret.identity()).isNotEqualTo(secret.hash("bellows key tag"));
    assertThat(secret.withKeyType(KeyType.TEXT)).isEqualTo(secret);
    assertThat(secret.withKeyType(KeyType.TEXT).hash("x")).isEqualTo(secret.hash("x"));
  }

  @Test
  void aSchemeReportsThatItIsKeyedEvenWithoutItsKey() {
    HashScheme secret = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    assertThat(secret.isKeyed()).isTrue();
    assertThat(HashScheme.named(secret.id(), secret.identity()).isKeyed()).isTrue();
    assertThat(HashScheme.xxh3(7).isKeyed()).isFalse();
  }

  @Test
  void secretsAndRandomSeedsAreOptionsOfEveryBuilder() {
    byte[] key = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    assertThat(BloomFilter.builder().bits(512).hashes(6).secret(key).build().hashScheme())
        .isEqualTo(HashScheme.sipHash(key));
    BloomFilter one = BloomFilter.builder().bits(512).hashes(6).randomSeed().build();
    BloomFilter other = BloomFilter.builder().bits(512).hashes(6).randomSeed().build();
    assertThat(one.hashScheme()).isNotEqualTo(other.hashScheme());
    assertThat(one.incompatibility(other)).isPresent();
  }

  /** An array of zeros is not accepted as a secret; a single bit is enough. */
  @Test
  void aKeyOfZerosIsRefused() {
    byte[] key = new byte[16];
    assertThatThrownBy(() -> HashScheme.sipHash(key)).isInstanceOf(IllegalArgumentException.class);
    BloomFilter.Builder builder = BloomFilter.builder().bits(512).hashes(6);
    assertThatThrownBy(() -> builder.secret(key)).isInstanceOf(IllegalArgumentException.class);
    key[15] = 1;
    assertThat(HashScheme.sipHash(key)).isEqualTo(HashScheme.sipHash(key.clone()));
  }
}
