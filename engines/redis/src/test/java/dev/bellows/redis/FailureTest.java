package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.ClientSetInfoConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.JedisSocketFactory;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.providers.PooledConnectionProvider;

/** Failures cause exceptions that say whether a put may have happened. */
class FailureTest {
  private static final BloomPlan PLAN =
      new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 24, 0);

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
    try (ServerPort port = ServerPort.claim();
        JedisBits bits = JedisBits.connect(URI.create("redis://127.0.0.1:" + port.number()))) {
      SharedFilterException e = failure(() -> SharedBloomFilter.create(bits, "a", PLAN));
      assertThat(e.mayHaveHappened()).isFalse();
      assertThat(e).hasMessageContaining("no connection to the server");
      e = failure(() -> SharedBloomFilter.open(bits, "a"));
      assertThat(e).hasMessageContaining("no connection to the server");
    }
  }

  /** Sockets that lose answers: each is read, so that the server has executed the command. */
  private static final class LossySockets implements JedisSocketFactory {
    private final int port;
    private volatile @Nullable IOException loss;

    LossySockets(int port) {
      this.port = port;
    }

    @Override
    @SuppressWarnings("resource") // closed by its connection
    public Socket createSocket() {
      Socket socket =
          new Socket() {
            @Override
            public InputStream getInputStream() throws IOException {
              return new FilterInputStream(super.getInputStream()) {
                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                  int count = super.read(bytes, from, length);
                  IOException now = loss;
                  if (now != null) {
                    throw now;
                  }
                  return count;
                }
              };
            }
          };
      try {
        socket.connect(new InetSocketAddress("127.0.0.1", port));
      } catch (IOException e) {
        throw new JedisConnectionException(e);
      }
      return socket;
    }

    /** A client whose connections read nothing but answers to commands. */
    RedisClient client() {
      JedisClientConfig config =
          RedisProcess.patient()
              .serverDefaultProtocol()
              .clientSetInfoConfig(ClientSetInfoConfig.DISABLED)
              .build();
      return RedisClient.builder()
          .clientConfig(config)
          .connectionProvider(new PooledConnectionProvider(new ConnectionFactory(this, config)))
          .build();
    }
  }

  @Test
  void aLostAnswerMayHaveHappened() {
    LossySockets sockets = new LossySockets(server.port());
    try (RedisClient client = sockets.client();
        RedisClient direct = server.client()) {
      SharedBloomFilter filter = SharedBloomFilter.create(JedisBits.of(client), "lost", PLAN);
      filter.put(1);
      sockets.loss = new SocketTimeoutException("Read timed out");
      SharedFilterException late = failure(() -> filter.put(2));
      assertThat(late.mayHaveHappened()).isTrue();
      assertThat(late).hasMessageContaining("did not answer in time");
      assertThat(late).hasMessageContaining("the put may have happened; repeating it is safe");
      assertThat(SharedBloomFilter.open(JedisBits.of(direct), "lost").mightContain(2)).isTrue();
      SharedFilterException question = failure(() -> filter.mightContain(2));
      assertThat(question.mayHaveHappened()).isFalse();
      assertThat(question).hasMessageContaining("did not answer in time");
      sockets.loss = null;
      assertThat(filter.put(1)).isFalse();
      sockets.loss = new SocketException("Connection reset");
      SharedFilterException broken = failure(() -> filter.put(3));
      assertThat(broken.mayHaveHappened()).isTrue();
      assertThat(broken).hasMessageContaining("the connection to the server broke");
      assertThat(SharedBloomFilter.open(JedisBits.of(direct), "lost").mightContain(3)).isTrue();
      sockets.loss = null;
      assertThat(filter.put(2)).isFalse();
      assertThat(filter.mightContain(3)).isTrue();
    }
  }

  /** A server that is reached this many times more. */
  private record Reached(RedisBits bits, AtomicInteger times) implements RedisBits {
    @Override
    public List<@Nullable Object> send(byte[] key, List<byte[][]> commands) {
      if (times.decrementAndGet() < 0) {
        throw SharedFilterException.notSent("no connection", null);
      }
      return bits.send(key, commands);
    }

    @Override
    public boolean isCluster() {
      return false;
    }

    @Override
    public void close() {}
  }

  @Test
  void aBatchOfWhichAPartWasPutMayHaveHappened() {
    try (JedisBits bits = server.connect()) {
      AtomicInteger times = new AtomicInteger(Integer.MAX_VALUE);
      BloomPlan large = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 4096, 0);
      SharedBloomFilter filter = SharedBloomFilter.create(new Reached(bits, times), "batch", large);
      filter.put(0);
      long[] keys = LongStream.range(0, 100_000).toArray(); // more than one round trip takes
      times.set(1);
      SharedFilterException e = failure(() -> filter.putAll(keys));
      assertThat(e.mayHaveHappened()).isTrue();
      assertThat(SharedBloomFilter.open(bits, "batch").mightContain(1)).isTrue();
      times.set(0);
      assertThat(failure(() -> filter.putAll(keys)).mayHaveHappened()).isFalse();
    }
  }

  @Test
  void aServerThatComesBackIsUsedAgain(@TempDir Path own) {
    try (RedisProcess other =
            RedisProcess.start(own, "--appendonly", "yes", "--appendfsync", "always");
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

  private static JedisBits connect(String address) {
    return JedisBits.connect(URI.create(address), RedisProcess.PATIENCE);
  }

  @Test
  void noPassword(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own, "--requirepass", "secret");
        JedisBits none = other.connect();
        JedisBits wrong = connect("redis://:bad@127.0.0.1:" + other.port());
        JedisBits right = connect("redis://:secret@127.0.0.1:" + other.port())) {
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
        Jedis jedis = other.jedis()) {
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

  /** A part that does not fit is abandoned, and nothing of it stays. */
  @Test
  void noMemoryForTheFolding(@TempDir Path own) {
    try (RedisProcess other = RedisProcess.start(own);
        JedisBits bits = other.connect();
        Jedis jedis = other.jedis()) {
      BloomPlan large = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512L * 65536, 0);
      SharedBloomFilter filter =
          SharedBloomFilter.create(bits, "tight", large, HashScheme.DEFAULT, 1 << 18);
      filter.put(1);
      long used = Long.parseLong(RedisProcess.field(jedis, "memory", "used_memory"));
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

  @Test
  void aReplicaAnswersButRefusesPuts(@TempDir Path own) {
    try (RedisProcess replica =
            RedisProcess.start(own, "--replicaof", "127.0.0.1", "" + server.port());
        JedisBits primaryBits = server.connect();
        JedisBits bits = replica.connect();
        Jedis primary = server.jedis();
        Jedis second = replica.jedis()) {
      SharedBloomFilter filter = SharedBloomFilter.create(primaryBits, "replica", PLAN);
      filter.put(1);
      primary.set("last", "1"); // WAIT covers only the writes of its own connection
      RedisProcess.await(
          () ->
              second.info("replication").contains("master_link_status:up")
                  && primary.waitReplicas(1, 500) == 1,
          server,
          replica);
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
        Jedis jedis = server.jedis()) {
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
      assertThat(failure(() -> filter.mightContain(1))).hasMessageContaining("no longer exists");
      assertThat(failure(() -> filter.put(1))).hasMessageContaining("no longer exists");
      SharedBloomFilter.create(bits, "gone", PLAN);
      assertThat(failure(() -> filter.mightContain(1)))
          .hasMessageContaining("is not the one that was opened");
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
            .clientConfig(RedisProcess.patient().build())
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
    String unknown = "x".repeat(64) + ".invalid"; // no resolver can ask for such a long label
    try (JedisBits bits = JedisBits.connect(URI.create("redis://" + unknown))) {
      assertThat(failure(() -> SharedBloomFilter.open(bits, "a")))
          .hasMessageContaining("no connection");
    }
  }
}
