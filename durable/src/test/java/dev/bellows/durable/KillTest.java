package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Durable;
import dev.bellows.growth.FingerprintFilter;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Processes that are killed (SIGKILL) while they put keys, take snapshots and recover: no put that
 * returned is lost, or with {@code every(x)} only those of one interval.
 */
class KillTest {
  private static final List<String> SYNCS = List.of("always", "never", "10");

  /** Each with filters of both kinds. */
  private static final int MODES = 2 * SYNCS.size();

  @TempDir Path folder;

  @Test
  void twentyKills() throws Exception {
    kill(20, 400);
  }

  @Test
  @Tag("scale")
  void aThousandKills() throws Exception {
    kill(1000, 3000);
  }

  @Test
  void fiveKillsOfRivals() throws Exception {
    killRivals(5);
  }

  @Test
  @Tag("scale")
  void threeHundredKillsOfRivals() throws Exception {
    System.out.println(killRivals(300));
  }

  /**
   * Two processes, each with two class loaders, open the same folder in turn and lose their locks.
   * One of them is killed and started again.
   */
  private String killRivals(int kills) throws Exception {
    Random random = new Random(53);
    String report = "";
    for (String sync : List.of("always", "never")) {
      Path path = folder.resolve("rivals-" + sync);
      Set<Long> acknowledged = ConcurrentHashMap.newKeySet();
      long seeds = 1;
      List<Rival> rivals = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        rivals.add(new Rival(path, sync, seeds++, acknowledged));
      }
      for (int kill = 0; kill < (kills + 1) / 2; kill++) {
        int which = random.nextInt(2);
        rivals.get(which).awaitKeys(1 + random.nextInt(600));
        rivals.get(which).kill();
        List<Long> before = new ArrayList<>(acknowledged);
        try (DurableFilter<FingerprintFilter> reader =
            DurableFilter.at(path).readOnly().open(RivalWriter::keys)) {
          assertThat(before).as("%s, kill %d", sync, kill).allMatch(reader::mightContain);
        }
        rivals.set(which, new Rival(path, sync, seeds++, acknowledged));
      }
      for (Rival rival : rivals) {
        rival.kill();
      }
      try (DurableFilter<FingerprintFilter> filter =
          DurableFilter.open(path, RivalWriter::keys, Sync.ALWAYS)) {
        assertThat(acknowledged).isNotEmpty().allMatch(filter::mightContain);
      }
      report += "%s: %,d keys; ".formatted(sync, acknowledged.size());
    }
    return report;
  }

  /** A {@link RivalWriter} and a thread that collects what it acknowledges. */
  private static final class Rival {
    private final Process process;
    private final Thread collector;
    private final AtomicLong count = new AtomicLong();
    private volatile boolean isEnded;

    Rival(Path path, String sync, long seed, Set<Long> acknowledged) throws IOException {
      process = start(RivalWriter.class, path, sync, seed, ProcessBuilder.Redirect.INHERIT);
      collector =
          new Thread(
              () -> {
                byte[] bytes = new byte[8];
                try (InputStream in = process.getInputStream()) {
                  while (in.readNBytes(bytes, 0, 8) == 8) {
                    acknowledged.add(ByteBuffer.wrap(bytes).getLong());
                    count.incrementAndGet();
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } finally {
                  isEnded = true;
                }
              });
      collector.start();
    }

    void awaitKeys(long keys) {
      while (count.get() < keys && !isEnded) {
        Thread.onSpinWait();
      }
    }

    void kill() throws InterruptedException {
      // not by the process, which would close the stream
      process.toHandle().destroyForcibly();
      collector.join();
      assertThat(process.waitFor()).as("how it ended").isEqualTo(128 + 9);
    }
  }

  private record Ack(long key, long begun, long ended) {}

  private void kill(int kills, int mostAcks) throws Exception {
    Random random = new Random(20);
    long[] next = new long[MODES];
    List<List<Long>> kept =
        Stream.generate(() -> (List<Long>) new ArrayList<Long>()).limit(MODES).toList();
    int withPuts = 0;
    for (int i = 0; i < kills; i++) {
      int mode = i % MODES;
      String word = SYNCS.get(mode % SYNCS.size());
      Sync sync = KilledWriter.sync(word);
      Path path = folder.resolve((mode < SYNCS.size() ? "keys-" : "window-") + word);
      List<Ack> acks = run(path, word, next[mode], random, mostAcks);
      withPuts += acks.isEmpty() ? 0 : 1;
      long last = acks.isEmpty() ? 0 : acks.get(acks.size() - 1).key;
      try (DurableFilter<Durable> filter =
          DurableFilter.at(path).readOnly().open(() -> KilledWriter.empty(path))) {
        if (KilledWriter.isWindow(path)) {
          // expired keys are not queried
          long oldest = filter.now().map(Instant::toEpochMilli).orElse(0L) - KilledWriter.WINDOW;
          kept.get(mode).removeIf(key -> key <= oldest);
          acks.removeIf(ack -> ack.key <= oldest);
        }
        assertThat(kept.get(mode)).as("%s, kill %d", sync, i).allMatch(filter::mightContain);
        requireKept(filter, sync, acks, i);
        acks.stream().map(Ack::key).filter(filter::mightContain).forEach(kept.get(mode)::add);
        // a put that did not return may be there
      } catch (NoSuchFileException e) {
        assertThat(acks).as("killed before the folder was made").isEmpty();
      }
      next[mode] = Math.max(next[mode], last) + 1;
    }
    assertThat(withPuts).as("runs that were killed while they put keys").isGreaterThan(kills / 3);
  }

  private static void requireKept(
      DurableFilter<Durable> filter, Sync sync, List<Ack> acks, int kill) {
    long firstLost = Long.MAX_VALUE;
    for (Ack ack : acks) {
      if (!filter.mightContain(ack.key)) {
        firstLost = Math.min(firstLost, ack.ended);
      }
    }
    if (sync.interval().equals(Duration.ZERO)) {
      assertThat(firstLost)
          .as("kill %d, %s, %d puts", kill, sync, acks.size())
          .isEqualTo(Long.MAX_VALUE);
    } else if (firstLost < Long.MAX_VALUE) {
      // no put began more than an interval after one that is lost, and returned
      for (Ack ack : acks) {
        assertThat(ack.begun - firstLost)
            .as("kill %d, %s", kill, sync)
            .isLessThanOrEqualTo(sync.interval().toNanos());
      }
    }
  }

  /** The folders and jars of the library, its tests and their dependencies. */
  static List<Path> classPath() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(path -> !path.isEmpty())
        .map(Path::of)
        .toList();
  }

  /** Starts a {@link KilledWriter}. */
  static Process start(Path path, String sync, long first, ProcessBuilder.Redirect errors)
      throws IOException {
    return start(KilledWriter.class, path, sync, first, errors);
  }

  private static Process start(
      Class<?> main, Path path, String sync, long first, ProcessBuilder.Redirect errors)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            classPath().stream()
                .map(Path::toString)
                .collect(Collectors.joining(File.pathSeparator)),
            main.getName(),
            path.toString(),
            sync,
            Long.toString(first))
        .redirectError(errors)
        .start();
  }

  /** Starts the process, kills it some time later, and returns what it acknowledged. */
  private static List<Ack> run(Path path, String sync, long first, Random random, int mostAcks)
      throws Exception {
    Process process = start(path, sync, first, ProcessBuilder.Redirect.INHERIT);
    List<Ack> acks = new ArrayList<>();
    try (InputStream in = process.getInputStream()) {
      if (random.nextInt(4) == 0) {
        // perhaps while it recovers
        process.waitFor(100 + random.nextInt(400), TimeUnit.MILLISECONDS);
      } else {
        int wait = 1 + random.nextInt(sync.equals("always") ? mostAcks / 10 : mostAcks);
        for (int i = 0; i < wait && read(in, acks); i++) {}
      }
      // not by the process, which would close the stream
      process.toHandle().destroyForcibly();
      while (read(in, acks)) {}
    }
    int exit = process.waitFor();
    assertThat(exit).as("how it ended").isEqualTo(128 + 9);
    return acks;
  }

  private static boolean read(InputStream in, List<Ack> acks) throws IOException {
    byte[] bytes = new byte[KilledWriter.RECORD];
    if (in.readNBytes(bytes, 0, bytes.length) < bytes.length) {
      return false;
    }
    ByteBuffer record = ByteBuffer.wrap(bytes);
    acks.add(new Ack(record.getLong(), record.getLong(), record.getLong()));
    return true;
  }
}
