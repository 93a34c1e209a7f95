package dev.bellows.cli.redis;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.embedded.RedisExecProvider;

/**
 * A Redis server that a test starts and ends; {@code -Dbellows.redis.server=PATH} names another.
 *
 * <p>Its port, and the one 10000 above it, lie below those that systems give to clients. The UDP
 * port of the same number is the claim to both, so that test processes use no port twice. A server
 * that finds its port taken by another program gets another one.
 */
public final class RedisServer implements AutoCloseable {
  /** Ends a test that hangs; no test depends on how long anything takes. */
  private static final int PATIENCE_MINUTES = 10;

  /** The option of a JVM whose commands wait as long as it takes. */
  public static final String PATIENT =
      "-Dbellows.redis.timeout=" + TimeUnit.MINUTES.toMillis(PATIENCE_MINUTES);

  private static final int FIRST_PORT = 10_000;
  private static final int PORTS = 10_000;

  private static int nextPort = (int) (ProcessHandle.current().pid() * 89 % PORTS);
  private static File binary;

  private final DatagramSocket claim;
  private final Process process;

  private RedisServer(DatagramSocket claim, Process process) {
    this.claim = claim;
    this.process = process;
  }

  /** Starts a server with these options and files in {@code folder}. */
  public static RedisServer start(Path folder, String... options) {
    return start(folder, port -> List.of(options));
  }

  /** A server whose options depend on its port. */
  static synchronized RedisServer start(Path folder, IntFunction<List<String>> options) {
    for (int attempt = 0; attempt < PORTS; attempt++) {
      try {
        DatagramSocket claim = claim();
        Process process = run(folder, claim.getLocalPort(), options);
        String log = awaitReady(process);
        if (log.isEmpty()) {
          return new RedisServer(claim, process);
        }
        claim.close();
        if (!log.contains("Failed listening on port")) {
          throw new IOException(log);
        }
      } catch (SocketException e) {
        // claimed by another process
      } catch (IOException | RuntimeException e) {
        throw new AssertionError(
            "no Redis server can run here: give the path of one with -Dbellows.redis.server=PATH",
            e);
      }
    }
    throw new AssertionError("no free port from " + FIRST_PORT + " on");
  }

  private static DatagramSocket claim() throws IOException {
    int port = FIRST_PORT + nextPort++ % PORTS;
    return new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
  }

  private static Process run(Path folder, int port, IntFunction<List<String>> options)
      throws IOException {
    if (binary == null) {
      String path = System.getProperty("bellows.redis.server", "");
      binary = path.isEmpty() ? RedisExecProvider.defaultProvider().get() : new File(path);
    }
    List<String> words = new ArrayList<>(List.of(binary.getPath(), "--port", "" + port));
    words.addAll(List.of("--bind", "127.0.0.1", "--dir", folder.toString(), "--save", ""));
    words.addAll(options.apply(port));
    Process process = new ProcessBuilder(words).redirectErrorStream(true).start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    return process;
  }

  /** Waits until a server is ready; returns what it said if it ends instead. */
  private static String awaitReady(Process process) {
    CompletableFuture<String> ready = new CompletableFuture<>();
    BufferedReader said = process.inputReader();
    Thread reader = new Thread(() -> read(said, ready), "log of a Redis server");
    reader.setDaemon(true);
    reader.start();
    try {
      return ready.get(PATIENCE_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException | InterruptedException | TimeoutException e) {
      throw new AssertionError(e);
    }
  }

  private static void read(BufferedReader said, CompletableFuture<String> ready) {
    StringBuilder log = new StringBuilder();
    try (said) {
      for (String line = said.readLine(); line != null; line = said.readLine()) {
        log.append(line).append('\n');
        if (line.contains("Ready to accept connections")) {
          ready.complete("");
        }
      }
    } catch (IOException e) {
      log.append(e);
    }
    ready.complete(log.append("it has ended").toString());
  }

  int port() {
    return claim.getLocalPort();
  }

  /** Returns the address for {@code --url}. */
  public String url() {
    return "redis://127.0.0.1:" + port();
  }

  Jedis jedis() {
    int patience = (int) TimeUnit.MINUTES.toMillis(PATIENCE_MINUTES);
    return new Jedis(
        new HostAndPort("127.0.0.1", port()),
        DefaultJedisClientConfig.builder().timeoutMillis(patience).build());
  }

  boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    claim.close();
  }
}
