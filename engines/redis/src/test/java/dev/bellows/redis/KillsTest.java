package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalablePlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;

/**
 * kill -9 of the server, or of a client, while keys are put and the filter folds, grows or is
 * merged. The server writes every change to its append-only file before it answers.
 */
class KillsTest {
  private static final int ROUNDS_OF_A_SERVER = 6;

  /** More than are put before a kill, unless this process has to wait. */
  private static final long PUTS = 100_000;

  /** Enough that the keys of a round leave most bits zero. */
  private static final long LEAST_BITS = 512 * 4096;

  @TempDir Path folder;
  private int midChange;

  @Test
  void acknowledgedPutsSurviveKills() {
    kill(6);
  }

  @Test
  @Tag("scale")
  void acknowledgedPutsSurviveAHundredKills() {
    long acknowledged = kill(100);
    System.out.printf(
        "| kill -9 of server or client during put, fold, grow and merge in Redis | 100, %d of them while a change was under way | 0 of %,d acknowledged keys lost, no debris |%n",
        midChange, acknowledged);
  }

  private long kill(int times) {
    long acknowledged = 0;
    // a new server now and then: each one replays all that it ever did when it starts again
    for (int from = 0; from < times; from += ROUNDS_OF_A_SERVER) {
      try (RedisProcess server =
          RedisProcess.start(
              Files.createDirectory(folder.resolve("server" + from)),
              "--appendonly",
              "yes",
              "--appendfsync",
              "always",
              "--auto-aof-rewrite-percentage", // whose process would outlive the server
              "0")) {
        for (int i = from; i < Math.min(times, from + ROUNDS_OF_A_SERVER); i++) {
          acknowledged += round(server, i);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return acknowledged;
  }

  private long round(RedisProcess server, int round) {
    Random random = new Random(round);
    String name = "kill:" + round;
    String other = name + ":other";
    boolean grows = round % 3 == 1;
    try (JedisBits bits = server.connect()) {
      if (grows) {
        SharedBloomFilter.create(
            bits, name, ScalablePlan.of(50, 0.01, 1_000_000, Layout.Family.BLOCKED));
      } else {
        BloomPlan plan = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 16 * LEAST_BITS, 0);
        SharedBloomFilter.create(bits, name, plan, HashScheme.DEFAULT, 1 << 14);
        SharedBloomFilter.create(bits, other, plan, HashScheme.DEFAULT, 1 << 14)
            .putAll(LongStream.range(-500, 0).toArray());
      }
    }
    String change = grows || round % 3 == 0 ? "fold" : "merge";
    long start = round * PUTS;
    Worker.Running putting = Worker.start("put", server.uri(), name, start, start + PUTS);
    Worker.Running changing = Worker.start(change, server.uri(), name, grows ? 0 : LEAST_BITS, 0);
    assertThat(putting.line()).as("%s", putting).isEqualTo("ready");
    assertThat(changing.line()).isEqualTo("ready");
    for (int lines = random.nextInt(25); lines >= 0; lines--) {
      putting.line();
    }
    if (round % 2 == 0) {
      server.kill();
      putting.end();
      changing.end();
      server.restart();
    } else {
      changing.kill();
      changing.end();
      putting.kill();
      putting.end();
    }
    assertThat(putting.acknowledged()).isGreaterThan(start);
    try (Jedis jedis =
        server.jedis()) { // until the server has executed the commands of dead clients
      RedisProcess.await(
          () -> RedisProcess.field(jedis, "clients", "connected_clients").equals("1"), server);
    }
    try (RedisClient client = server.client()) {
      JedisBits bits = JedisBits.of(client);
      midChange += client.hget("{" + name + "}", "parts").split(" ")[1].equals("-") ? 0 : 1;
      checkKeys(SharedBloomFilter.open(bits, name), start, putting.acknowledged());
      client.del("{" + name + "}:lease"); // as time does
      SharedBloomFilter filter = SharedBloomFilter.open(bits, name);
      checkKeys(filter, start, putting.acknowledged());
      assertThat(filter.expectedFpp()).isLessThan(0.011);
      assertThat(client.keys("{" + name + "}*")).isEqualTo(expectedKeys(client, name));
      if (!grows) {
        filter.putAll(SharedBloomFilter.open(bits, other));
        BloomFilter merged = (BloomFilter) filter.download();
        assertThat(LongStream.range(-500, 0)).allMatch(merged::mightContain);
        SharedBloomFilter.open(bits, other).drop();
      }
      filter.drop();
      assertThat(client.keys("*")).isEmpty();
    }
    return putting.acknowledged() - start;
  }

  private static void checkKeys(SharedBloomFilter filter, long from, long to) {
    boolean[] hits = new boolean[(int) (to - from)];
    assertThat(filter.countMightContain(LongStream.range(from, to).toArray(), hits))
        .isEqualTo(hits.length);
  }

  /** The state, and the stripes of its live parts. */
  private static Set<String> expectedKeys(RedisClient client, String name) {
    Set<String> keys = new TreeSet<>();
    keys.add("{" + name + "}");
    String[] parts = client.hget("{" + name + "}", "parts").split(" ");
    assertThat(parts[1] + parts[3] + parts[4]).isEqualTo("---");
    for (String part : parts[2].split(";")) {
      String[] numbers = part.split(",");
      long bytes = Long.parseLong(numbers[2]) / 8;
      long stripe = Long.parseLong(numbers[3]);
      for (int i = 0; i < (bytes + stripe - 1) / stripe; i++) {
        keys.add("{" + name + "}:" + numbers[1] + ":" + i);
      }
    }
    return keys;
  }

  @Test
  void aFoldingWhoseClientLivesIsLeftAlone(@TempDir Path own) {
    try (RedisProcess server = RedisProcess.start(own);
        RedisClient client = server.client()) {
      JedisBits bits = JedisBits.of(client);
      BloomPlan plan = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 64, 0);
      SharedBloomFilter filter = SharedBloomFilter.create(bits, "lease", plan);
      filter.put(1);
      String parts = client.hget("{lease}", "parts");
      String folding = "2 p " + parts.split(" ")[2] + " 0,1,16384,2048,0 -";
      client.hset("{lease}", "parts", folding);
      client.psetex("{lease}:lease", TimeUnit.DAYS.toMillis(1), "1");
      SharedBloomFilter other = SharedBloomFilter.open(bits, "lease");
      assertThat(client.hget("{lease}", "parts")).isEqualTo(folding);
      assertThat(other.mightContain(1)).isTrue();
      client.del("{lease}:lease");
      SharedBloomFilter.open(bits, "lease").foldBy(2);
      assertThat(filter.bits()).isEqualTo(plan.bits());
      assertThat(filter.mightContain(1)).isTrue();
      assertThat(filter.bits()).isEqualTo(plan.bits() / 2);
      assertThat(client.keys("*")).hasSize(2);
    }
  }
}
