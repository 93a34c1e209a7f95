package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.HashScheme.KeyType;
import dev.bellows.KeyHasher;
import dev.bellows.Layout;
import dev.bellows.Pattern;
import dev.bellows.io.FilterKind;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.scalable.ScalablePlan;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.RedisClient;

/** A shared filter on a real server, compared with a local filter. */
class SharedBloomFilterTest {
  private final RedisClient client = RedisProcess.clientOf(RedisProcess.shared());
  private final JedisBits bits = JedisBits.of(client);
  private final String name = "test:" + UUID.randomUUID();

  @BeforeEach
  void nothingIsThere() {
    assertThat(keys()).isEmpty();
  }

  @AfterEach
  void close() {
    keys().forEach(client::del);
    client.close();
  }

  private Set<String> keys() {
    return client.keys("{" + name + "*");
  }

  static Stream<BloomPlan> shapes() {
    return Stream.concat(
        Stream.of("1x4", "2x2", "2x3", "4x2", "4x3", "8x1", "8x2")
            .map(p -> new Pattern(p.charAt(0) - '0', p.charAt(2) - '0'))
            .map(p -> new BloomPlan(new Layout.Blocked(p), 512 * 180, 0)),
        Stream.of(
            new BloomPlan(new Layout.Classic(7), 64 * 720, 0),
            new BloomPlan(new Layout.Classic(5), 100_003, 0)));
  }

  private static long[] longs(int from, int to) {
    return LongStream.range(from, to).toArray();
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void downloadIsTheLocalFilterBitForBit(BloomPlan plan) {
    HashScheme scheme = HashScheme.xxh3(5).withKeyType(KeyType.LONGS);
    SharedBloomFilter shared = SharedBloomFilter.create(bits, name, plan, scheme);
    BloomFilter local = BloomFilter.builder().shape(plan).hashScheme(scheme).build();
    for (long key = 0; key < 50; key++) {
      assertThat(shared.put(key)).isEqualTo(local.put(key));
    }
    assertThat(shared.putAll(longs(25, 3000))).isEqualTo(local.putAll(longs(25, 3000)));
    assertThat(shared.download()).isEqualTo(local);
    assertThat(shared.hashScheme().keyType()).isEqualTo(KeyType.LONGS);
    boolean[] here = new boolean[10_000];
    boolean[] there = new boolean[10_000];
    assertThat(shared.countMightContain(longs(0, 10_000), here))
        .isEqualTo(local.countMightContain(longs(0, 10_000), there));
    assertThat(here).isEqualTo(there);
    for (long key = 2950; key < 3050; key++) {
      assertThat(shared.mightContain(key)).isEqualTo(local.mightContain(key));
    }
    assertThat(shared.toBytes()).isEqualTo(local.toBytes());
  }

  @Test
  void keysOfAllTypes() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(
            bits, name, BloomPlan.foldable(1000, 0.001, Layout.Family.BLOCKED));
    assertThat(filter.put("text")).isTrue();
    assertThat(filter.put("text")).isFalse();
    assertThat(filter.put(new byte[] {1, 2})).isTrue();
    assertThat(filter.put(7L)).isTrue();
    assertThat(filter.put(new UUID(1, 2), KeyHasher.UUIDS)).isTrue();
    String[] words = {"a", "b", "text"};
    assertThat(filter.putAll(words, (word, scheme) -> scheme.hash(word))).isEqualTo(2);
    assertThat(filter.putAll(List.of("c", "a"), (word, scheme) -> scheme.hash(word))).isEqualTo(1);
    assertThat(filter.mightContain("text")).isTrue();
    assertThat(filter.mightContain(new byte[] {1, 2})).isTrue();
    assertThat(filter.mightContain(7L)).isTrue();
    assertThat(filter.mightContain(new UUID(1, 2), KeyHasher.UUIDS)).isTrue();
    assertThat(filter.mightContain("absent")).isFalse();
    boolean[] hits = new boolean[3];
    assertThat(
            filter.countMightContain(
                new String[] {"c", "no", "b"}, (word, scheme) -> scheme.hash(word), hits))
        .isEqualTo(2);
    assertThat(hits).containsExactly(true, false, true);
    SharedBloomFilter other = SharedBloomFilter.open(bits, name);
    assertThat(other.mightContain("text")).isTrue();
    assertThat(other.name()).isEqualTo(name);
    assertThat(other.kind()).isEqualTo(FilterKind.BLOOM);
  }

  @Test
  void aBatchReportsWhichKeysChanged() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(bits, name, BloomPlan.foldable(100, 1e-6, Layout.Family.BLOCKED));
    filter.putHash(5);
    boolean[] changed = {true, true, true, true, true};
    assertThat(filter.putHashes(new long[] {4, 5, 6, 6, 7}, 1, 4, changed)).isEqualTo(1);
    assertThat(changed).containsExactly(true, false, true, false, true);
  }

  @Test
  void aBatchIsOneRoundTrip() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(
            bits, name, BloomPlan.foldable(10_000, 0.01, Layout.Family.BLOCKED));
    filter.put(1);
    RedisMetrics before = filter.metrics();
    filter.putAll(longs(0, 1000));
    RedisMetrics put = filter.metrics();
    filter.countMightContain(longs(0, 1000), new boolean[1000]);
    RedisMetrics asked = filter.metrics();
    filter.mightContain(5);
    RedisMetrics single = filter.metrics();
    assertThat(put.roundTrips() - before.roundTrips()).isEqualTo(1);
    assertThat(asked.roundTrips() - put.roundTrips()).isEqualTo(1);
    assertThat(single.roundTrips() - asked.roundTrips()).isEqualTo(1);
    assertThat(asked.bytesReceived() - put.bytesReceived()).isBetween(64_000L, 80_000L);
    assertThat(single.retries()).isLessThanOrEqualTo(4);
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void growsLikeTheLocalFilter(Layout.Family layout) {
    ScalablePlan plan = ScalablePlan.of(100, 0.01, 100_000, layout);
    SharedBloomFilter shared = SharedBloomFilter.create(bits, name, plan);
    ScalableBloomFilter local =
        ScalableBloomFilter.builder()
            .initialKeys(100)
            .fpp(0.01)
            .horizonKeys(100_000)
            .layout(layout)
            .build();
    assertThat(local.plan()).isEqualTo(plan);
    for (long key = 0; key < 150; key++) {
      assertThat(shared.put(key)).isEqualTo(local.put(key));
    }
    assertThat(shared.putAll(longs(100, 5000))).isEqualTo(local.putAll(longs(100, 5000)));
    assertThat(shared.download()).isEqualTo(local);
    boolean[] here = new boolean[20_000];
    boolean[] there = new boolean[20_000];
    shared.countMightContain(longs(0, 20_000), here);
    local.countMightContain(longs(0, 20_000), there);
    assertThat(here).isEqualTo(there);
    assertThat(local.levels()).hasSizeGreaterThan(4);
    FilterStats stats = shared.stats();
    assertThat(stats.kind()).isEqualTo(FilterKind.SCALABLE);
    assertThat(stats.ones()).isEqualTo(local.stats().ones());
    assertThat(8 * shared.sizeInBytes()).isEqualTo(stats.bits());
    assertThat(shared.approximateElementCount()).isEqualTo(local.approximateElementCount());
    assertThat(shared.expectedFpp()).isBetween(0.0, 0.01);
    SharedBloomFilter again = SharedBloomFilter.open(bits, name);
    assertThat(again.download()).isEqualTo(local);
  }

  @Test
  void otherClientsFollowTheGrowth() {
    ScalablePlan plan = ScalablePlan.of(50, 0.01, 10_000, Layout.Family.BLOCKED);
    SharedBloomFilter one = SharedBloomFilter.create(bits, name, plan);
    SharedBloomFilter two = SharedBloomFilter.open(bits, name);
    for (int i = 0; i < 40; i++) {
      one.putAll(longs(100 * i, 100 * i + 50));
      two.putAll(longs(100 * i + 50, 100 * i + 100));
    }
    boolean[] hits = new boolean[4000];
    assertThat(two.countMightContain(longs(0, 4000), hits)).isEqualTo(4000);
    assertThat(one.countMightContain(longs(0, 4000), hits)).isEqualTo(4000);
    assertThat(one.download()).isEqualTo(two.download());
  }

  @Test
  void uploadAndDownload() {
    BloomFilter local = BloomFilter.create(10_000, 0.01);
    local.putAll(longs(0, 10_000));
    SharedBloomFilter shared = SharedBloomFilter.create(bits, name, local.plan());
    shared.put(77_777);
    shared.upload(local);
    local.put(77_777);
    assertThat(shared.download()).isEqualTo(local);
    long factor = shared.foldFactors()[1];
    shared.foldBy(factor);
    BloomFilter more = BloomFilter.builder().like(local).build();
    more.put(-5);
    shared.upload(more);
    local.put(-5);
    assertThat(shared.download()).isEqualTo(local.foldBy(factor));
    assertThatThrownBy(() -> shared.upload(BloomFilter.create(10, 1e-5)))
        .hasMessageContaining("pattern");
    BloomFilter odd =
        BloomFilter.builder()
            .shape(new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 7, 0))
            .build();
    assertThatThrownBy(() -> shared.upload(odd)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void unionOnTheServer() {
    BloomPlan plan = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 360, 0);
    BloomPlan larger = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 720, 0);
    SharedBloomFilter one = SharedBloomFilter.create(bits, name, plan);
    SharedBloomFilter two =
        SharedBloomFilter.create(bits, name + ":2", larger, HashScheme.DEFAULT, 64);
    try {
      one.putAll(longs(0, 1000));
      two.putAll(longs(1000, 2000));
      one.putAll(two);
      BloomFilter local = BloomFilter.builder().shape(plan).build();
      local.putAll(longs(0, 2000));
      assertThat(one.download()).isEqualTo(local);
      assertThatThrownBy(() -> two.putAll(one)).hasMessageContaining("fold");
      assertThatThrownBy(() -> one.putAll(two, 1e-9)).hasMessageContaining("above 1.0E-9");
      assertThatThrownBy(() -> one.putAll(two, Double.NaN))
          .isInstanceOf(IllegalArgumentException.class);
    } finally {
      two.drop();
    }
  }

  private static ScalableBloomFilter growing(Layout.Family layout, long[] keys) {
    ScalableBloomFilter local =
        ScalableBloomFilter.builder()
            .initialKeys(100)
            .fpp(0.01)
            .horizonKeys(100_000)
            .layout(layout)
            .build();
    local.putAll(keys);
    return local;
  }

  private static List<String> levels(Filter filter) {
    return ((ScalableBloomFilter) filter)
        .levels().stream()
            .map(l -> "%d: %d bits, %d keys".formatted(l.index(), l.bits(), l.keys()))
            .sorted()
            .toList();
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void uploadOfAGrowingFilter(Layout.Family layout) {
    ScalableBloomFilter local = growing(layout, longs(0, 3000));
    SharedBloomFilter shared = SharedBloomFilter.create(bits, name, local.plan());
    shared.upload(local);
    assertThat(shared.download()).isEqualTo(local);
    assertThat(shared.putAll(longs(3000, 4000))).isEqualTo(local.putAll(longs(3000, 4000)));
    assertThat(shared.download()).isEqualTo(local);
    assertThatThrownBy(() -> shared.upload(ScalableBloomFilter.create(0.001)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> shared.upload(local.intersection(local)))
        .hasMessageContaining("two series");
    assertThatThrownBy(() -> shared.upload(BloomFilter.create(100, 0.01)))
        .hasMessageContaining("grows");
  }

  @ParameterizedTest
  @EnumSource(Layout.Family.class)
  void unionOfGrowingFilters(Layout.Family layout) {
    for (int theirKeys : new int[] {30, 800, 1500}) {
      ScalableBloomFilter mine = growing(layout, longs(0, 750));
      ScalableBloomFilter theirs = growing(layout, longs(10_000, 10_000 + theirKeys));
      SharedBloomFilter one = SharedBloomFilter.create(bits, name, mine.plan());
      SharedBloomFilter two = SharedBloomFilter.create(bits, name + ":2", mine.plan());
      one.putAll(longs(0, 750));
      two.putAll(longs(10_000, 10_000 + theirKeys));
      SharedBloomFilter watching = SharedBloomFilter.open(bits, name);
      one.putAll(two);
      ScalableBloomFilter both = mine.union(theirs);
      Filter copy = one.download();
      assertThat(levels(copy)).isEqualTo(levels(both));
      assertThat(copy.expectedFpp()).isEqualTo(both.expectedFpp(), within(1e-12));
      assertThat(one.approximateElementCount()).isEqualTo(both.approximateElementCount());
      boolean[] hits = new boolean[1500];
      assertThat(watching.countMightContain(longs(0, 750), hits)).isEqualTo(750);
      assertThat(watching.countMightContain(longs(10_000, 10_000 + theirKeys), hits))
          .isEqualTo(theirKeys);
      one.putAll(one);
      assertThat(one.download()).isEqualTo(copy);
      watching.putAll(longs(50_000, 51_500));
      long[] factors = one.foldFactors();
      if (factors.length > 1) { // its oldest levels are full
        assertThatThrownBy(() -> one.foldBy(factors[1])).hasMessageContaining("keeps its rate");
      }
      assertThat(one.countMightContain(longs(50_000, 51_500), hits)).isEqualTo(1500);
      assertThat(one.countMightContain(longs(10_000, 10_000 + theirKeys), hits))
          .isEqualTo(theirKeys);
      assertThatThrownBy(() -> one.putAll(two, 1e-9)).hasMessageContaining("above 1.0E-9");
      assertThatThrownBy(() -> one.putAll(two, Double.NaN))
          .isInstanceOf(IllegalArgumentException.class);
      one.drop();
      two.drop();
    }
  }

  @Test
  void growingAndFixedFiltersDoNotMerge() {
    SharedBloomFilter grows =
        SharedBloomFilter.create(
            bits, name, ScalablePlan.of(100, 0.01, 1000, Layout.Family.BLOCKED));
    SharedBloomFilter fixed =
        SharedBloomFilter.create(
            bits, name + ":2", BloomPlan.foldable(100, 0.01, Layout.Family.BLOCKED));
    SharedBloomFilter other =
        SharedBloomFilter.create(
            bits, name + ":3", ScalablePlan.of(200, 0.01, 1000, Layout.Family.BLOCKED));
    try {
      assertThatThrownBy(() -> grows.putAll(fixed)).hasMessageContaining("grows but filter");
      assertThatThrownBy(() -> fixed.putAll(grows)).hasMessageContaining("grows but filter");
      assertThatThrownBy(() -> grows.putAll(other)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> fixed.upload(growing(Layout.Family.BLOCKED, longs(0, 1))))
          .hasMessageContaining("does not grow");
    } finally {
      fixed.drop();
      other.drop();
    }
  }

  @Test
  void statsDescribeTheFilter() {
    BloomFilter local = BloomFilter.create(5000, 0.01);
    local.putAll(longs(0, 5000));
    SharedBloomFilter shared = SharedBloomFilter.create(bits, name, local.plan());
    shared.putAll(longs(0, 5000));
    FilterStats here = shared.stats();
    FilterStats there = local.stats();
    assertThat(here.ones()).isEqualTo(there.ones());
    assertThat(here.bits()).isEqualTo(there.bits());
    assertThat(shared.sizeInBytes()).isEqualTo(local.sizeInBytes());
    assertThat(here.approximateKeys()).isEqualTo(there.approximateKeys());
    assertThat(here.expectedFpp()).isBetween(0.8 * there.expectedFpp(), 1.2 * there.expectedFpp());
    SharedBloomFilter.Storage storage = shared.storage();
    assertThat(storage.stats()).isEqualTo(here);
    assertThat(storage.fileBytes()).isEqualTo(local.sizeInBytes());
    assertThat(storage.stripes()).isEqualTo(1);
    assertThat(storage.levels()).isEmpty();
    assertThat(shared.explain()).contains(name, "1 string", "hash scheme");
    assertThat(shared.ladder().get(shared.ladder().size() - 1).bits()).isEqualTo(local.bits());
    assertThat(shared.ladder()).hasSameSizeAs(local.ladder());
  }

  @Test
  void dropLeavesNothing() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(
            bits, name, ScalablePlan.of(10, 0.01, 1000, Layout.Family.BLOCKED));
    filter.putAll(longs(0, 500));
    assertThat(keys()).hasSizeGreaterThan(4);
    SharedBloomFilter other = SharedBloomFilter.open(bits, name);
    filter.drop();
    assertThat(keys()).isEmpty();
    assertThatThrownBy(() -> other.mightContain(1)).hasMessageContaining("no longer exists");
    assertThatThrownBy(() -> other.put(1)).hasMessageContaining("no longer exists");
    assertThatThrownBy(() -> SharedBloomFilter.open(bits, name)).hasMessageContaining("no filter");
    assertThat(keys()).isEmpty();
  }

  @Test
  void expiryAppliesToPresentAndFutureKeys() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(
            bits, name, ScalablePlan.of(100, 0.01, 1000, Layout.Family.BLOCKED));
    Instant end = Instant.now().plus(Duration.ofDays(1));
    filter.expireAt(end);
    filter.putAll(longs(0, 30));
    filter.foldBy(filter.foldFactors()[1]);
    filter.putAll(longs(0, 300));
    assertThat(keys()).hasSizeGreaterThan(3);
    assertThat(keys()).allMatch(key -> client.pttl(key) > 0 && client.pttl(key) <= 86_400_000);
    filter.persist();
    assertThat(keys()).allMatch(key -> client.pttl(key) == -1);
    filter.expireAt(Instant.ofEpochMilli(1));
    assertThat(keys()).isEmpty();
    assertThatThrownBy(() -> filter.put(1)).hasMessageContaining("no longer exists");
  }

  @Test
  void manyServicesOpenOrCreateOneFilter() {
    BloomPlan plan = BloomPlan.foldable(1000, 0.01, Layout.Family.BLOCKED);
    List<SharedBloomFilter> filters =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(i -> SharedBloomFilter.openOrCreate(bits, name, plan, HashScheme.DEFAULT))
            .toList();
    for (int i = 0; i < filters.size(); i++) {
      filters.get(i).put(i);
    }
    assertThat(filters).allMatch(filter -> filter.mightContain(7) && filter.mightContain(0));
    filters.get(0).foldBy(filters.get(0).foldFactors()[1]);
    assertThat(SharedBloomFilter.openOrCreate(bits, name, plan, HashScheme.DEFAULT).mightContain(5))
        .isTrue();
    assertThatThrownBy(
            () ->
                SharedBloomFilter.openOrCreate(
                    bits,
                    name,
                    BloomPlan.foldable(1000, 1e-6, Layout.Family.BLOCKED),
                    HashScheme.DEFAULT))
        .hasMessageContaining("another configuration");
    assertThatThrownBy(() -> SharedBloomFilter.openOrCreate(bits, name, plan, HashScheme.xxh3(9)))
        .hasMessageContaining("not with the given xxh3-64(seed 9)");
    assertThatThrownBy(() -> SharedBloomFilter.create(bits, name, plan))
        .hasMessageContaining("already");
  }

  @Test
  void aSecretStaysWithTheClients() {
    HashScheme secret = HashScheme.sipHash("sixteen byte key".getBytes(StandardCharsets.US_ASCII));
    BloomPlan plan = BloomPlan.foldable(100, 0.01, Layout.Family.BLOCKED);
    SharedBloomFilter.create(bits, name, plan, secret).put("key");
    assertThat(SharedBloomFilter.open(bits, name, secret).mightContain("key")).isTrue();
    SharedBloomFilter sealed = SharedBloomFilter.open(bits, name);
    assertThat(sealed.stats().ones()).isPositive();
    assertThatThrownBy(() -> sealed.mightContain("key")).hasMessageContaining("secret key");
  }

  @Test
  void namesThatCannotBeKeysAreRefused() {
    BloomPlan plan = BloomPlan.foldable(100, 0.01, Layout.Family.BLOCKED);
    for (String bad : List.of("", "a{b", "a}b", "a\nb", "a\uD800b", "x".repeat(513))) {
      assertThatThrownBy(() -> SharedBloomFilter.create(bits, bad, plan))
          .hasMessageContaining("the name of a filter");
      assertThatThrownBy(() -> SharedBloomFilter.open(bits, bad))
          .hasMessageContaining("the name of a filter");
    }
  }

  @Test
  void namesOfAllKinds() {
    BloomPlan plan = BloomPlan.foldable(100, 0.01, Layout.Family.BLOCKED);
    for (String good : List.of(" a b ", "a:0:0", "*", "\u00e4\uD83D\uDE00", "x".repeat(512))) {
      SharedBloomFilter filter = SharedBloomFilter.create(bits, good, plan);
      filter.put(1);
      assertThat(SharedBloomFilter.open(bits, good).mightContain(1)).isTrue();
      filter.drop();
    }
  }

  @Test
  void batchesWithoutKeysAndHugeOnes() {
    SharedBloomFilter fixed =
        SharedBloomFilter.create(
            bits, name, BloomPlan.foldable(200_000, 0.01, Layout.Family.BLOCKED));
    SharedBloomFilter grows =
        SharedBloomFilter.create(
            bits, name + ":2", ScalablePlan.of(10, 0.01, 99, Layout.Family.BLOCKED));
    assertThat(fixed.putAll(new long[0]) + grows.putAll(new long[0])).isZero();
    assertThat(fixed.countMightContain(new long[0], new boolean[0])).isZero();
    assertThat(grows.countMightContain(new long[0], new boolean[0])).isZero();
    grows.drop();
    long[] many = longs(0, 150_000);
    assertThat(fixed.putAll(many)).isGreaterThan(148_000);
    assertThat(fixed.countMightContain(many, new boolean[many.length])).isEqualTo(many.length);
    assertThat(fixed.putAll(many)).isZero();
  }

  @Test
  void anInterruptedThreadPutsAndStaysInterrupted() {
    SharedBloomFilter filter =
        SharedBloomFilter.create(bits, name, BloomPlan.foldable(100, 0.01, Layout.Family.BLOCKED));
    Thread.currentThread().interrupt();
    boolean put = filter.put(1);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(put).isTrue();
    assertThat(filter.mightContain(1)).isTrue();
  }

  @Test
  void theNewerProtocolHasTheSameAnswers() {
    URI server = RedisProcess.shared();
    try (RedisClient newer =
        RedisClient.builder()
            .hostAndPort(new HostAndPort(server.getHost(), server.getPort()))
            .clientConfig(RedisProcess.patient().resp3().build())
            .build()) {
      for (Layout.Family layout : Layout.Family.values()) {
        BloomPlan plan = BloomPlan.foldable(1000, 0.01, layout);
        SharedBloomFilter one = SharedBloomFilter.create(JedisBits.of(newer), name, plan);
        SharedBloomFilter two = SharedBloomFilter.open(bits, name);
        assertThat(one.putAll(longs(0, 500))).isGreaterThan(490);
        two.foldBy(two.foldFactors()[1]);
        assertThat(one.putAll(longs(0, 500))).isZero();
        assertThat(one.download()).isEqualTo(two.download());
        assertThat(one.stats().ones()).isEqualTo(two.stats().ones());
        one.drop();
      }
    }
  }
}
