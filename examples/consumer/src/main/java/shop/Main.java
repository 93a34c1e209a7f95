package shop;

import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import dev.bellows.Layout;
import dev.bellows.metrics.FilterMetrics;
import dev.bellows.parquet.ParquetFilters;
import dev.bellows.plan.BloomPlan;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import dev.bellows.redis.SharedFilterException;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** A third-party program that gets Bellows from a repository. */
public final class Main {
  private Main() {}

  /**
   * Prints whether it runs on the module path, and what a filter, its meters, the filters of a
   * Parquet file and a Redis server say.
   *
   * @param arguments the Parquet file
   */
  public static void main(String[] arguments) throws IOException {
    BloomFilter orders = BloomFilter.create(1_000, 0.01);
    orders.put("order 17");
    byte[] sent = orders.foldToFpp(0.01).toBytes();
    BloomFilter arrived = BloomFilter.fromBytes(sent);

    MeterRegistry registry = new SimpleMeterRegistry();
    FilterMetrics.of("orders", arrived).bindTo(registry);
    double keys = registry.get("bellows.filter.keys").gauge().value();

    boolean named = Main.class.getModule().isNamed() && BloomFilter.class.getModule().isNamed();
    System.out.printf(
        "%s: %d bytes, %.0f key, order 17 %b, Parquet %d bits, Redis %b%n",
        named ? "module path" : "class path",
        sent.length,
        keys,
        arrived.mightContain("order 17"),
        ParquetFilters.read(Path.of(arguments[0])).filters().get(0).bits(),
        isShared());
  }

  /** Whether the filter of all shops can be opened: no, because no server listens on port 1. */
  private static boolean isShared() {
    BloomPlan plan = BloomPlan.foldable(1_000, 0.01, Layout.Family.BLOCKED);
    try (JedisBits bits = JedisBits.connect(URI.create("redis://localhost:1"))) {
      SharedBloomFilter.openOrCreate(bits, "orders", plan, HashScheme.DEFAULT);
      return true;
    } catch (SharedFilterException e) {
      return false;
    }
  }
}
