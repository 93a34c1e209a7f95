package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.embedded.RedisExecProvider;

/**
 * A server that the tests start and end: the one inside embedded-redis, or the one at {@code
 * -Dbellows.redis.server=PATH}. A server that runs already is named by {@code
 * -Dbellows.redis=HOST:PORT}; it serves the tests that need no server of their own.
 */
final class RedisProcess implements AutoCloseable {
  private static final String ADDRESS = System.getProperty("bellows.redis", "");

  /** Ends a test that hangs; no test depends on how long anything takes. */
  static final Duration PATIENCE = Duration.ofMinutes(10);

  private static RedisProcess shared;
  private static File binary;

  private final File program;
  private final Path folder;
  private final List<String> options;
  private ServerPort port = ServerPort.claim();
  private Process process;

  private RedisProcess(File program, Path folder, List<String> options) {
    this.program = program;
    this.folder = folder;
    this.options = options;
  }

  /** The server that tests share, without persistence; it ends with this JVM. */
  static synchronized URI shared() {
    if (!ADDRESS.isEmpty()) {
      return URI.create("redis://" + ADDRESS);
    }
    if (shared == null) {
      try {
        shared = start(Files.createTempDirectory("bellows-redis"));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    return shared.uri();
  }

  /** A server of its own that keeps its data in a folder. */
  static RedisProcess start(Path folder, String... options) {
    return start(binary(), folder, options);
  }

  /** The same with another server. */
  static RedisProcess start(File program, Path folder, String... options) {
    RedisProcess server = new RedisProcess(program, folder, List.of(options));
    for (String log = server.run(); log != null; log = server.run()) {
      if (!log.contains("Failed listening on port")) {
        throw new AssertionError("the server does not start:\n" + log);
      }
      server.port.close();
      server.port = ServerPort.claim();
    }
    return server;
  }

  static synchronized File binary() {
    if (binary == null) {
      String path = System.getProperty("bellows.redis.server", "");
      try {
        binary = path.isEmpty() ? RedisExecProvider.defaultProvider().get() : new File(path);
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(
            "no Redis server can run here, and these tests are worth nothing without one: give the"
                + " path of one with -Dbellows.redis.server=PATH, or the address of one that runs"
                + " with -Dbellows.redis=HOST:PORT",
            e);
      }
    }
    return binary;
  }

  /** Starts the server again on the same port and folder after it was killed. */
  void restart() {
    String log = run();
    if (log != null) {
      throw new AssertionError("the server does not start again:\n" + log);
    }
  }

  /** Starts the server and waits until it answers; returns what it said if it ends instead. */
  private @Nullable String run() {
    List<String> words = new ArrayList<>();
    words.add(program.getPath());
    words.addAll(List.of("--port", "" + port(), "--bind", "127.0.0.1", "--dir", folder.toString()));
    words.addAll(List.of("--save", "", "--daemonize", "no"));
    words.addAll(options);
    try {
      process = new ProcessBuilder(words).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw new AssertionError(
          "the Redis server %s does not start here: give another one with -Dbellows.redis.server=PATH, or the address of one that runs with -Dbellows.redis=HOST:PORT"
              .formatted(words.get(0)),
          e);
    }
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    CompletableFuture<@Nullable String> ready = new CompletableFuture<>();
    BufferedReader said = process.inputReader();
    Thread reader = new Thread(() -> read(said, ready), "log of a Redis server");
    reader.setDaemon(true);
    reader.start();
    try {
      return ready.get(PATIENCE.toMinutes(), TimeUnit.MINUTES);
    } catch (ExecutionException | InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  /** Reads the output of a server until it reports that it is ready or ends. */
  private static void read(BufferedReader said, CompletableFuture<@Nullable String> ready) {
    StringBuilder log = new StringBuilder();
    try (said) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        log.append(line).append('\n');
        if (line.contains("Ready to accept connections")) {
          ready.complete(null);
        }
      }
    } catch (IOException e) {
      log.append(e);
    }
    ready.complete(log.toString());
  }

  /** Waits for a condition; fails if one of these servers has ended. */
  static void await(BooleanSupplier condition, RedisProcess... servers) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      for (RedisProcess server : servers) {
        assertThat(server.process.isAlive()).as("the server runs").isTrue();
      }
      assertThat(System.nanoTime() - end).as("the test hangs").isNegative();
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** A field of INFO. */
  static String field(Jedis jedis, String section, String name) {
    return jedis
        .info(section)
        .lines()
        .filter(line -> line.startsWith(name + ":"))
        .map(line -> line.substring(name.length() + 1).strip())
        .findFirst()
        .orElseThrow();
  }

  /** For clients that wait as long as it takes. */
  static DefaultJedisClientConfig.Builder patient() {
    return DefaultJedisClientConfig.builder().timeoutMillis((int) PATIENCE.toMillis());
  }

  static RedisClient clientOf(URI server) {
    return RedisClient.builder()
        .hostAndPort(server.getHost(), server.getPort())
        .clientConfig(patient().build())
        .build();
  }

  int port() {
    return port.number();
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + port());
  }

  JedisBits connect() {
    return JedisBits.connect(uri(), PATIENCE);
  }

  RedisClient client() {
    return clientOf(uri());
  }

  Jedis jedis() {
    return new Jedis(new HostAndPort("127.0.0.1", port()), patient().build());
  }

  /** kill -9. */
  void kill() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    kill();
    port.close();
  }
}
