package dev.bellows.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.Hashing;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.Repository;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import net.openhft.hashing.LongHashFunction;
import org.junit.jupiter.api.Test;
import tools.jackson.jr.ob.JSON;

/** The hashes of spec/vectors/hashing.json, compared with two independent implementations. */
class HashingVectorsTest {
  private static final byte[] REFERENCE_KEY =
      HexFormat.of().parseHex("000102030405060708090a0b0c0d0e0f");

  @Test
  @SuppressWarnings("unchecked")
  void everyVectorHolds() throws IOException {
    Map<String, Object> file =
        JSON.std.mapFrom(Files.readString(Repository.path("spec/vectors/hashing.json")));
    List<Map<String, Object>> vectors = (List<Map<String, Object>>) file.get("vectors");
    assertThat(vectors).hasSizeGreaterThan(30);
    for (Map<String, Object> vector : vectors) {
      HashScheme scheme =
          vector.get("scheme").equals("xxh3-64")
              ? HashScheme.xxh3(Long.parseLong((String) vector.get("seed")))
              : HashScheme.sipHash(HexFormat.of().parseHex((String) vector.get("key")));
      long expected = Long.parseUnsignedLong((String) vector.get("hash"), 16);
      String value = (String) vector.get("value");
      byte[] bytes = HexFormat.of().parseHex((String) vector.get("bytes"));
      assertThat(hash(scheme, (String) vector.get("type"), value))
          .as("%s", vector)
          .isEqualTo(expected);
      assertThat(scheme.hash(bytes)).as("bytes of %s", vector).isEqualTo(expected);
    }
  }

  private static long hash(HashScheme scheme, String type, String value) {
    return switch (type) {
      case "long" -> scheme.hash(Long.parseLong(value));
      case "double" -> scheme.hash(Double.parseDouble(value));
      case "text" -> scheme.hash(value);
      case "bytes" -> scheme.hash(HexFormat.of().parseHex(value));
      case "uuid" -> scheme.hash(UUID.fromString(value));
      default -> throw new AssertionError(type);
    };
  }

  @Test
  void xxh3AgreesWithAnotherImplementation() {
    SplittableRandom random = new SplittableRandom(1);
    for (int length = 0; length < 1100; length++) {
      byte[] bytes = new byte[length];
      random.nextBytes(bytes);
      for (long seed : new long[] {0, 1, -1, random.nextLong()}) {
        assertThat(HashScheme.xxh3(seed).hash(bytes))
            .as("length %d, seed %d", length, seed)
            .isEqualTo(LongHashFunction.xx3(seed).hashBytes(bytes));
      }
    }
  }

  @Test
  void sipHashAgreesWithAnotherImplementation() {
    SplittableRandom random = new SplittableRandom(2);
    for (int length = 0; length < 300; length++) {
      byte[] bytes = new byte[length];
      byte[] key = new byte[16];
      random.nextBytes(bytes);
      random.nextBytes(key);
      ByteBuffer halves = ByteBuffer.wrap(key).order(java.nio.ByteOrder.LITTLE_ENDIAN);
      assertThat(HashScheme.sipHash(key).hash(bytes))
          .isEqualTo(
              Hashing.sipHash24(halves.getLong(), halves.getLong()).hashBytes(bytes).asLong());
    }
  }

  @Test
  void sipHashGivesThePublishedValue() {
    byte[] input = new byte[15];
    for (int i = 0; i < input.length; i++) {
      input[i] = (byte) i;
    }
    assertThat(HashScheme.sipHash(REFERENCE_KEY).hash(input)).isEqualTo(0xa129ca6149be45e5L);
  }

  @Test
  void everyTypeHashesTheBytesTheSpecificationNames() {
    for (HashScheme scheme : List.of(HashScheme.xxh3(42), HashScheme.sipHash(REFERENCE_KEY))) {
      byte[] eight = ByteBuffer.allocate(8).putLong(Long.reverseBytes(0x1122334455667788L)).array();
      assertThat(scheme.hash(0x1122334455667788L)).isEqualTo(scheme.hash(eight));
      assertThat(scheme.hash(-0.0)).isEqualTo(scheme.hash(0.0)).isEqualTo(scheme.hash(0L));
      assertThat(scheme.hash(Double.longBitsToDouble(0x7ff8000000000123L)))
          .isEqualTo(scheme.hash(Double.NaN));
      byte[] framed = Arrays.copyOfRange(new byte[] {9, 9, 1, 2, 3, 9}, 0, 6);
      assertThat(scheme.hash(framed, 2, 3)).isEqualTo(scheme.hash(new byte[] {1, 2, 3}));
      ByteBuffer direct = ByteBuffer.allocateDirect(6).put(framed).flip().position(2).limit(5);
      ByteBuffer heap = ByteBuffer.wrap(framed, 2, 3);
      assertThat(scheme.hash(direct))
          .isEqualTo(scheme.hash(heap))
          .isEqualTo(scheme.hash(framed, 2, 3));
      assertThat(direct.position()).isEqualTo(2);
      ByteBuffer readOnly = heap.asReadOnlyBuffer();
      assertThat(scheme.hash(readOnly)).isEqualTo(scheme.hash(framed, 2, 3));
    }
  }

  @Test
  void textIsUtf8RegardlessOfItsType() {
    SplittableRandom random = new SplittableRandom(3);
    for (int trial = 0; trial < 5000; trial++) {
      StringBuilder text = new StringBuilder();
      int length = random.nextInt(40);
      int range = new int[] {0x80, 0x800, 0x10000}[trial % 3];
      for (int i = 0; i < length; i++) {
        if (random.nextInt(10) == 0) {
          text.appendCodePoint(0x10000 + random.nextInt(0x10000));
        } else {
          text.append((char) random.nextInt(range)); // lone surrogates included
        }
      }
      String string = text.toString();
      long expected = HashScheme.DEFAULT.hash(string.getBytes(StandardCharsets.UTF_8));
      assertThat(HashScheme.DEFAULT.hash(text)).as("%s", string).isEqualTo(expected);
      assertThat(HashScheme.DEFAULT.hash(string)).isEqualTo(expected);
    }
    assertThat(HashScheme.DEFAULT.hash("a\ud800b")).isEqualTo(HashScheme.DEFAULT.hash("a?b"));
  }

  @Test
  void fieldsAreDelimited() {
    record Name(String first, String last) {}
    KeyHasher<Name> names = KeyHasher.of((n, sink) -> sink.putText(n.first()).putText(n.last()));
    HashScheme scheme = HashScheme.DEFAULT;
    assertThat(names.hash(new Name("ab", "c"), scheme))
        .isNotEqualTo(names.hash(new Name("a", "bc"), scheme))
        .isEqualTo(scheme.hash(new byte[] {'a', 'b', 2, 0, 0, 0, 'c', 1, 0, 0, 0}));
    String large = "x".repeat(1000);
    assertThat(names.hash(new Name(large, ""), scheme))
        .isEqualTo(names.hash(new Name(large, ""), scheme));
  }
}
