package dev.bellows.cli;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import redis.embedded.RedisExecProvider;

/**
 * A Redis server that a test starts and ends; {@code -Dbellows.redis.server=PATH} names another.
 */
final class RedisServer implements AutoCloseable {
  private final Process process;
  private final int port;

  private RedisServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static RedisServer start(Path folder, String... options) {
    try {
      String path = System.getProperty("bellows.redis.server", "");
      File binary = path.isEmpty() ? RedisExecProvider.defaultProvider().get() : new File(path);
      int port = freePort();
      List<String> words = new ArrayList<>(List.of(binary.getPath(), "--port", "" + port));
      words.addAll(List.of("--bind", "127.0.0.1", "--dir", folder.toString(), "--save", ""));
      words.addAll(List.of(options));
      Process process =
          new ProcessBuilder(words)
              .redirectErrorStream(true)
              .redirectOutput(folder.resolve("server.log").toFile())
              .start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      await(process, port);
      return new RedisServer(process, port);
    } catch (IOException | RuntimeException e) {
      throw new AssertionError(
          "no Redis server can run here: give the path of one with -Dbellows.redis.server=PATH", e);
    }
  }

  /** A port that leaves room for the bus of a cluster, 10000 above it. */
  static int freePort() throws IOException {
    while (true) {
      try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        if (socket.getLocalPort() < 55_000) {
          return socket.getLocalPort();
        }
      }
    }
  }

  int port() {
    return port;
  }

  private static void await(Process process, int port) throws IOException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (true) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        return;
      } catch (IOException e) {
        if (!process.isAlive() || System.nanoTime() > end) {
          throw e;
        }
      }
    }
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
