package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.internal.files.ShapeCodec;
import dev.bellows.internal.layout.Shape;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalablePlan;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.RedisClient;

/** Foreign data on the server is refused with a reason, and never causes a silent "no". */
class HostileStateTest {
  private static final BloomPlan PLAN =
      new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 60, 0);

  private final RedisClient client = RedisProcess.clientOf(RedisProcess.shared());
  private final JedisBits bits = JedisBits.of(client);
  private final String name = "hostile:" + UUID.randomUUID();
  private final String key = "{" + name + "}";

  @AfterEach
  void close() {
    client.keys(key + "*").forEach(client::del);
    client.close();
  }

  private SharedBloomFilter create() {
    return SharedBloomFilter.create(bits, name, PLAN);
  }

  @Test
  void aKeyOfAnotherType() {
    client.set(key, "mine");
    assertThatThrownBy(this::create)
        .isInstanceOf(SharedFilterException.class)
        .hasMessageContaining("holds something else");
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
        .hasMessageContaining("holds something else");
    assertThat(client.get(key)).isEqualTo("mine");
  }

  @Test
  void aHashThatIsNotAState() {
    client.hset(key, Map.of("user", "7"));
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
        .hasMessageContaining("is not the state of a filter");
    assertThatThrownBy(this::create).hasMessageContaining("already");
  }

  @Test
  void aForeignKeyUnderTheName() {
    client.set(key + ":0:0", "mine");
    assertThatThrownBy(this::create)
        .hasMessageContaining(key + ":0:0")
        .hasMessageContaining("not part of the filter");
    assertThat(client.get(key + ":0:0")).isEqualTo("mine");
    client.del(key + ":0:0");
    SharedBloomFilter filter = create();
    client.lpush(key + ":1:0", "mine");
    assertThatThrownBy(() -> filter.foldBy(2)).hasMessageContaining(key + ":1:0");
    assertThat(filter.put(1)).isTrue();
  }

  @Test
  void aStripeOfAnotherType() {
    SharedBloomFilter filter = create();
    client.del(key + ":0:0");
    client.lpush(key + ":0:0", "mine");
    assertThatThrownBy(() -> filter.put(1)).hasMessageContaining("holds something else");
    assertThatThrownBy(() -> filter.mightContain(1)).hasMessageContaining("holds something else");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gone", "short"})
  void aLostStripeIsReported(String how) {
    for (Layout.Family layout : Layout.Family.values()) {
      SharedBloomFilter filter =
          SharedBloomFilter.create(
              bits,
              name,
              layout == Layout.Family.BLOCKED
                  ? PLAN
                  : new BloomPlan(layout.withHashes(4), 64 * 60, 0));
      filter.put(1);
      client.del(key + ":0:0");
      if (how.equals("short")) {
        client.set(key + ":0:0", "x");
      }
      assertThatThrownBy(() -> filter.mightContain(1)).hasMessageContaining("noeviction");
      assertThatThrownBy(() -> filter.put(1)).hasMessageContaining("noeviction");
      assertThatThrownBy(filter::download).hasMessageContaining("evicted");
      assertThatThrownBy(filter::stats).hasMessageContaining("noeviction");
      assertThatThrownBy(() -> filter.foldBy(2)).hasMessageContaining("noeviction");
      filter.drop();
    }
  }

  @Test
  void aRenamedStateIsRefused() {
    SharedBloomFilter filter = create();
    filter.put(1);
    client.rename(key, "{" + name + ":b}");
    assertThatThrownBy(() -> filter.mightContain(1)).hasMessageContaining("no longer exists");
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name + ":b"))
        .hasMessageContaining("rename it back");
    client.rename("{" + name + ":b}", key);
    assertThat(filter.mightContain(1)).isTrue();
  }

  @Test
  void aChangedConfigurationIsAnError() {
    SharedBloomFilter old = create();
    old.put(1);
    old.drop();
    BloomPlan other = new BloomPlan(new Layout.Classic(4), 64 * 60, 0);
    SharedBloomFilter.create(bits, name, other);
    assertThatThrownBy(() -> old.mightContain(1))
        .hasMessageContaining("not the one that was opened");
    assertThatThrownBy(() -> old.put(1)).hasMessageContaining("not the one that was opened");
    assertThatThrownBy(() -> old.foldBy(2)).hasMessageContaining("not the one that was opened");
  }

  @Test
  void everyChangedByteOfTheHeaderIsRefused() {
    SharedBloomFilter filter = create();
    filter.put(1);
    byte[] header = client.hget(key.getBytes(UTF_8), "header".getBytes(UTF_8));
    for (int i = 0; i < header.length; i++) {
      byte[] bad = header.clone();
      bad[i] ^= 0x40;
      client.hset(key.getBytes(UTF_8), "header".getBytes(UTF_8), bad);
      assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
          .as("byte %d", i)
          .isInstanceOf(SharedFilterException.class)
          .hasMessageContaining("not a readable filter");
    }
    for (int length = 0; length < header.length; length += 5) {
      byte[] cut = Arrays.copyOf(header, length);
      client.hset(key.getBytes(UTF_8), "header".getBytes(UTF_8), cut);
      assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
          .isInstanceOf(SharedFilterException.class);
    }
  }

  @Test
  void aHeaderOfAnotherFilterIsRefused() {
    create();
    byte[] file = BloomFilter.create(1000, 0.01).toBytes(); // with sections after its header
    client.hset(key.getBytes(UTF_8), "header".getBytes(UTF_8), file);
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
        .isInstanceOf(SharedFilterException.class);
    client.hset(key.getBytes(UTF_8), "header".getBytes(UTF_8), header(512 * 61));
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
        .hasMessageContainingAll("31232", "30720");
  }

  private static byte[] header(long size) {
    Shape shape = new Shape(Layout.Family.BLOCKED.withHashes(8), size, HashScheme.DEFAULT);
    return ShapeCodec.header(FilterKind.BLOOM, shape, List.of(), List.of(size / 8)).toBytes();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "1",
        "1 - - - -",
        "1 x 0,0,30720,3840,0 - -",
        "0 - 0,0,30720,3840,0 - -",
        "1 - 0,0,30720,0,0 - -",
        "1 - 0,0,30720,100,0 - -",
        "1 - 0,0,30720,999999999,0 - -",
        "1 - 0,0,30720,99999999999999,0 - -",
        "1 - 0,0,70368744177664,64,0 - -",
        "1 - 0,0,-30720,64,0 - -",
        "1 - 0,0,30721,3840,0 - -",
        "1 - 0,0,61440,3840,0 - -",
        "1 - 0,0,30720,3840 - -",
        "1 - 0,0,30720,3840,0,0 - -",
        "2 - 0,0,30720,3840,0;0,1,30720,3840,0 - -",
        "2 - 0,0,30720,3840,0;1,1,30720,3840,0 - -",
        "2 f 0,0,30720,3840,0 0,1,20480,3840,0 -",
        "2 f 0,0,30720,3840,0 - -",
        "2 f 0,0,30720,3840,0 0,0,15360,3840,0 -",
        "2 g 0,0,30720,3840,0 1,1,30720,3840,0 -",
        "1 - 9999,0,30720,3840,0 - -",
        "1 - 0,0,30720,3840,0 - 0,0,30720,3840,0",
        "one - 0,0,30720,3840,0 - -"
      })
  void wrongPartsAreRefused(String parts) {
    create();
    client.hset(key, "parts", parts);
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
        .isInstanceOf(SharedFilterException.class)
        .hasMessageContaining("is not the state of a filter, or it is damaged");
  }

  @ParameterizedTest
  @ValueSource(strings = {"version", "name", "header", "parts"})
  void aMissingFieldIsRefused(String field) {
    SharedBloomFilter filter = create();
    client.hdel(key, field);
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name))
        .hasMessageContaining("'" + field + "'");
    if (field.equals("version")) {
      assertThatThrownBy(() -> filter.mightContain(1)).hasMessageContaining("damaged");
      assertThatThrownBy(() -> filter.put(1)).hasMessageContaining("damaged");
    }
  }

  static Stream<byte[]> damagedVersions() {
    String id = "0123456789abcdef";
    return Stream.concat(
        Stream.of(
                "",
                ".",
                ".1",
                id,
                id + ".",
                id + ".+1",
                id + ".01",
                id + ".-1",
                id + ". 1",
                id + ".1 ",
                id + ".1\n",
                id + ".9223372036854775808",
                id + ".\u0663",
                id + ".1.1",
                id.toUpperCase(Locale.ROOT) + ".1",
                id + "0.1",
                id.substring(1) + ".1",
                "\u00e9" + id.substring(1) + ".1")
            .map(text -> text.getBytes(UTF_8)),
        Stream.of(new byte[] {(byte) 0xff, '.', '1'}, (id + ".1\u00ff").getBytes(ISO_8859_1)));
  }

  /** A version that no client ever finds equal to its own. */
  @ParameterizedTest
  @MethodSource
  void damagedVersions(byte[] version) {
    for (boolean grows : new boolean[] {false, true}) {
      SharedBloomFilter filter =
          grows
              ? SharedBloomFilter.create(
                  bits, name, ScalablePlan.of(100, 0.01, 1000, Layout.Family.BLOCKED))
              : create();
      filter.put(1);
      byte[] right = client.hget(key.getBytes(UTF_8), "version".getBytes(UTF_8));
      client.hset(key.getBytes(UTF_8), "version".getBytes(UTF_8), version);
      List<ThrowingCallable> uses =
          List.of(
              () -> SharedBloomFilter.open(bits, name),
              () -> filter.put(2),
              () -> filter.putAll(new long[] {3, 4}),
              () -> filter.mightContain(1),
              filter::stats,
              filter::download,
              filter::persist,
              filter::drop,
              () -> filter.foldBy(2));
      for (ThrowingCallable use : uses) {
        assertThatThrownBy(use).isInstanceOf(SharedFilterException.class);
      }
      client.hset(key.getBytes(UTF_8), "version".getBytes(UTF_8), right);
      assertThat(filter.mightContain(1)).isTrue();
      filter.drop();
    }
  }

  /** Every version that is read is another one than the client finds a moment later. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aStateThatKeepsChangingIsAnError(boolean grows) {
    AtomicInteger serial = new AtomicInteger();
    RedisBits restless =
        new RedisBits() {
          @Override
          public List<@Nullable Object> send(byte[] node, List<byte[][]> commands) {
            String version = client.hget(key, "version");
            if (version != null && serial.get() > 0) {
              client.hset(key, "version", version.split("\\.")[0] + "." + serial.incrementAndGet());
            }
            return bits.send(node, commands);
          }

          @Override
          public boolean isCluster() {
            return false;
          }

          @Override
          public void close() {}
        };
    SharedBloomFilter filter =
        grows
            ? SharedBloomFilter.create(
                restless, name, ScalablePlan.of(100, 0.01, 1000, Layout.Family.BLOCKED))
            : SharedBloomFilter.create(restless, name, PLAN);
    filter.put(1);
    long factor = filter.foldFactors()[1];
    serial.set(1);
    List<ThrowingCallable> uses =
        List.of(
            () -> filter.put(2),
            () -> filter.putAll(new long[] {3, 4}),
            () -> filter.mightContain(1),
            filter::stats,
            filter::download,
            filter::persist,
            filter::drop,
            () -> filter.foldBy(factor));
    for (ThrowingCallable use : uses) {
      assertThatThrownBy(use)
          .isInstanceOfSatisfying(
              SharedFilterException.class, e -> assertThat(e.mayHaveHappened()).isFalse());
    }
    if (grows) { // a level that another client has begun
      String parts = client.hget(key, "parts");
      client.hset(key, "parts", "2 g " + parts.split(" ")[2] + " 1,1,30720,3840,9 -");
      assertThatThrownBy(() -> SharedBloomFilter.open(restless, name))
          .isInstanceOf(SharedFilterException.class);
      client.hset(key, "parts", parts);
    }
    serial.set(0);
    assertThat(filter.mightContain(1)).isTrue();
    assertThat(filter.mightContain(2)).isFalse();
  }

  @Test
  void afterTheLargestSerialComesAnother() {
    SharedBloomFilter filter = create();
    filter.put(1);
    String id = client.hget(key, "version").split("\\.")[0];
    client.hset(key, "version", id + "." + Long.MAX_VALUE);
    filter.foldBy(2);
    assertThat(SharedBloomFilter.open(bits, name).mightContain(1)).isTrue();
  }

  @Test
  void aDamagedCountOfKeysIsAnError() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(
            bits, name, ScalablePlan.of(100, 0.01, 1000, Layout.Family.BLOCKED));
    filter.putAll(LongStream.range(0, 50).toArray());
    client.hset(key, "keys:0", "many");
    assertThatThrownBy(filter::stats).hasMessageContaining("damaged");
    assertThatThrownBy(() -> filter.put(99)).isInstanceOf(SharedFilterException.class);
    assertThat(filter.mightContain(1)).isTrue();
  }
}
