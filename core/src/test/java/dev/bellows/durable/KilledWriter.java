package dev.bellows.durable;

import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.RecoveryPlan;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;

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

  static DurableFilter<FingerprintFilter> open(Path folder, Sync sync) throws IOException {
    return DurableFilter.at(folder)
        .sync(sync)
        .plan(new RecoveryPlan(1, 1))
        .open(() -> FingerprintFilter.create(1e-9));
  }

  public static void main(String[] arguments) throws IOException {
    long key = Long.parseLong(arguments[2]);
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    DurableFilter<FingerprintFilter> filter = open(Path.of(arguments[0]), sync(arguments[1]));
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
      filter.put(key);
      out.write(record.clear().putLong(key).putLong(begun).putLong(System.nanoTime()).array());
      key++;
    }
  }
}
