package dev.bellows.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.Redisson;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.client.codec.LongCodec;
import org.redisson.config.Config;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisDataException;

/**
 * A shared filter compared with Redisson's RBloomFilter on one server, in turns:
 * docs/bench/redis.md. Only {@code mvn -pl engines/redis -am test -Predis-bench} runs it.
 */
class RedisBench {
  private static final int KEYS = 1_000_000;
  private static final double FPP = 0.01;
  private static final int ROUNDS = Integer.getInteger("bench.rounds", 5);
  private static final int SINGLES = 5_000;
  private static final int BATCHES = 40;
  private static final int BATCH = 1_000;

  @TempDir Path folder;
  private final StringBuilder page = new StringBuilder();
  private Jedis jedis;
  private long nextKey;

  /** A filter under test: work on keys from one on. */
  private record Subject(
      String name,
      Consumer<Long> put,
      Consumer<Long> query,
      Consumer<long[]> putAll,
      Consumer<long[]> queryAll) {}

  /** What was measured of one kind of work. */
  private record Figure(double keysPerSecond, double bytesPerKey) {}

  @Test
  void comparedWithRedisson() throws IOException {
    begin();
    measure(RedisProcess.binary(), "own");
    String second = System.getProperty("bench.server", "");
    if (!second.isEmpty()) {
      measure(new File(second), "second");
    }
    end();
  }

  private void measure(File program, String data) throws IOException {
    try (RedisProcess server =
            RedisProcess.start(program, Files.createDirectory(folder.resolve(data)));
        JedisBits bits = server.connect();
        Jedis info = new Jedis("127.0.0.1", server.port())) {
      jedis = info;
      nextKey = 0;
      Config config = new Config();
      config.useSingleServer().setAddress(server.uri().toString());
      RedissonClient redisson = Redisson.create(config);
      try {
        List<Subject> subjects =
            List.of(
                shared(bits, Layout.Family.BLOCKED),
                shared(bits, Layout.Family.CLASSIC),
                redisson(redisson));
        beginServer();
        row(subjects, "put, one by one", (subject, key) -> subject.put().accept(key));
        row(subjects, "query, one by one", (subject, key) -> subject.query().accept(key));
        batches(subjects, "put, 1,000 at a time", Subject::putAll);
        batches(subjects, "query, 1,000 at a time", Subject::queryAll);
        endServer();
      } finally {
        redisson.shutdown();
      }
    }
  }

  private static Subject shared(JedisBits bits, Layout.Family layout) {
    SharedBloomFilter filter =
        SharedBloomFilter.create(
            bits,
            "shared " + layout,
            BloomFilter.builder().keys(KEYS).fpp(FPP).layout(layout).plan());
    boolean[] hits = new boolean[BATCH];
    return new Subject(
        "Bellows " + layout,
        filter::put,
        filter::mightContain,
        filter::putAll,
        keys -> filter.countMightContain(keys, hits));
  }

  private static Subject redisson(RedissonClient client) {
    RBloomFilter<Long> filter = client.getBloomFilter("redisson", LongCodec.INSTANCE);
    filter.tryInit(KEYS, FPP);
    return new Subject(
        "Redisson",
        filter::add,
        filter::contains,
        keys -> filter.add(LongStream.of(keys).boxed().toList()),
        keys -> filter.contains(LongStream.of(keys).boxed().toList()));
  }

  private void begin() {
    page.append(
        """
        # A shared filter compared with Redisson's

        Made by `mvn -B -pl engines/redis -am test -Predis-bench`; `-Dbench.server=PATH` names a second server, here one with jemalloc, as
        servers are usually built. One server and one client thread on one machine, filters for %,d keys at %.0f %%, %d rounds of all
        in turns, the medians. Bytes are those that the server received and sent, by its own count. Every key of a
        put is new; half of the keys of a query are absent. Keys are longs.
        """
            .formatted(KEYS, 100 * FPP, ROUNDS));
  }

  private void beginServer() {
    String name = info("server_name");
    page.append(
        """

        ## %s %s, allocator %s

        | work | filter | keys/s | compared with Redisson | bytes on the wire per key |
        |---|---|---:|---:|---:|
        """
            .formatted(
                name.isEmpty() ? "Redis" : name,
                info(name.equals("valkey") ? "valkey_version" : "redis_version"),
                info("mem_allocator")));
  }

  private String info(String field) {
    return jedis
        .info()
        .lines()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1).strip())
        .findFirst()
        .orElse("");
  }

  /** One key of a subject. */
  @FunctionalInterface
  private interface Single {
    void run(Subject subject, long key);
  }

  /** The batch form of a subject. */
  @FunctionalInterface
  private interface Batch {
    Consumer<long[]> of(Subject subject);
  }

  private void row(List<Subject> subjects, String what, Single single) {
    measure(
        subjects,
        what,
        SINGLES,
        (subject, from) -> {
          for (int i = 0; i < SINGLES; i++) {
            single.run(subject, from + i);
          }
        });
  }

  private void batches(List<Subject> subjects, String what, Batch batch) {
    measure(
        subjects,
        what,
        BATCHES * BATCH,
        (subject, from) -> {
          for (int i = 0; i < BATCHES; i++) {
            long first = from + (long) i * BATCH;
            batch.of(subject).accept(LongStream.range(first, first + BATCH).toArray());
          }
        });
  }

  private void measure(List<Subject> subjects, String what, int keys, Single work) {
    List<List<Figure>> figures = new ArrayList<>();
    subjects.forEach(subject -> figures.add(new ArrayList<>()));
    for (int round = 0; round <= ROUNDS; round++) {
      long from = what.startsWith("put") ? nextKey : nextKey - keys / 2;
      for (int i = 0; i < subjects.size(); i++) {
        long bytes = bytes();
        long begun = System.nanoTime();
        work.run(subjects.get(i), from);
        double seconds = (System.nanoTime() - begun) / 1e9;
        long moved = bytes() - bytes;
        if (round > 0) { // the first one warms up
          figures.get(i).add(new Figure(keys / seconds, (double) moved / keys));
        }
      }
      nextKey += what.startsWith("put") ? keys : 0;
    }
    double peer = median(figures.get(subjects.size() - 1).stream().map(Figure::keysPerSecond));
    for (int i = 0; i < subjects.size(); i++) {
      double rate = median(figures.get(i).stream().map(Figure::keysPerSecond));
      double bytes = median(figures.get(i).stream().map(Figure::bytesPerKey));
      page.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %,.0f | %.1f x | %,.0f |%n",
              what,
              subjects.get(i).name(),
              rate,
              rate / peer,
              bytes));
    }
  }

  private static double median(Stream<Double> values) {
    List<Double> sorted = values.sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /** What the server received and sent so far. */
  private long bytes() {
    return Long.parseLong(info("total_net_input_bytes"))
        + Long.parseLong(info("total_net_output_bytes"));
  }

  private void endServer() {
    boolean hasModule = true;
    try {
      jedis.sendCommand(() -> "BF.ADD".getBytes(US_ASCII), "b", "k");
    } catch (JedisDataException e) {
      hasModule = false;
    }
    page.append(
        hasModule
            ? "\nThis server has BF.*, which is not measured.\n"
            : "\nThis server has no BF.* commands: they need a module.\n");
  }

  private void end() throws IOException {
    page.append(
        "%n%s, %d cores, Java %s.%n"
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                Runtime.getRuntime().availableProcessors(),
                Runtime.version().feature()));
    Path out = Path.of(System.getProperty("bellows.root"), "docs/bench/redis.md");
    Files.writeString(out, page.toString());
    System.out.println(page);
  }
}
