package dev.bellows.durable;

import dev.bellows.growth.FingerprintFilter;
import dev.bellows.internal.journal.RecoveryPlan;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Supplier;

/**
 * A process that tries to own a folder, from two class loaders in turn, until it is killed. It puts
 * keys, takes snapshots, and sometimes loses its lock by reading the lock file. It writes each
 * acknowledged key to its standard output.
 */
final class RivalWriter {
  /** More keys than a process puts before it is killed. */
  private static final long KEYS = 10_000_000;

  private RivalWriter() {}

  static FingerprintFilter keys() {
    return FingerprintFilter.create(1e-9);
  }

  public static void main(String[] arguments) throws Exception {
    long seed = Long.parseLong(arguments[2]);
    ClassLoader second = OwnersTest.secondLoader();
    Random random = new Random(seed);
    long key = seed * KEYS;
    for (long turn = 0; ; turn++) {
      boolean isSecond = random.nextBoolean();
      Class<?> its = isSecond ? second.loadClass(RivalWriter.class.getName()) : RivalWriter.class;
      Method method =
          its.getDeclaredMethod("turn", String.class, String.class, long.class, long.class);
      method.setAccessible(true);
      key = (Long) method.invoke(null, arguments[0], arguments[1], key, random.nextLong());
    }
  }

  /** Owns the folder for some puts, if that is possible, and returns the next key. */
  static Long turn(String folder, String sync, long first, long seed) throws IOException {
    Random random = new Random(seed);
    OutputStream out = new FileOutputStream(FileDescriptor.out);
    Path path = Path.of(folder);
    long key = first;
    String owner = "";
    Supplier<FingerprintFilter> maker = RivalWriter::keys;
    try (DurableFilter<FingerprintFilter> filter =
        DurableFilter.at(path)
            .sync(KilledWriter.sync(sync))
            .plan(new RecoveryPlan(1, 1))
            .open(maker)) {
      owner = owner(path);
      int puts = 20 + random.nextInt(200);
      for (int i = 0; i < puts; i++, key++) {
        filter.put(key);
        out.write(ByteBuffer.allocate(8).putLong(key).array());
        switch (random.nextInt(40)) {
          case 0 -> filter.checkpoint();
          case 1 -> filter.compact();
          case 2 -> Files.readAllBytes(path.resolve("lock"));
          case 3 -> {
            // by the same class loader or the other one: refused, and the lock stays
            try (DurableFilter<FingerprintFilter> reader =
                DurableFilter.at(path).readOnly().open(maker)) {
              if (!reader.mightContain(key)) {
                // another process may have it by now; if it does, the next put here throws
                filter.put(key);
              }
            }
          }
          default -> {}
        }
      }
    } catch (DurableFilter.InUseException | NoSuchFileException e) {
      // another owner, or the folder is being created
      Thread.onSpinWait();
    } catch (UncheckedIOException | IOException e) {
      // whatever failed, it did so because there is another owner
      if (owner(path).equals(owner)) {
        e.printStackTrace();
        Runtime.getRuntime().halt(3);
      }
    }
    return key + 1;
  }

  /** Returns the term of the owner of a folder. */
  private static String owner(Path folder) throws IOException {
    return Files.readAllLines(folder.resolve("owner")).get(0);
  }
}
