package dev.bellows.redis;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/**
 * A process that puts, folds or merges, and prints what was acknowledged. Its arguments: what, the
 * server's address, the filter's name, two numbers. Some of its tasks run until standard input is
 * closed.
 */
final class Worker {
  private Worker() {}

  public static void main(String[] arguments) {
    String what = arguments[0];
    String name = arguments[2];
    long first = Long.parseLong(arguments[3]);
    long second = Long.parseLong(arguments[4]);
    try (JedisBits bits = JedisBits.connect(URI.create(arguments[1]), RedisProcess.PATIENCE)) {
      SharedBloomFilter filter = SharedBloomFilter.open(bits, name);
      System.out.println("ready");
      switch (what) {
        case "put" -> put(filter, first, second, true);
        case "go on" -> put(filter, first, second, false);
        case "fold" -> fold(filter, first);
        case "merge" -> merge(bits, filter, name);
        default -> throw new IllegalArgumentException(what);
      }
    }
  }

  /**
   * Puts the keys of a range, singly and in batches, and names the end of what was put. Unless that
   * is all, it also puts the keys after the range, until it is told to stop.
   */
  private static void put(SharedBloomFilter filter, long from, long to, boolean isAll) {
    AtomicBoolean isStopped = new AtomicBoolean(isAll);
    Thread stop = new Thread(() -> isStopped.set(isClosed(System.in)));
    stop.setDaemon(true);
    stop.start();
    Random random = new Random(from);
    for (long key = from; key < to || !isStopped.get(); ) {
      int batch = random.nextInt(10) == 0 ? 1 : 1 + random.nextInt(400);
      long end = key < to ? Math.min(to, key + batch) : key + batch;
      if (batch == 1) {
        filter.put(key);
      } else {
        filter.putAll(LongStream.range(key, end).toArray());
      }
      key = end;
      System.out.println("put " + key);
    }
  }

  /** Waits for the end of a stream. */
  private static boolean isClosed(InputStream stream) {
    try {
      return stream.read() < 0;
    } catch (IOException e) {
      return true;
    }
  }

  /** Folds by the smallest factor again and again, down to a least size. */
  private static void fold(SharedBloomFilter filter, long leastBits) {
    while (true) {
      long[] factors = filter.foldFactors();
      long factor = factors.length > 1 ? factors[1] : 1;
      if (factor == 1 || filter.bits() / factor < leastBits) {
        System.out.println("end");
        return;
      }
      try {
        filter.foldBy(factor);
        System.out.println("folded " + factor);
      } catch (IllegalArgumentException e) { // it would not keep its rate
        System.out.println("end");
        return;
      }
    }
  }

  private static void merge(JedisBits bits, SharedBloomFilter filter, String name) {
    SharedBloomFilter other = SharedBloomFilter.open(bits, name + ":other");
    for (int i = 0; ; i++) {
      filter.putAll(other, 1);
      System.out.println("merged " + i);
    }
  }

  /** Starts such a process. */
  static Running start(String what, URI server, String name, long first, long second) {
    List<String> words = new ArrayList<>();
    words.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    words.addAll(List.of("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    words.add("-Dbellows.redis.lease=" + System.getProperty("bellows.redis.lease", "10000"));
    words.addAll(List.of("-cp", classPath(), Worker.class.getName()));
    words.addAll(List.of(what, server.toString(), name, "" + first, "" + second));
    try {
      Process process = new ProcessBuilder(words).start();
      Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
      return new Running(process);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Everything that the tests see, on the class path. */
  static String classPath() {
    return String.join(
        File.pathSeparator,
        System.getProperty("bellows.root") + "/engines/redis/target/test-classes",
        System.getProperty("jdk.module.path", ""),
        System.getProperty("java.class.path"));
  }

  /** A worker that runs, and what it said. */
  static final class Running {
    private final Process process;
    private final BufferedReader out;
    private long acknowledged = -1;
    private int lines;

    private Running(Process process) {
      this.process = process;
      this.out =
          new BufferedReader(
              new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    /** Waits for the next line; null at the end. */
    String line() {
      try {
        String line = out.readLine();
        if (line != null) {
          lines++;
          if (line.startsWith("put ")) {
            acknowledged = Long.parseLong(line.substring(4));
          }
        }
        return line;
      } catch (IOException e) {
        return null; // its end was closed
      }
    }

    /** The end of the keys whose puts returned; -1 for none. */
    long acknowledged() {
      return acknowledged;
    }

    int lines() {
      return lines;
    }

    /** Tells it to stop, reads all that it says and returns its exit code. */
    int end() {
      try {
        process.getOutputStream().close();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
      while (line() != null) {
        // counted
      }
      try {
        return process.waitFor();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    /** What it complained about. */
    String complaint() {
      try {
        return new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
      } catch (IOException e) {
        return e.toString();
      }
    }

    /** kill -9. */
    void kill() {
      process.destroyForcibly();
    }
  }
}
