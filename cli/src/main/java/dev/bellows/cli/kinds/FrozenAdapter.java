package dev.bellows.cli.kinds;

import dev.bellows.Foldable.FoldSize;
import dev.bellows.MappedFilter;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Progress;
import dev.bellows.cli.console.Report;
import dev.bellows.cli.keys.HashSpill;
import dev.bellows.cli.keys.KeyCode;
import dev.bellows.frozen.FrozenFilter;
import dev.bellows.frozen.FrozenPlan;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.math.HashFloor;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Kind frozen: built once, from all keys. */
public final class FrozenAdapter extends KindAdapter<FrozenFilter> {
  /** The memory from which on a note is printed in advance. */
  private static final long MUCH_BYTES = 64 << 20;

  FrozenAdapter(FrozenFilter filter) {
    super(filter, "exact", false);
  }

  /** Counts the keys, then sorts and builds: on the heap, or in the file of the result. */
  public static Built build(BuildRequest request) throws IOException {
    Size size = request.size();
    request.refuse(size.keys() != null, "--keys", "its keys are counted");
    request.refuse(size.bits() != null, "--bits", "its size follows from --fpp");
    request.refuse(size.hashes() != null, "--hashes", "its columns follow from --fpp");
    request.refuse(size.pattern() != null, "--pattern", "it has columns, which follow from --fpp");
    request.refuse(size.layout() != null, "--layout", "it has columns, which follow from --fpp");
    request.refuse(size.capacity() != null, "--capacity", "it takes no further keys");
    double fpp = size.fppOrDefault();
    FrozenFilter.Builder builder = FrozenFilter.builder().fpp(fpp).hashScheme(request.scheme());
    try (HashSpill spill = new HashSpill()) {
      long lines = request.keys().forEach(KeyCode.hashes(request.scheme()), spill::add);
      long keys = request.count(spill);
      HashFloor.require(fpp, keys);
      FrozenPlan plan = FrozenPlan.of(keys, fpp);
      long bytes = plan.buildBytes() + Long.BYTES * keys;
      boolean isInFile = request.isFilledInFile(bytes) || keys > Integer.MAX_VALUE - 8;
      announce(request, bytes, isInFile, plan);
      FrozenFilter filter =
          isInFile
              ? inFile(request, builder, spill, keys)
              : onHeap(request, builder, spill, (int) keys);
      return new Built(filter, lines, (double) keys, Built.Known.COUNTED, fpp, isInFile);
    }
  }

  private static void announce(
      BuildRequest request, long bytes, boolean isInFile, FrozenPlan plan) {
    if (isInFile) {
      request.note(
          "building it on the heap would take %s, more than half of it: the filter is built in its"
              + " file, with a temporary file of about %s next to it",
          Prose.bytes(bytes), Prose.bytes(plan.bits() / Byte.SIZE));
    } else if (bytes > MUCH_BYTES) {
      request.note("building it takes at most %s of memory", Prose.bytes(bytes));
    }
  }

  private static FrozenFilter onHeap(
      BuildRequest request, FrozenFilter.Builder builder, HashSpill spill, int keys)
      throws IOException {
    long[] hashes = new long[keys];
    SortedSpill sorted = new SortedSpill(spill, request);
    int done = 0;
    for (int read; (read = sorted.read(hashes, done, keys - done)) > 0; ) {
      done += read;
    }
    sorted.close();
    return builder.build(hashes);
  }

  private static FrozenFilter inFile(
      BuildRequest request, FrozenFilter.Builder builder, HashSpill spill, long keys)
      throws IOException {
    if (request.place() == null) {
      throw new CommandFailure(
          "%s keys are too many to be built on standard output: name a file with -o",
          Prose.count(keys));
    }
    try (SortedSpill sorted = new SortedSpill(spill, request)) {
      MappedFilter<FrozenFilter> built = builder.build(request.path(), keys, sorted::read);
      return built.filter();
    }
  }

  /** The distinct hashes of a spill in ascending order, a slice at a time. */
  private static final class SortedSpill implements AutoCloseable {
    private final HashSpill spill;
    private final int bits;
    private final Progress progress;
    private long next;
    private long[] slice = {};
    private int at;
    private int length;

    SortedSpill(HashSpill spill, BuildRequest request) {
      this.spill = spill;
      this.bits = spill.sliceBits();
      this.progress = request.progress("building", spill.slices());
    }

    int read(long[] into, int from, int most) throws IOException {
      while (at == length && next < 1L << bits) {
        spill.slice(
            bits,
            next++,
            (hashes, count) -> {
              slice = hashes;
              length = count;
              at = 0;
            });
        progress.step(1);
      }
      int count = Math.min(most, length - at);
      System.arraycopy(slice, at, into, from, count);
      at += count;
      return count;
    }

    @Override
    public void close() {
      progress.close();
    }
  }

  @Override
  String hint(Ability ability) {
    return switch (ability) {
      case PUT, REMOVE ->
          "; a filter of kind fingerprint can be changed, and frozen again (freeze)";
      case UNION, INTERSECT, SUBTRACT ->
          "; merge filters of kind fingerprint, and freeze the result (freeze)";
      case FOLD -> "";
    };
  }

  @Override
  public void addBuilt(Report report, FileSize size) {
    report.field("columns", filter.columns()).field("bitsPerKey", bitsPerKey(filter));
  }

  /** The bits of columns and thresholds per key; not a number if there is none. */
  public static double bitsPerKey(FrozenFilter filter) {
    return filter.keys() == 0 ? Double.NaN : (double) filter.bits() / filter.keys();
  }

  @Override
  public void addFields(Map<String, @Nullable Object> fields, FileSize size) {
    fields.put("keys", filter.keys());
    fields.put("columns", filter.columns());
    fields.put("layers", filter.layers());
    fields.put("bitsPerKey", bitsPerKey(filter));
    fields.put("hashBits", filter.hashBits());
    fields.put("sentFpp", filter.sentFpp() == 1 ? null : (Double) filter.sentFpp());
  }

  /** The prefixes of some keys may have been expanded. */
  @Override
  public boolean keysAreBound() {
    return filter.hashBits() < Long.SIZE;
  }

  @Override
  public List<FoldSize> ladder() {
    return filter.ladder().stream()
        .map(step -> new FoldSize(step.bits(), 1, step.expectedFpp()))
        .toList();
  }

  /** The smallest folding with a rate of at most fpp. */
  public static FrozenFilter foldToFpp(FrozenFilter filter, double fpp) {
    PrefixCut.requireRate(filter, fpp, "columns");
    return filter.foldToFpp(fpp);
  }

  /** What fold reports: it has no factor. */
  public static Report report(String output, FrozenFilter folded, FrozenFilter before) {
    double perKey = bitsPerKey(folded);
    return new Report()
        .file(output, folded.sizeInBytes())
        .bits(folded.bits(), perKey, "")
        .field("factor", null)
        .add(
            "columns",
            Prose.format("%.4g", folded.columns()),
            Prose.format("of %.4g", before.columns()))
        .field("columns", folded.columns())
        .fpp(folded.expectedFpp(), "before: " + Prose.rate(before.expectedFpp()))
        .field("bitsPerKey", perKey);
  }
}
