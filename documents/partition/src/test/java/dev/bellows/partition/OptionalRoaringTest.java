package dev.bellows.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.dynatrace.hash4j.hashing.Hashing;
import dev.bellows.BloomFilter;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Exact leaves have the same ids and the same file with and without RoaringBitmap on the class
 * path.
 */
class OptionalRoaringTest {
  @Test
  void idsAreTheSameWithoutIt() throws Exception {
    try (URLClassLoader without = new URLClassLoader(withoutRoaring(), null)) {
      assertThatThrownBy(() -> without.loadClass("org.roaringbitmap.RoaringBitmap"))
          .isInstanceOf(ClassNotFoundException.class);
      Object sets = without.loadClass(Sets.class.getName()).getDeclaredConstructor().newInstance();
      assertThat(((Callable<?>) sets).call()).isEqualTo(new Sets().call());
    }
  }

  /** The tests, this module, core and its one dependency. */
  private static URL[] withoutRoaring() {
    return Stream.of(
            OptionalRoaringTest.class,
            DynamicPartitionBloomFilter.class,
            BloomFilter.class,
            Hashing.class)
        .map(type -> type.getProtectionDomain().getCodeSource().getLocation())
        .toArray(URL[]::new);
  }

  /**
   * Dense ids are put, removed, merged, intersected and copied; returns the bytes of the result.
   */
  public static final class Sets implements Callable<byte[]> {
    @Override
    public byte[] call() {
      DynamicPartitionBloomFilter a = filter();
      DynamicPartitionBloomFilter b = filter();
      for (long id = 0; id < 20_000; id++) {
        a.putId(id * 37 % 65_536);
        b.putId(id * 41 % 65_536);
      }
      for (long id = 0; id < 65_536; id += 5) {
        a.removeId(id);
      }
      DynamicPartitionBloomFilter both = a.union(b).intersection(a.copy());
      for (long id = 0; id < 65_536; id++) {
        if (both.containsId(id) != a.containsId(id)) {
          throw new IllegalStateException("lost " + id);
        }
      }
      return both.toBytes();
    }

    private static DynamicPartitionBloomFilter filter() {
      return DynamicPartitionBloomFilter.builder()
          .universe(65_536)
          .unitKeys(1024)
          .fpp(0.01)
          .mode(DynamicPartitionBloomFilter.Mode.EXACT_LEAVES)
          .build();
    }
  }
}
