package dev.bellows.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.embedded.RedisExecProvider;

/**
 * A server that the tests start and end: the one inside embedded-redis, or the one at {@code
 * -Dbellows.redis.server=PATH}. A server that runs already is named by {@code
 * -Dbellows.redis=HOST:PORT}; it serves the tests that need no server of their own.
 */
final class RedisProcess implements AutoCloseable {
  private static final String ADDRESS = System.getProperty("bellows.redis", "");
  private static final long PATIENCE_MILLIS = 20_000;

  private static RedisProcess shared;
  private static File binary;

  private final File program;
  private final Path folder;
  private final int port;
  private final List<String> options;
  private Process process;

  private RedisProcess(File program, Path folder, int port, List<String> options) {
    this.program = program;
    this.folder = folder;
    this.port = port;
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
    RedisProcess server = new RedisProcess(program, folder, freePort(), List.of(options));
    server.restart();
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

  static int freePort() {
    // the bus of a cluster is 10000 above the port
    for (int attempt = 0; attempt < 100; attempt++) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        int port = socket.getLocalPort();
        if (port < 55_000) {
          return port;
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
    throw new AssertionError("no free port below 55000");
  }

  /** Starts the server, again on the same port and folder after it was killed. */
  void restart() {
    List<String> words = new ArrayList<>();
    words.add(program.getPath());
    words.addAll(List.of("--port", "" + port, "--bind", "127.0.0.1", "--dir", folder.toString()));
    words.addAll(List.of("--save", "", "--daemonize", "no"));
    words.addAll(options);
    Path log = folder.resolve("server-" + port + ".log");
    try {
      process =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
    } catch (IOException e) {
      throw new AssertionError(
          "the Redis server %s does not start here: give another one with -Dbellows.redis.server=PATH, or the address of one that runs with -Dbellows.redis=HOST:PORT"
              .formatted(words.get(0)),
          e);
    }
    Process own = process;
    Runtime.getRuntime().addShutdownHook(new Thread(own::destroyForcibly));
    awaitAnswer(log);
  }

  private void awaitAnswer(Path log) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
    while (true) {
      try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", port), config())) {
        jedis.ping();
        return;
      } catch (JedisException e) {
        if (String.valueOf(e.getMessage()).contains("NOAUTH")) {
          return;
        }
        if (System.nanoTime() > end || !process.isAlive()) {
          throw new AssertionError("the server does not answer: see " + log + "\n" + text(log), e);
        }
      }
    }
  }

  private static String text(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static DefaultJedisClientConfig config() {
    return DefaultJedisClientConfig.builder().build();
  }

  int port() {
    return port;
  }

  URI uri() {
    return URI.create("redis://127.0.0.1:" + port);
  }

  JedisBits connect() {
    return JedisBits.connect(uri());
  }

  RedisClient client() {
    return RedisClient.create(uri());
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
  }
}
