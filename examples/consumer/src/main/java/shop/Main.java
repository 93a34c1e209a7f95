package shop;

import dev.bellows.BloomFilter;
import dev.bellows.io.FilterFormatException;
import dev.bellows.metrics.FilterMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

/** A program of somebody else, which has Bellows from a repository. */
public final class Main {
  private Main() {}

  /** Prints whether it runs on the module path, and what a filter and its meters say. */
  public static void main(String[] arguments) throws FilterFormatException {
    BloomFilter orders = BloomFilter.create(1_000, 0.01);
    orders.put("order 17");
    byte[] sent = orders.foldToFpp(0.01).toBytes();
    BloomFilter arrived = BloomFilter.fromBytes(sent);

    MeterRegistry registry = new SimpleMeterRegistry();
    FilterMetrics.of("orders", arrived).bindTo(registry);
    double keys = registry.get("bellows.filter.keys").gauge().value();

    boolean named = Main.class.getModule().isNamed() && BloomFilter.class.getModule().isNamed();
    System.out.printf(
        "%s: %d bytes, %.0f key, order 17 %b%n",
        named ? "module path" : "class path",
        sent.length,
        keys,
        arrived.mightContain("order 17"));
  }
}
