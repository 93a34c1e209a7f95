package dev.bellows.durable;

import dev.bellows.Durable;
import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.RecoveryPlan;
import dev.bellows.window.WindowFilter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/**
 * A process that puts keys into a folder until it is killed. It writes the key, and the times
 * before and after each put, to its standard output.
 */
final class KilledWriter {
  /** Bytes of one line of its output. */
  static final int RECORD = 24;

  private KilledWriter() {}

  static Sync sync(String word) {
    return switch (word) {
      case "always" -> Sync.ALWAYS;
      case "never" -> Sync.NEVER;
      default -> Sync.every(Duration.ofMillis(Long.parseLong(word)));
    };
  }

  /** The milliseconds of a window; every key comes one later than the one before. */
  static final long WINDOW = 1400;

  /** Where keys expire. */
  static boolean isWindow(Path folder) {
    return folder.getFileName().toString().startsWith("window");
  }

  static Durable empty(Path folder) {
    return isWindow(folder)
        ? WindowFilter.builder().window(Duration.ofMillis(WINDOW)).fpp(1e-9).build()
        : FingerprintFilter.create(1e-9);
  }

  public static void main(String[] arguments) throws IOException {
    long key = Long.parseLong(arguments[2]);
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    Path folder = Path.of(arguments[0]);
    DurableFilter<Durable> filter =
        DurableFilter.at(folder)
            .sync(sync(arguments[1]))
            .plan(new RecoveryPlan(1, 1))
            .open(() -> empty(folder));
    Thread snapshots =
        new Thread(
            () -> {
              try {
                while (true) {
                  filter.checkpoint();
                }
              } catch (IOException e) {
                System.exit(3);
              }
            });
    snapshots.setDaemon(true);
    snapshots.start();
    ByteBuffer record = ByteBuffer.allocate(RECORD);
    while (true) {
      long begun = System.nanoTime();
      if (isWindow(folder)) {
        filter.put(key, Instant.ofEpochMilli(key));
      } else {
        filter.put(key);
      }
      out.write(record.clear().putLong(key).putLong(begun).putLong(System.nanoTime()).array());
      key++;
    }
  }
}
