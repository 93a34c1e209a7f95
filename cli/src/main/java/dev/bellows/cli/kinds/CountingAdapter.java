package dev.bellows.cli.kinds;

import dev.bellows.CountingBloomFilter;
import java.io.IOException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Kind counting. */
public final class CountingAdapter extends FoldableAdapter<CountingBloomFilter> {
  CountingAdapter(CountingBloomFilter filter) {
    super(filter);
  }

  public static Built build(BuildRequest request, Options own) throws IOException {
    int counterBits = own.counterBits();
    return FoldableBuild.build(request, CountingBloomFilter.builder().counterBits(counterBits));
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("counterBits", filter.counterBits());
  }

  /**
   * What {@code build --kind counting} adds; an elastic filter with counters can remove keys too.
   */
  public static final class Options {
    private static final int DEFAULT_COUNTER_BITS = 4;

    @Option(
        names = "--counter-bits",
        paramLabel = "C",
        description =
            "Bits per counter: 4, 8, 16 or 32 (default: 4; kind elastic has no counters unless it"
                + " is given, and then keys can be removed).")
    @Nullable Integer counterBits;

    public int counterBits() {
      return counterBits == null ? DEFAULT_COUNTER_BITS : counterBits;
    }
  }
}
