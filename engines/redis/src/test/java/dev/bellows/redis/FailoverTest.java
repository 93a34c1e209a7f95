package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** A replica is promoted while clients write. */
class FailoverTest {
  private static final BloomPlan PLAN =
      new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 360, 0);
  private static final int BATCH = 50;

  @TempDir Path oneFolder;
  @TempDir Path twoFolder;
  private RedisProcess one;
  private RedisProcess two;
  private Jedis first;
  private Jedis second;
  private Moving bits;

  /** Where the primary is, as a proxy or a sentinel would know. */
  private static final class Moving implements RedisBits {
    private volatile JedisBits now;

    Moving(JedisBits now) {
      this.now = now;
    }

    @Override
    public List<Object> send(byte[] key, List<byte[][]> commands) {
      return now.send(key, commands);
    }

    @Override
    public boolean isCluster() {
      return false;
    }

    void moveTo(RedisProcess server) {
      JedisBits old = now;
      now = server.connect();
      old.close();
    }

    @Override
    public void close() {
      now.close();
    }
  }

  @BeforeEach
  void start() {
    one = RedisProcess.start(oneFolder, "--repl-diskless-sync-delay", "0");
    two = RedisProcess.start(twoFolder, "--replicaof", "127.0.0.1", "" + one.port());
    first = one.jedis();
    second = two.jedis();
    bits = new Moving(one.connect());
    await(() -> second.info("replication").contains("master_link_status:up"));
  }

  @AfterEach
  void stop() {
    bits.close();
    first.close();
    second.close();
    one.close();
    two.close();
  }

  private void await(BooleanSupplier condition) {
    RedisProcess.await(condition, one, two);
  }

  /**
   * Waits until the replica has received everything; WAIT covers only the writes of its own
   * connection.
   */
  private void awaitReplication() {
    first.set("last", "1");
    await(() -> first.waitReplicas(1, 500) == 1);
  }

  private static long[] longs(long from, long to) {
    return LongStream.range(from, to).toArray();
  }

  @Test
  void repeatedPutsReachTheNewPrimary() {
    SharedBloomFilter filter = SharedBloomFilter.create(bits, "moves", PLAN);
    AtomicInteger acknowledged = new AtomicInteger();
    AtomicInteger refused = new AtomicInteger();
    List<CompletableFuture<Void>> writers =
        List.of(writer(filter, 0, acknowledged, refused), writer(filter, 1, acknowledged, refused));
    await(() -> acknowledged.get() > 20);
    first.sendCommand(() -> "FAILOVER".getBytes(US_ASCII));
    await(() -> second.info("replication").contains("role:master"));
    await(() -> refused.get() > 1);
    bits.moveTo(two);
    writers.forEach(CompletableFuture::join);
    assertThat(acknowledged).hasValue(200);
    boolean[] hits = new boolean[100 * BATCH];
    for (int writer = 0; writer < 2; writer++) {
      long from = 1_000_000L * writer;
      assertThat(filter.countMightContain(longs(from, from + hits.length), hits))
          .isEqualTo(hits.length);
    }
  }

  /** Puts 100 batches, one of them until a server refuses; failed puts are repeated. */
  private static CompletableFuture<Void> writer(
      SharedBloomFilter filter, int writer, AtomicInteger acknowledged, AtomicInteger refused) {
    return CompletableFuture.runAsync(
        () -> {
          for (int batch = 0; batch < 100; ) {
            // the last batches wait until a server has refused one
            boolean isHeld = batch == 60 && refused.get() == 0;
            long from = 1_000_000L * writer + (long) batch * BATCH;
            try {
              filter.putAll(longs(from, from + BATCH));
              if (!isHeld) {
                acknowledged.incrementAndGet();
                batch++;
              }
            } catch (SharedFilterException e) {
              assertThat(e.getMessage()).containsAnyOf("READONLY", "connection");
              refused.incrementAndGet();
            }
          }
        });
  }

  /** Replication is asynchronous, as the guide says. */
  @Test
  void aPutThatTheReplicaMissedIsMissing() {
    SharedBloomFilter filter = SharedBloomFilter.create(bits, "late", PLAN);
    filter.put(1);
    awaitReplication();
    second.replicaofNoOne();
    assertThat(filter.put(2)).isTrue();
    one.kill();
    SharedFilterException e =
        catchThrowableOfType(SharedFilterException.class, () -> filter.put(3));
    assertThat(e).isNotNull().hasMessageContaining("connection");
    bits.moveTo(two);
    assertThat(filter.mightContain(1)).isTrue();
    assertThat(filter.mightContain(2)).isFalse();
    assertThat(filter.put(2)).isTrue();
    assertThat(filter.mightContain(2)).isTrue();
  }

  /**
   * Both servers changed the state independently: a version of one never equals one of the other.
   */
  @Test
  void aStateOfTheOldPrimaryIsNotMistakenForANewOne() {
    SharedBloomFilter filter = SharedBloomFilter.create(bits, "apart", PLAN);
    filter.putAll(longs(0, 500));
    awaitReplication();
    second.replicaofNoOne();
    filter.foldBy(3);
    try (JedisBits other = two.connect()) {
      SharedBloomFilter.open(other, "apart").foldBy(2);
    }
    bits.moveTo(two);
    boolean[] hits = new boolean[500];
    assertThat(filter.countMightContain(longs(0, 500), hits)).isEqualTo(500);
    assertThat(filter.bits()).isEqualTo(PLAN.bits() / 2);
  }

  @Test
  void aReplicaAnswersInTheMiddleOfAFolding() {
    SharedBloomFilter.create(bits, "middle", PLAN).put(1);
    String parts = first.hget("{middle}", "parts");
    String folding = "2 p " + parts.split(" ")[2] + " 0,1,92160,11520,0 -"; // its client is gone
    first.hset("{middle}", "parts", folding);
    awaitReplication();
    try (JedisBits replica = two.connect()) {
      SharedBloomFilter copy = SharedBloomFilter.open(replica, "middle");
      assertThat(copy.mightContain(1)).isTrue();
      assertThat(copy.mightContain(2)).isFalse();
    }
    SharedBloomFilter.open(bits, "middle").foldBy(2);
    assertThat(first.hget("{middle}", "parts")).contains(" - ", "92160");
  }
}
