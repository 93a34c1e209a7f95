package dev.bellows.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.bellows.durable.DurableFilter;
import dev.bellows.durable.Sync;
import dev.bellows.growth.FingerprintFilter;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Statistics;
import org.rocksdb.TickerType;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * A durable filter compared with the filter in memory and with the same stream into RocksDB, with
 * the same guarantee: get and put of each key, in a WriteBatch, with the log flushed and synced
 * every 10 ms by hand, or with every put. Run with the name of a table and a folder on the disk to
 * measure:
 *
 * <pre>
 * ./bellows bench --only durable-puts
 * java -Xmx6g -cp bench/target/launcher/bellows.jar dev.bellows.bench.DurableStudy puts /tmp 1e7 5
 * java -Xmx6g -cp bench/target/launcher/bellows.jar dev.bellows.bench.DurableStudy always /tmp
 * java -Xmx6g -cp bench/target/launcher/bellows.jar dev.bellows.bench.DurableStudy recovery /tmp 1e8
 * java -Xmx6g -cp bench/target/launcher/bellows.jar dev.bellows.bench.DurableStudy queries /tmp 1e7
 * </pre>
 *
 * <p>Rounds alternate, so that other load on the machine affects all of them equally; tables show
 * medians.
 */
public final class DurableStudy {
  /** The tables, by their names for {@code --only}. */
  static final List<String> TABLES =
      List.of("durable-puts", "durable-always", "durable-recovery", "durable-queries");

  private static final double FPP = 1e-6;
  private static final Sync EVERY = Sync.every(Duration.ofMillis(10));
  private static final int BATCH = 100;

  /** Ends the name of a part that runs in a process of its own. */
  private static final String FORK = "-fork";

  private final Path folder;
  private final List<String> lines = new ArrayList<>();

  private DurableStudy(Path folder) {
    this.folder = folder;
  }

  /** Prints one table. */
  public static void main(String[] arguments) throws Exception {
    if (arguments.length == 3 && arguments[0].endsWith(FORK)) {
      String what = arguments[0].replace(FORK, "");
      System.out.println(inFork(what, Path.of(arguments[1]), Long.parseLong(arguments[2])));
      return;
    }
    if (arguments.length < 2 || !TABLES.contains("durable-" + arguments[0])) {
      System.out.println("which table: puts, always, recovery or queries? then a folder");
      return;
    }
    long keys = arguments.length > 2 ? (long) Double.parseDouble(arguments[2]) : 10_000_000;
    int rounds = arguments.length > 3 ? Integer.parseInt(arguments[3]) : 5;
    DurableStudy study = new DurableStudy(Path.of(arguments[1]));
    study.run("durable-" + arguments[0], keys, rounds);
    study.lines.forEach(System.out::println);
  }

  /** Measures the tables whose names begin so, in the folder for temporary files. */
  static String run(String only, boolean quick) throws IOException {
    DurableStudy study = new DurableStudy(Files.createTempDirectory("bellows-bench"));
    try {
      for (String table : TABLES) {
        if (table.startsWith(only)) {
          long full =
              switch (table) {
                case "durable-recovery" -> 100_000_000;
                case "durable-queries" -> 3_000_000;
                default -> 10_000_000;
              };
          study.run(table, quick ? 1_000_000 : full, quick ? 1 : 5);
          study.print("");
        }
      }
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    } finally {
      delete(study.folder);
    }
    return String.join("\n", study.lines);
  }

  private void run(String table, long keys, int rounds) throws Exception {
    switch (table) {
      case "durable-puts" -> puts(keys, rounds);
      case "durable-always" -> always();
      case "durable-recovery" -> recovery(keys);
      default -> queries(keys, rounds);
    }
  }

  private void print(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  private static FingerprintFilter filter() {
    return FingerprintFilter.create(FPP);
  }

  /** A store of one contestant: puts keys that are not there. */
  private interface Contestant extends AutoCloseable {
    /** Puts the keys {@code [from, to)}, from one of several threads. */
    void put(long from, long to) throws Exception;

    /** Waits until every put is on disk. */
    default void force() throws Exception {}

    /** Writes what a restart would otherwise read from the log. */
    default void settle() throws Exception {}

    /** Compacts what it wrote, so that the cost of later compactions is included. */
    default void compact() throws Exception {}

    /** All bytes that it wrote. */
    default long bytesWritten() {
      return 0;
    }

    @Override
    default void close() throws Exception {}
  }

  private static Contestant bare() {
    FingerprintFilter filter = filter();
    return (from, to) -> {
      for (long key = from; key < to; key++) {
        filter.put(key);
      }
    };
  }

  private record Folders(DurableFilter<FingerprintFilter> filter) implements Contestant {
    static Folders at(Path folder, Sync sync) throws IOException {
      return new Folders(DurableFilter.open(folder, DurableStudy::filter, sync));
    }

    @Override
    public void put(long from, long to) {
      for (long key = from; key < to; key++) {
        filter.put(key);
      }
    }

    @Override
    public void force() throws IOException {
      filter.force();
    }

    @Override
    public void settle() throws IOException {
      filter.checkpoint();
    }

    @Override
    public long bytesWritten() {
      return filter.numbers().bytesWritten();
    }

    @Override
    public void close() throws IOException {
      filter.close();
    }
  }

  /** RocksDB with the settings that its documentation proposes for point lookups. */
  private static final class Rocks implements Contestant {
    private final Statistics statistics = new Statistics();
    private final Options options =
        new Options()
            .setCreateIfMissing(true)
            .setStatistics(statistics)
            .setIncreaseParallelism(2)
            .optimizeForPointLookup(64)
            .setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter(10)));
    private final WriteOptions writing = new WriteOptions();
    private final RocksDB database;
    private final int batch;
    private final Thread flusher;
    private volatile boolean isClosed;

    Rocks(Path folder, boolean syncsAlways) throws RocksDBException {
      options.setManualWalFlush(!syncsAlways);
      writing.setSync(syncsAlways);
      batch = syncsAlways ? 1 : BATCH;
      database = RocksDB.open(options, folder.toString());
      flusher = new Thread(this::flushRegularly);
      if (!syncsAlways) {
        flusher.start();
      }
    }

    private void flushRegularly() {
      try {
        while (!isClosed) {
          Thread.sleep(10);
          database.flushWal(true);
        }
      } catch (InterruptedException | RocksDBException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void put(long from, long to) throws RocksDBException {
      byte[] value = new byte[0];
      for (long first = from; first < to; first += batch) {
        try (WriteBatch group = new WriteBatch()) {
          for (long key = first; key < Math.min(to, first + batch); key++) {
            byte[] bytes = ByteBuffer.allocate(8).putLong(key * 0x9E3779B97F4A7C15L).array();
            if (database.get(bytes) == null) {
              group.put(bytes, value);
            }
          }
          database.write(writing, group);
        }
      }
    }

    @Override
    public void force() throws RocksDBException {
      database.flushWal(true);
    }

    @Override
    public void settle() throws RocksDBException {
      try (FlushOptions flushing = new FlushOptions().setWaitForFlush(true)) {
        database.flush(flushing);
      }
    }

    @Override
    public void compact() throws RocksDBException {
      database.compactRange();
    }

    @Override
    public long bytesWritten() {
      return statistics.getTickerCount(TickerType.WAL_FILE_BYTES)
          + statistics.getTickerCount(TickerType.FLUSH_WRITE_BYTES)
          + statistics.getTickerCount(TickerType.COMPACT_WRITE_BYTES);
    }

    @Override
    public void close() throws InterruptedException {
      isClosed = true;
      flusher.join();
      database.close();
      options.close();
      writing.close();
      statistics.close();
    }
  }

  /** Lets threads put all keys; returns the seconds of the wall clock. */
  private static double run(Contestant contestant, int threads, long keys) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      long from = keys * t / threads;
      long to = keys * (t + 1) / threads;
      Thread thread =
          new Thread(
              () -> {
                try {
                  start.await();
                  contestant.put(from, to);
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      all.add(thread);
      thread.start();
    }
    long begun = System.nanoTime();
    start.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    return (System.nanoTime() - begun) / 1e9;
  }

  private Path made(String name) throws IOException {
    Path path = folder.resolve("bellows-durable-study-" + name);
    delete(path);
    Files.createDirectories(path);
    return path;
  }

  private static void delete(Path path) throws IOException {
    if (Files.exists(path)) {
      try (Stream<Path> files = Files.walk(path)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private void puts(long keys, int rounds) throws Exception {
    List<List<Double>> rates = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    double[][] written = new double[3][3];
    List<List<Double>> cpu = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int round = 0; round <= rounds; round++) {
      for (int i = 0; i < 3; i++) {
        Path path = made("puts");
        try (Contestant contestant =
            i == 0 ? bare() : i == 1 ? Folders.at(path, EVERY) : new Rocks(path, false)) {
          long before = processCpu();
          double rate = keys / run(contestant, 2, keys);
          if (round > 0 || rounds == 0) {
            rates.get(i).add(rate);
            cpu.get(i).add((processCpu() - before) / 1e3 / keys);
          }
          contestant.force();
          written[i][0] = (double) contestant.bytesWritten() / keys;
          contestant.settle();
          written[i][1] = (double) contestant.bytesWritten() / keys;
          contestant.compact();
          written[i][2] = (double) contestant.bytesWritten() / keys;
        }
        delete(path);
      }
    }
    double bare = median(rates.get(0));
    print(
        "| every 10 ms, two threads, %,d keys | puts per second | of the bare filter | CPU per put"
            + " | bytes written per key, all on disk | with a snapshot or flush | and merged |",
        keys);
    print("|---|---:|---:|---:|---:|---:|---:|");
    String[] names = {"bare filter", "durable filter", "RocksDB, get and put, batches of " + BATCH};
    for (int i = 0; i < 3; i++) {
      double rate = median(rates.get(i));
      print(
          "| %s | %,.0f | %.0f %% | %.2f us | %.1f | %.1f | %.1f |",
          names[i],
          rate,
          100 * rate / bare,
          median(cpu.get(i)),
          written[i][0],
          written[i][1],
          written[i][2]);
    }
  }

  private void always() throws Exception {
    print("| every put synced | threads | puts per second | of one thread |");
    print("|---|---|---|---|");
    for (boolean isRocks : new boolean[] {false, true}) {
      double one = 0;
      for (int threads : new int[] {1, 8, 64}) {
        Path path = made("always");
        long keys = 300L * threads;
        try (Contestant contestant =
            isRocks ? new Rocks(path, true) : Folders.at(path, Sync.ALWAYS)) {
          // other keys, after a warmup
          run(contestant, threads, keys);
          double rate =
              keys / run((from, to) -> contestant.put(keys + from, keys + to), threads, keys);
          one = threads == 1 ? rate : one;
          print(
              "| %s | %d | %,.0f | %.1f |",
              isRocks ? "RocksDB, sync" : "durable filter", threads, rate, rate / one);
        }
        delete(path);
      }
    }
  }

  private void recovery(long keys) throws Exception {
    Path path = made("recovery");
    DurableFilter<FingerprintFilter> filter = DurableFilter.open(path, DurableStudy::filter, EVERY);
    double seconds = run(new Folders(filter), 2, keys);
    filter.force();
    DurableFilter.Numbers now = filter.numbers();
    print(
        "%,d keys in %.0f s, %d snapshots, %.1f bytes written per key, throttled %.1f s",
        keys,
        seconds,
        now.snapshots(),
        (double) now.bytesWritten() / keys,
        now.throttled().toMillis() / 1e3);
    print(
        "| recovery of %,d keys | snapshot | changes of the journal | seconds | CPU of the opening"
            + " thread | of the process |",
        keys);
    print("|---|---:|---:|---:|---:|---:|");
    // as a crash would leave it: this process still has it open
    for (int i = 0; i < 5; i++) {
      print("| after a crash %s", fork("recover", path, keys));
    }
    filter.close();
    for (int i = 0; i < 3; i++) {
      print("| after close() %s", fork("recover", path, keys));
    }
    delete(path);
  }

  /** What all threads of this process have used, those of RocksDB included. */
  private static long processCpu() {
    return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  /** Each fork is a process of its own, which asks only one of the two filters. */
  private void queries(long keys, int rounds) throws Exception {
    List<List<Double>> nanos = List.of(new ArrayList<>(), new ArrayList<>());
    print("| fork | bare filter | durable filter | durable / bare |");
    print("|---:|---:|---:|---:|");
    List<Double> ratios = new ArrayList<>();
    for (int fork = 0; fork < rounds; fork++) {
      double[] its = new double[2];
      for (int i = 0; i < 2; i++) {
        int which = (i + fork) % 2;
        its[which] =
            Double.parseDouble(fork(which == 1 ? "durable" : "bare", made("queries"), keys));
        nanos.get(which).add(its[which]);
      }
      ratios.add(its[1] / its[0]);
      print("| %d | %.1f ns | %.1f ns | %.3f |", fork + 1, its[0], its[1], its[1] / its[0]);
    }
    print("durable / bare: median %.3f, %s", median(ratios), range(ratios, "%.3f"));
    print("bare %s ns, durable %s ns", range(nanos.get(0), "%.1f"), range(nanos.get(1), "%.1f"));
  }

  private static String range(List<Double> values, String format) {
    return String.format(
        Locale.ROOT,
        "from " + format + " to " + format,
        Collections.min(values),
        Collections.max(values));
  }

  /** Runs a part of a study in a process of its own; returns what it prints. */
  private static String fork(String what, Path path, long keys) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx3g",
                "-cp",
                System.getProperty("java.class.path"),
                DurableStudy.class.getName(),
                what + FORK,
                path.toString(),
                Long.toString(keys))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String line = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a fork ended with " + process.exitValue());
    }
    return line;
  }

  private static String inFork(String what, Path path, long keys) throws IOException {
    return what.equals("recover")
        ? recover(path)
        : Double.toString(lookup(what.equals("durable"), path, keys));
  }

  private static String recover(Path path) throws IOException {
    long begun = CpuTurns.cpu();
    long all = processCpu();
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.at(path).readOnly().open(DurableStudy::filter)) {
      DurableFilter.Recovery recovery = filter.recovery();
      return String.format(
          Locale.ROOT,
          "| %,d | %,d | %.1f | %.1f | %.1f |",
          recovery.snapshotVersion(),
          recovery.changes(),
          recovery.time().toMillis() / 1e3,
          (CpuTurns.cpu() - begun) / 1e9,
          (processCpu() - all) / 1e9);
    }
  }

  /** In a fork: the median CPU time of a lookup, half of which find a key. */
  private static double lookup(boolean isDurable, Path path, long keys) throws IOException {
    FingerprintFilter bare = filter();
    for (long key = 0; key < keys; key++) {
      bare.put(key);
    }
    if (!isDurable) {
      return lookup(bare::mightContain, keys);
    }
    try (DurableFilter<FingerprintFilter> durable = DurableFilter.open(path, () -> bare, EVERY)) {
      return lookup(durable::mightContain, keys);
    }
  }

  private static double lookup(LongPredicate filter, long keys) {
    List<Double> nanos = new ArrayList<>();
    long found = 0;
    for (int round = 0; round < 13; round++) {
      long begun = CpuTurns.cpu();
      for (long j = 0; j < 5_000_000; j++) {
        found += filter.test(j * 0x9E3779B9L % (2 * keys)) ? 1 : 0;
      }
      nanos.add((CpuTurns.cpu() - begun) / 5e6);
    }
    if (found == 0) {
      throw new IllegalStateException("no key was found");
    }
    // the first ones are a warmup
    return median(nanos.subList(3, nanos.size()));
  }
}
