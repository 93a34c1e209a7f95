package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.Durable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
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

  /** Starts a {@link KilledWriter}. */
  static Process start(Path path, String sync, long first, ProcessBuilder.Redirect errors)
      throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Xshare:auto",
            "-cp",
            System.getProperty("java.class.path"),
            KilledWriter.class.getName(),
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
