package dev.bellows.cli.kinds;

import dev.bellows.BloomFilter;
import dev.bellows.internal.base.Prose;
import java.io.IOException;

/** Kind bloom. */
public final class BloomAdapter extends FoldableAdapter<BloomFilter> {
  /** A filter may take one part of this many of the heap; keys and lines need some of it too. */
  private static final int HEAP_SHARE = 2;

  BloomAdapter(BloomFilter filter) {
    super(filter);
  }

  public static Built build(BuildRequest request) throws IOException {
    return FoldableBuild.build(request, BloomFilter::builder, builder -> loading(request, builder));
  }

  private static FoldableBuild.Loading<BloomFilter> loading(
      BuildRequest request, BloomFilter.Builder builder) throws IOException {
    long bytes = builder.plan().bits() / Byte.SIZE;
    boolean isInFile =
        request.place() != null && bytes > Runtime.getRuntime().maxMemory() / HEAP_SHARE;
    BloomFilter.Loader loader = isInFile ? builder.loader(request.path()) : builder.loader();
    if (isInFile) {
      request.note(
          "%s are more than half of the heap: the filter is filled in its file",
          Prose.bytes(bytes));
    }
    return new FoldableBuild.Loading<>(
        (hashes, count) -> loader.putHashes(hashes, 0, count),
        loader::build,
        loader::expectedFpp,
        loader::close,
        isInFile);
  }
}
