package dev.bellows.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Durable;
import dev.bellows.growth.FingerprintFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One owner per folder: other class loaders and processes are refused, and an owner that has lost
 * its lock acknowledges nothing that the next owner does not know.
 */
class OwnersTest {
  @TempDir Path folder;

  private static FingerprintFilter keys() {
    return FingerprintFilter.create(1e-9);
  }

  private DurableFilter<FingerprintFilter> open(Sync sync) throws IOException {
    return DurableFilter.open(folder, OwnersTest::keys, sync);
  }

  /** Returns a loader with a copy of the library of its own. */
  static ClassLoader secondLoader() {
    List<URL> urls =
        KillTest.classPath().stream()
            .map(
                path -> {
                  try {
                    return path.toUri().toURL();
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                })
            .toList();
    return new URLClassLoader(urls.toArray(URL[]::new), null);
  }

  /** Opens a folder with the classes of a loader and returns its puts. Static, for reflection. */
  static LongConsumer putsInto(String path) throws IOException {
    Path its = Path.of(path);
    DurableFilter<FingerprintFilter> filter =
        DurableFilter.open(its, OwnersTest::keys, Sync.ALWAYS);
    return key -> {
      if (key < 0) {
        try {
          filter.close();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      } else {
        filter.put(key);
      }
    };
  }

  static LongConsumer putsInto(ClassLoader loader, Path path) throws Exception {
    Method method =
        loader.loadClass(OwnersTest.class.getName()).getDeclaredMethod("putsInto", String.class);
    method.setAccessible(true);
    try {
      return (LongConsumer) method.invoke(null, path.toString());
    } catch (InvocationTargetException e) {
      throw (Exception) e.getCause();
    }
  }

  @Test
  void anotherClassLoaderIsRefusedAndTheLockStays() throws Exception {
    ClassLoader second = secondLoader();
    assertThat(second.loadClass(DurableFilter.class.getName())).isNotEqualTo(DurableFilter.class);
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("real"));
    folder = folder.resolve("real");
    try (DurableFilter<FingerprintFilter> filter = open(Sync.ALWAYS)) {
      filter.put(1);
      for (Path path : List.of(folder, link)) {
        assertThatThrownBy(() -> putsInto(second, path))
            .hasMessageContaining(Long.toString(ProcessHandle.current().pid()))
            .matches(
                e -> e.getClass().getName().equals(DurableFilter.InUseException.class.getName()));
        assertThatThrownBy(() -> DurableFilter.open(path, OwnersTest::keys, Sync.ALWAYS))
            .isInstanceOf(DurableFilter.InUseException.class);
      }
      try (DurableFilter<FingerprintFilter> reader =
          DurableFilter.at(link).readOnly().open(OwnersTest::keys)) {
        assertThat(reader.mightContain(1L)).isTrue();
        assertThat(reader.sync()).isEqualTo(Sync.ALWAYS);
      }
      assertThat(processOpens()).isFalse();
    }
    LongConsumer puts = putsInto(second, folder);
    puts.accept(2);
    assertThatThrownBy(() -> open(Sync.ALWAYS)).isInstanceOf(DurableFilter.InUseException.class);
    puts.accept(-1);
    try (DurableFilter<FingerprintFilter> filter = open(Sync.ALWAYS)) {
      assertThat(filter.mightContain(1L)).isTrue();
      assertThat(filter.mightContain(2L)).isTrue();
    }
  }

  /** Whether another process gets the folder; it puts keys from 1000 on. */
  private boolean processOpens() throws Exception {
    Process process = KillTest.start(folder, "always", 1000, ProcessBuilder.Redirect.DISCARD);
    try {
      return process.getInputStream().readNBytes(KilledWriter.RECORD).length > 0;
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Reading the lock file releases the lock of the process on POSIX systems. */
  @Test
  void anOwnerThatLostItsLockStops() throws Exception {
    for (Sync sync : List.of(Sync.ALWAYS, Sync.NEVER, Sync.every(Duration.ofMillis(1)))) {
      folder = Files.createDirectory(folder.resolve(sync.toString().replace(' ', '-')));
      DurableFilter<Durable> filter =
          DurableFilter.open(folder, () -> KilledWriter.empty(folder), sync);
      filter.put(1);
      filter.force();
      Files.readAllBytes(folder.resolve("lock"));
      assertThat(processOpens()).isTrue();
      if (sync.interval().isZero()) {
        for (int i = 0; i < 2; i++) {
          assertThatThrownBy(() -> filter.put(2)).isInstanceOf(UncheckedIOException.class);
        }
        assertThat(filter.mightContain(2L)).isFalse();
      } else {
        filter.put(2);
        assertThatThrownBy(filter::force).isInstanceOf(IOException.class);
      }
      assertThatThrownBy(filter::checkpoint).isInstanceOf(IOException.class);
      assertThatThrownBy(filter::close).isInstanceOf(IOException.class);
      try (DurableFilter<Durable> again =
          DurableFilter.open(folder, () -> KilledWriter.empty(folder), Sync.ALWAYS)) {
        assertThat(again.mightContain(1L)).isTrue();
        assertThat(again.mightContain(1000L)).isTrue();
        assertThat(again.mightContain(2L)).isFalse();
      }
    }
  }

  /** Whatever the earlier owner still does, it changes no file that the next owner needs. */
  @Test
  void aFencedOwnerHarmsNothing() throws IOException {
    SimulatedDisk disk = new SimulatedDisk();
    DurableFilter<FingerprintFilter> first =
        DurableFilter.at(folder).disk(disk).sync(Sync.NEVER).open(OwnersTest::keys);
    first.put(1);
    String[] stamp = Files.readString(folder.resolve("owner")).split("\n", 2);
    // the next owner comes in the middle of a snapshot, before its manifest is written
    boolean[] isFirst = {true};
    disk.hook =
        (operation, path) -> {
          if (operation.equals("create") && path.toString().contains("manifest-") && isFirst[0]) {
            isFirst[0] = false;
            overwriteOwner("%018d %016x\n".formatted(9, 7) + stamp[1]);
          }
        };
    assertThatThrownBy(first::checkpoint).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> first.put(2)).isInstanceOf(UncheckedIOException.class);
    assertThatThrownBy(first::close).isInstanceOf(IOException.class);
    try (DurableFilter<FingerprintFilter> next =
        DurableFilter.at(folder).disk(disk).sync(Sync.NEVER).open(OwnersTest::keys)) {
      assertThat(next.mightContain(1L)).isTrue();
      assertThat(next.mightContain(2L)).isFalse();
      assertThat(disk.list(folder)).contains("manifest-10").doesNotContain("manifest-1");
    }
  }

  private void overwriteOwner(String text) {
    try {
      Files.write(
          folder.resolve("owner"),
          text.getBytes(StandardCharsets.US_ASCII),
          StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
