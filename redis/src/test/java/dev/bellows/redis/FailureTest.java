package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;

/** What goes wrong is an exception that says whether a put may have happened. */
class FailureTest {
  private static final BloomPlan PLAN = BloomPlan.shape(512 * 24, 8, Layout.BLOCKED, null);

  @TempDir static Path folder;
  private static RedisProcess server;

  @BeforeAll
  static void start() {
    server = RedisProcess.start(folder, "--repl-diskless-sync-delay", "0");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static SharedFilterException failure(Runnable action) {
    SharedFilterException e = catchThrowableOfType(SharedFilterException.class, action::run);
    assertThat(e).isNotNull();
    return e;
  }

  @Test
  void withoutAServerNothingHappened() {
    try (JedisBits bits = JedisBits.connect(URI.create("redis://127.0.0.1:1"))) {
      SharedFilterException e = failure(() -> SharedBloomFilter.create(bits, "a", PLAN));
      assertThat(e.mayHaveHappened()).isFalse();
      assertThat(e).hasMessageContaining("no connection to the server");
      e = failure(() -> SharedBloomFilter.open(bits, "a"));
      assertThat(e).hasMessageContaining("no connection to the server");
    }
  }

  /** A proxy that passes everything on until it is told what to do with the next request. */
  private static final class Proxy implements AutoCloseable {
    private final ServerSocket door = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final int to;
    private volatile Consumer<Socket> trouble;

    Proxy(int to) throws IOException {
      this.to = to;
      threads.execute(this::accept);
    }

    private void accept() {
      while (!door.isClosed()) {
        try {
          Socket here = door.accept();
          Socket there = new Socket(InetAddress.getLoopbackAddress(), to);
          threads.execute(() -> pass(here, there, true));
          threads.execute(() -> pass(there, here, false));
        } catch (IOException e) {
          return;
        }
      }
    }

    private void pass(Socket from, Socket into, boolean requests) {
      byte[] buffer = new byte[1 << 16];
      try (from;
          into) {
        InputStream in = from.getInputStream();
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
          Consumer<Socket> now = trouble;
          if (!requests && now != null) {
            now.accept(into); // the server has executed it, and the answer is lost
            continue;
          }
          into.getOutputStream().write(buffer, 0, length);
        }
      } catch (IOException e) {
        // one side has closed
      }
    }

    @Override
    public void close() throws IOException {
      door.close();
      threads.shutdownNow();
    }
  }

  private static RedisClient client(int port) {
    return RedisClient.builder()
        .hostAndPort(new HostAndPort("127.0.0.1", port))
        .clientConfig(DefaultJedisClientConfig.builder().socketTimeoutMillis(300).build())
        .build();
  }

  @Test
  void aLostAnswerMayHaveHappened() throws IOException {
    try (Proxy proxy = new Proxy(server.port());
        RedisClient client = client(proxy.door.getLocalPort());
        RedisClient direct = server.client()) {
      SharedBloomFilter filter = SharedBloomFilter.create(JedisBits.of(client), "lost", PLAN);
      filter.put(1);
      proxy.trouble = socket -> {};
      SharedFilterException late = failure(() -> filter.put(2));
      assertThat(late.mayHaveHappened()).isTrue();
      assertThat(late).hasMessageContaining("did not answer in time");
      assertThat(late).hasMessageContaining("the put may have happened; repeating it is safe");
      assertThat(SharedBloomFilter.open(JedisBits.of(direct), "lost").mightContain(2)).isTrue();
      SharedFilterException question = failure(() -> filter.mightContain(2));
      assertThat(question.mayHaveHappened()).isFalse();
      proxy.trouble = null;
      assertThat(filter.put(1)).isFalse();
      proxy.trouble =
          socket -> {
            try {
              socket.close();
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          };
      SharedFilterException broken = failure(() -> filter.put(3));
      assertThat(broken.mayHaveHappened()).isTrue();
      assertThat(broken).hasMessageContaining("the connection to the server broke");
      assertThat(SharedBloomFilter.open(JedisBits.of(direct), "lost").mightContain(3)).isTrue();
      proxy.trouble = null;
      assertThat(filter.put(2)).isFalse();
      assertThat(filter.mightContain(3)).isTrue();
    }
  }

  @Test
  void aServerThatComesBackIsAskedAgain(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own, "--appendonly", "yes");
        JedisBits bits = other.connect()) {
      SharedBloomFilter filter = SharedBloomFilter.create(bits, "back", PLAN);
      filter.put(1);
      other.kill();
      SharedFilterException down = failure(() -> filter.mightContain(1));
      assertThat(down.mayHaveHappened()).isFalse();
      other.restart();
      assertThat(filter.mightContain(1)).isTrue();
      assertThat(filter.put(2)).isTrue();
    }
  }

  @Test
  void noPassword(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own, "--requirepass", "secret");
        JedisBits none = other.connect();
        JedisBits wrong = JedisBits.connect(URI.create("redis://:bad@127.0.0.1:" + other.port()));
        JedisBits right =
            JedisBits.connect(URI.create("redis://:secret@127.0.0.1:" + other.port()))) {
      SharedFilterException e = failure(() -> SharedBloomFilter.create(none, "auth", PLAN));
      assertThat(e.mayHaveHappened()).isFalse();
      assertThat(e).hasMessageContaining("NOAUTH").hasMessageContaining("password");
      e = failure(() -> SharedBloomFilter.create(wrong, "auth", PLAN));
      assertThat(e.mayHaveHappened()).isFalse();
      assertThat(e).hasMessageContaining("password");
      assertThat(SharedBloomFilter.create(right, "auth", PLAN).put(1)).isTrue();
    }
  }

  @Test
  void noMemory(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own);
        JedisBits bits = other.connect();
        Jedis jedis = new Jedis("127.0.0.1", other.port())) {
      SharedBloomFilter filter = SharedBloomFilter.create(bits, "full", PLAN);
      filter.put(1);
      jedis.configSet("maxmemory", "1");
      SharedFilterException e = failure(() -> filter.put(2));
      assertThat(e.mayHaveHappened()).isFalse();
      assertThat(e).hasMessageContaining("OOM").hasMessageContaining("the put did not happen");
      e = failure(() -> filter.foldBy(2));
      assertThat(e.mayHaveHappened()).isFalse();
      e = failure(() -> SharedBloomFilter.create(bits, "more", PLAN));
      assertThat(e).hasMessageContaining("OOM");
      assertThat(filter.mightContain(1)).isTrue();
      assertThat(filter.mightContain(2)).isFalse();
      jedis.configSet("maxmemory", "0");
      filter.foldBy(2);
      assertThat(filter.put(2)).isTrue();
      assertThat(jedis.keys("*")).containsExactlyInAnyOrder("{full}", "{full}:1:0");
    }
  }

  /** A part that does not fit is given up, and nothing of it stays. */
  @Test
  void noMemoryForTheFolding(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own);
        JedisBits bits = other.connect();
        Jedis jedis = new Jedis("127.0.0.1", other.port())) {
      BloomPlan large = BloomPlan.shape(512L * 65536, 8, Layout.BLOCKED, null);
      SharedBloomFilter filter =
          SharedBloomFilter.create(bits, "tight", large, HashScheme.DEFAULT, 1 << 18);
      filter.put(1);
      long used = Long.parseLong(field(jedis.info("memory"), "used_memory"));
      jedis.configSet("maxmemory", "" + (used + (1 << 20)));
      SharedFilterException e = failure(() -> filter.foldBy(2));
      assertThat(e).hasMessageContaining("OOM");
      assertThat(filter.mightContain(1)).isTrue();
      jedis.configSet("maxmemory", "0");
      SharedBloomFilter.open(bits, "tight");
      assertThat(filter.put(2)).isTrue();
      if (jedis.exists("{tight}:lease")) { // the end of the folding was refused, too
        jedis.del("{tight}:lease");
        SharedBloomFilter.open(bits, "tight");
      }
      assertThat(jedis.keys("*")).hasSize(1 + 16);
    }
  }

  private static String field(String info, String name) {
    return info.lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aReplicaAnswersAndTakesNoPuts(@TempDir Path own) {
    try (RedisProcess replica =
            RedisProcess.start(own, "--replicaof", "127.0.0.1", "" + server.port());
        JedisBits primaryBits = server.connect();
        JedisBits bits = replica.connect();
        Jedis primary = new Jedis("127.0.0.1", server.port());
        Jedis second = new Jedis("127.0.0.1", replica.port())) {
      SharedBloomFilter filter = SharedBloomFilter.create(primaryBits, "replica", PLAN);
      filter.put(1);
      primary.set("last", "1"); // WAIT knows the writes of its own connection only
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
      while (!second.info("replication").contains("master_link_status:up")
          || primary.waitReplicas(1, 500) < 1) {
        assertThat(System.nanoTime()).as("the replica takes no part").isLessThan(end);
      }
      SharedBloomFilter copy = SharedBloomFilter.open(bits, "replica");
      assertThat(copy.mightContain(1)).isTrue();
      assertThat(copy.download()).isEqualTo(filter.download());
      SharedFilterException e = failure(() -> copy.put(2));
      assertThat(e.mayHaveHappened()).isFalse();
      assertThat(e).hasMessageContaining("READONLY").hasMessageContaining("primary");
      e = failure(() -> copy.foldBy(2));
      assertThat(e).hasMessageContaining("READONLY");
    }
  }

  @Test
  void scriptsThatTheServerForgotAreLoadedAgain() {
    try (JedisBits bits = server.connect();
        Jedis jedis = new Jedis("127.0.0.1", server.port())) {
      SharedBloomFilter filter = SharedBloomFilter.create(bits, "scripts", PLAN);
      filter.put(1);
      jedis.scriptFlush();
      assertThat(filter.putAll(LongStream.range(0, 3000).toArray())).isGreaterThan(2000);
      jedis.scriptFlush();
      filter.foldBy(2);
      assertThat(filter.mightContain(2999)).isTrue();
    }
  }

  @Test
  void aServerThatForgotItsDataIsAnError(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own);
        JedisBits bits = other.connect()) {
      SharedBloomFilter filter = SharedBloomFilter.create(bits, "gone", PLAN);
      filter.put(1);
      other.kill();
      other.restart();
      assertThat(failure(() -> filter.mightContain(1))).hasMessageContaining("is gone");
      assertThat(failure(() -> filter.put(1))).hasMessageContaining("is gone");
      SharedBloomFilter.create(bits, "gone", PLAN);
      assertThat(failure(() -> filter.mightContain(1))).hasMessageContaining("another one");
    }
  }

  /** What a server evicts is an error, whichever key it takes first. */
  @Test
  void evictionIsNoQuietNo(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own, "--maxmemory-policy", "allkeys-random");
        JedisBits bits = other.connect();
        Jedis jedis = new Jedis("127.0.0.1", other.port())) {
      BloomPlan plan = BloomPlan.shape(512L * 4096, 8, Layout.BLOCKED, null);
      SharedBloomFilter filter =
          SharedBloomFilter.create(bits, "evicted", plan, HashScheme.DEFAULT, 1 << 14);
      long[] keys = LongStream.range(0, 2000).toArray();
      filter.putAll(keys);
      long stripes = jedis.dbSize();
      long used = Long.parseLong(field(jedis.info("memory"), "used_memory"));
      jedis.configSet("maxmemory", "" + (used - (1 << 14)));
      while (jedis.dbSize() == stripes) {
        jedis.ping();
      }
      jedis.configSet("maxmemory", "0");
      boolean[] hits = new boolean[keys.length];
      SharedFilterException e = failure(() -> filter.countMightContain(keys, hits));
      assertThat(e.getMessage()).containsAnyOf("noeviction", "is gone");
      assertThat(failure(() -> filter.putAll(keys)).getMessage())
          .containsAnyOf("noeviction", "is gone");
      assertThat(failure(filter::download).getMessage()).containsAnyOf("evicted", "is gone");
      assertThat(failure(filter::stats).getMessage()).containsAnyOf("noeviction", "is gone");
    }
  }

  @Test
  void noFreeConnectionMeansThatNothingHappened() {
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(1);
    pool.setMaxWait(Duration.ofMillis(20));
    try (RedisClient client =
        RedisClient.builder()
            .hostAndPort(new HostAndPort("127.0.0.1", server.port()))
            .poolConfig(pool)
            .build()) {
      SharedBloomFilter filter = SharedBloomFilter.create(JedisBits.of(client), "pool", PLAN);
      try (Connection taken = client.getPool().getResource()) {
        assertThat(taken.isConnected()).isTrue();
        SharedFilterException e = failure(() -> filter.put(1));
        assertThat(e.mayHaveHappened()).isFalse();
        assertThat(e).hasMessageContaining("no connection");
      }
      assertThat(filter.mightContain(1)).isFalse();
      assertThat(filter.put(1)).isTrue();
    }
  }

  @Test
  void addresses() {
    for (String bad : new String[] {"http://x:1", "redis:6379", "redis:///0", "x"}) {
      assertThatThrownBy(() -> JedisBits.connect(URI.create(bad)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("redis://host:port");
    }
    assertThatThrownBy(() -> JedisBits.connect(URI.create("redis://ann@x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("assword");
    try (JedisBits bits = JedisBits.connect(URI.create("redis://nowhere.invalid"))) {
      assertThat(failure(() -> SharedBloomFilter.open(bits, "a")))
          .hasMessageContaining("no connection");
    }
  }
}
