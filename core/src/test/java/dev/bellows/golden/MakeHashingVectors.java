package dev.bellows.golden;

import dev.bellows.HashScheme;
import dev.bellows.Repository;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.openhft.hashing.LongHashFunction;
import tools.jackson.jr.ob.JSON;

/** Writes spec/vectors/hashing.json, once: the hashes are frozen, so it only ever adds cases. */
final class MakeHashingVectors {
  private static final String KEY = "000102030405060708090a0b0c0d0e0f";

  private MakeHashingVectors() {}

  public static void main(String[] args) throws IOException {
    List<Map<String, Object>> vectors = new ArrayList<>();
    for (long seed : new long[] {0, 42, -1}) {
      all(vectors, "xxh3-64", "seed", Long.toString(seed), HashScheme.xxh3(seed), seed);
    }
    all(vectors, "siphash-2-4", "key", KEY, HashScheme.sipHash(HexFormat.of().parseHex(KEY)), null);
    Map<String, Object> file = new LinkedHashMap<>();
    file.put("about", "hash = 64-bit hash of 'bytes' in hexadecimal; see spec/HASHING.md");
    file.put("vectors", vectors);
    Files.writeString(
        Repository.path("spec/vectors/hashing.json"),
        JSON.std.with(JSON.Feature.PRETTY_PRINT_OUTPUT).asString(file) + "\n");
  }

  private static void all(
      List<Map<String, Object>> vectors,
      String word,
      String secretName,
      String secret,
      HashScheme scheme,
      Long seed) {
    for (String value : List.of("0", "1", "-1", "42", "-9223372036854775808")) {
      add(
          vectors,
          word,
          secretName,
          secret,
          scheme,
          seed,
          "long",
          value,
          little(Long.parseLong(value)));
    }
    for (String value : List.of("0.0", "-0.0", "NaN", "1.5", "-Infinity")) {
      double d = Double.parseDouble(value);
      add(
          vectors,
          word,
          secretName,
          secret,
          scheme,
          seed,
          "double",
          value,
          little(Double.doubleToLongBits(d == 0 ? 0.0 : d)));
    }
    for (String value :
        List.of(
            "",
            "a",
            "hello",
            "na\u00efve caf\u00e9",
            "\u6f22\u5b57",
            "\ud83d\ude00",
            "The quick brown fox jumps over the lazy dog",
            "x".repeat(300))) {
      add(
          vectors,
          word,
          secretName,
          secret,
          scheme,
          seed,
          "text",
          value,
          value.getBytes(StandardCharsets.UTF_8));
    }
    for (String value : List.of("00", "00ff10", "0123456789abcdef0123456789abcdef")) {
      add(
          vectors,
          word,
          secretName,
          secret,
          scheme,
          seed,
          "bytes",
          value,
          HexFormat.of().parseHex(value));
    }
    UUID uuid = UUID.fromString("123e4567-e89b-12d3-a456-426614174000");
    add(
        vectors,
        word,
        secretName,
        secret,
        scheme,
        seed,
        "uuid",
        uuid.toString(),
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array());
  }

  private static void add(
      List<Map<String, Object>> vectors,
      String word,
      String secretName,
      String secret,
      HashScheme scheme,
      Long seed,
      String type,
      String value,
      byte[] bytes) {
    long hash = scheme.hash(bytes);
    if (seed != null && hash != LongHashFunction.xx3(seed).hashBytes(bytes)) {
      throw new IllegalStateException("two implementations disagree");
    }
    Map<String, Object> vector = new LinkedHashMap<>();
    vector.put("scheme", word);
    vector.put(secretName, secret);
    vector.put("type", type);
    vector.put("value", value);
    vector.put("bytes", HexFormat.of().formatHex(bytes));
    vector.put("hash", String.format("%016x", hash));
    vectors.add(vector);
  }

  private static byte[] little(long value) {
    return ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
  }
}
