package dev.bellows;

import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.layout.Origin;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.internal.math.JointRates;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Several foldings of one state of one filter, queried together; immutable and thread-safe.
 *
 * <p>A receiver holds such a set after several transmissions: a key passes only if it passes every
 * folding. If the sizes of two foldings have only a small common divisor, their false positives are
 * nearly independent, and their joint rate is close to the product of their rates. A size that
 * divides another one adds no information (Folding paper, Section IV-C; see erratum <a
 * href="{@docRoot}/doc-files/errata.html#F15">F15</a>). All foldings must come from the same filter
 * and the same content: an older folding does not contain newer keys. If sets have a version, as
 * those of {@link dev.bellows.elastic.ElasticBloomFilter#part} do, it shows which of two states is
 * newer.
 */
public final class FoldedFilters extends StoredFilter implements Membership, Filter.Identified {
  private static final long serialVersionUID = 1L;

  /** The format of foldings with a version. */
  public static final FilterFormat<FoldedFilters> PARTS_FORMAT =
      FilterFormat.of(FilterKind.PARTS, FoldedFilters.class, FoldedFilters::read);

  /** The format of foldings, with a version or without, in streams, files and byte arrays. */
  public static final FilterFormat<FoldedFilters> FORMAT =
      FilterFormat.of(FilterKind.FOLDED, FoldedFilters.class, FoldedFilters::read)
          .alsoReading(PARTS_FORMAT);

  private static final long NO_VERSION = -1;

  /** The maximum number of foldings in a set, far more than are useful. */
  private static final int MAX_FOLDINGS = 1 << 12;

  /** The foldings, largest first, because the largest one rejects the most absent keys. */
  private final List<BloomFilter> foldings;

  /** The number of changes of the filter's content so far; {@link #NO_VERSION} if it is unknown. */
  private final long version;

  private FoldedFilters(List<BloomFilter> foldings, long version) {
    this.foldings = List.copyOf(foldings);
    this.version = version;
  }

  /** Returns a set with one folding, whose filter must have an id. */
  public static FoldedFilters of(BloomFilter folding) {
    if (folding.filterId() == 0) {
      throw new IllegalArgumentException(
          "this folding does not carry the id of its filter: build the filter with an id");
    }
    return new FoldedFilters(List.of(snapshot(folding)), NO_VERSION);
  }

  /**
   * Returns a set with one folding and a version: of two states of one filter, the one with the
   * higher version is newer.
   *
   * @param version the number of changes of the filter's content so far, at least 0
   */
  public static FoldedFilters of(BloomFilter folding, long version) {
    Checks.notNegative(version, "version");
    return new FoldedFilters(of(folding).foldings, version);
  }

  /** Returns this set with one more folding of the same state of the same filter. */
  public FoldedFilters with(BloomFilter folding) {
    return with(of(folding));
  }

  /**
   * Returns this set with the foldings of another set, which must be of the same state of the same
   * filter. The result has the higher of the two versions.
   *
   * @throws IllegalArgumentException if the other set is of another filter or state; if both sets
   *     have a version, the message states which of the two states is newer
   */
  public FoldedFilters with(FoldedFilters other) {
    if (other.filterId() != filterId()) {
      throw new IllegalArgumentException(
          "foldings of different filters cannot be queried together: id %d here and %d there"
              .formatted(filterId(), other.filterId()));
    }
    if (other.state() != state()) {
      throw new IllegalArgumentException(
          ("foldings of different states cannot be queried together, because the older one lacks"
                  + " newer keys: state %016x here and %016x there%s")
              .formatted(state(), other.state(), order(other)));
    }
    Optional<String> reason = foldings.get(0).incompatibility(other.foldings.get(0));
    if (reason.isPresent()) {
      throw new IllegalArgumentException("these are not foldings of one filter: " + reason.get());
    }
    List<BloomFilter> all = new ArrayList<>(foldings);
    for (BloomFilter next : other.foldings) {
      if (all.stream().noneMatch(f -> f.bits() == next.bits())) {
        all.add(next);
      }
    }
    Checks.inRange(1, MAX_FOLDINGS, all.size(), "foldings");
    all.sort(Comparator.comparingLong(BloomFilter::bits).reversed());
    return new FoldedFilters(all, Math.max(version, other.version));
  }

  /**
   * Returns the part of a message that states which of two states is newer; empty unless both have
   * a version.
   */
  private String order(FoldedFilters other) {
    if (version == NO_VERSION || other.version == NO_VERSION) {
      return "";
    }
    return Prose.format(
        ", %s: version %,d here and %,d there",
        other.isNewerThan(this)
            ? "which is newer"
            : isNewerThan(other) ? "which is older" : "of the same version",
        version,
        other.version);
  }

  /**
   * Returns the number of changes of the filter's content before its foldings were made; empty if
   * the set has no version.
   */
  public OptionalLong version() {
    return version == NO_VERSION ? OptionalLong.empty() : OptionalLong.of(version);
  }

  /**
   * Returns whether both sets are of the same filter and have a version, and that of this set is
   * higher.
   */
  public boolean isNewerThan(FoldedFilters other) {
    return filterId() == other.filterId() && other.version != NO_VERSION && version > other.version;
  }

  private static BloomFilter snapshot(BloomFilter folding) {
    return folding.foldBy(1);
  }

  /** Returns the sizes of the foldings, in ascending order. */
  public List<Long> sizes() {
    return foldings.stream().map(BloomFilter::bits).sorted().toList();
  }

  /** Returns the sizes that add information: none of them divides another one. */
  public List<Long> informativeSizes() {
    return Arrays.stream(JointRates.informative(sizeArray())).boxed().toList();
  }

  /** Returns the id of the filter from which all foldings were made. */
  @Override
  public long filterId() {
    return foldings.get(0).filterId();
  }

  /** Returns a 64-bit hash of the content from which all foldings were made. */
  @Override
  public long state() {
    return foldings.get(0).state();
  }

  /**
   * Returns {@link FilterKind#PARTS} if this set has a version, otherwise {@link
   * FilterKind#FOLDED}.
   */
  @Override
  public FilterKind kind() {
    return version == NO_VERSION ? FilterKind.FOLDED : FilterKind.PARTS;
  }

  /**
   * Returns the joint false positive rate of all foldings. For a single folding, it is computed
   * from the actual fill; for several, from the number of keys that is estimated from the largest
   * one.
   */
  @Override
  public double expectedFpp() {
    return jointFpp(foldings.get(0), sizeArray());
  }

  /**
   * Returns the false positive rate of a receiver that holds the foldings of a filter to these
   * sizes, i.e. the {@link #expectedFpp} of the set of these foldings. Returns 1 if there are no
   * sizes.
   */
  public static double jointFpp(FoldableFilter<?> filter, List<Long> sizes) {
    long[] bits = sizes.stream().mapToLong(Long::longValue).toArray();
    OptionalLong largest = Arrays.stream(bits).max();
    return largest.isEmpty()
        ? 1
        : jointFpp(filter.foldTo(largest.getAsLong()).toBloomFilter(), bits);
  }

  private static double jointFpp(BloomFilter largest, long[] sizes) {
    if (JointRates.informative(sizes).length == 1) {
      return largest.expectedFpp();
    }
    long keys = largest.approximateElementCount();
    return HashFloor.with(largest.layout().jointFpp(sizes, keys), keys);
  }

  private long[] sizeArray() {
    return foldings.stream().mapToLong(BloomFilter::bits).toArray();
  }

  @Override
  public HashScheme hashScheme() {
    return foldings.get(0).hashScheme();
  }

  @Override
  public boolean mightContainHash(long hash) {
    for (int i = 0; i < foldings.size(); i++) {
      if (!foldings.get(i).mightContainHash(hash)) {
        return false;
      }
    }
    return true;
  }

  /** Returns the estimated number of distinct keys. */
  public long approximateElementCount() {
    return foldings.get(0).approximateElementCount();
  }

  @Override
  public FilterStats stats() {
    BloomFilter largest = foldings.get(0);
    long bits = foldings.stream().mapToLong(BloomFilter::bits).sum();
    return FilterStats.of(
        this, largest.layout(), bits, largest.hashes(), null, largest.stats().approximateKeys());
  }

  @Override
  public long sizeInBytes() {
    return header().fileBytes() + foldings.stream().mapToLong(BloomFilter::sizeInBytes).sum();
  }

  @Override
  public boolean isEmpty() {
    return foldings.get(0).isEmpty();
  }

  @Override
  public String explain() {
    StringBuilder page = new StringBuilder("Foldings of one filter, queried together.\n\n");
    for (BloomFilter folding : foldings) {
      page.append(
          Prose.format(
              "  %,14d bits   alone %s\n", folding.bits(), Prose.rate(folding.expectedFpp())));
    }
    FilterStats stats = stats();
    page.append(
        Prose.format(
            "  %,14d bits   together %s\n", stats.bits(), Prose.rate(stats.expectedFpp())));
    if (informativeSizes().size() < foldings.size()) {
      page.append("\n  A size that divides another adds no information.\n");
    }
    page.append(
        Prose.format(
            "\n  keys, estimated    %,d\n  false positives    %s\n",
            approximateElementCount(), Prose.rate(stats.expectedFpp())));
    if (version != NO_VERSION) {
      page.append(Prose.format("  version            %,d\n", version));
    }
    return page.toString();
  }

  private FilterHeader header() {
    long count = foldings.size();
    return FilterHeader.of(
        kind(),
        hashScheme(),
        Origin.folding(filterId(), state()),
        version == NO_VERSION ? List.of(count) : List.of(count, version),
        List.of());
  }

  /** Writes a header, followed by every folding as a complete filter. */
  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter.begin(out, header()).end();
    for (BloomFilter folding : foldings) {
      folding.writeTo(out);
    }
  }

  /** Reads a set of foldings of at most 1 GiB ({@link ReadOptions#DEFAULT}) from a file. */
  public static FoldedFilters readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a set of foldings from the bytes that {@link #toBytes} returned. */
  public static FoldedFilters fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  private static FoldedFilters read(FilterReader reader) throws IOException {
    boolean hasVersion = reader.header().kind() == FilterKind.PARTS;
    reader.expect(hasVersion ? 2 : 1, 0);
    long version = hasVersion ? reader.parameter(1, "version", 0, Long.MAX_VALUE) : NO_VERSION;
    long count = reader.parameter(0, "foldings", 1, MAX_FOLDINGS);
    HashScheme scheme = reader.scheme();
    BloomFilter largest = reader.nested(BloomFilter.FORMAT::read, FilterKind.BLOOM);
    FoldedFilters read = reader.checked(0, () -> of(largest));
    for (int i = 1; i < count; i++) {
      BloomFilter folding = reader.nested(BloomFilter.FORMAT::read, FilterKind.BLOOM);
      FoldedFilters known = read;
      read = reader.checked(0, () -> known.with(folding));
      if (read.foldings.size() != i + 1 || !read.foldings.get(i).equals(folding)) {
        throw reader.parameterError(0, "its foldings are not in descending order of size");
      }
    }
    if (read.filterId() != reader.header().filterId()
        || read.state() != reader.header().state()
        || !read.hashScheme().equals(scheme)
        || read.hashScheme().keyType() != scheme.keyType()) {
      throw reader.parameterError(
          0, "its foldings belong to another filter or state than its header");
    }
    return new FoldedFilters(read.foldings, version);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FoldedFilters set
        && version == set.version
        && foldings.equals(set.foldings);
  }

  @Override
  public int hashCode() {
    return foldings.hashCode();
  }

  @Override
  public String toString() {
    return "FoldedFilters" + sizes();
  }
}
