package dev.bellows;

import dev.bellows.io.FilterHeader;
import dev.bellows.io.FilterKind;
import dev.bellows.io.FilterReader;
import dev.bellows.io.FilterWriter;
import dev.bellows.io.ReadLimits;
import dev.bellows.plan.JointRates;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Several foldings of one state of one filter, asked together; unchanging and safe from any thread.
 *
 * <p>What a receiver holds after several transmissions: a key passes only if it passes every
 * folding. Sizes with a small common divisor err nearly independently, so that two small foldings
 * together tell almost as much as their product; a size that divides another tells nothing new (000
 * section IV-C, made precise: errata F15). All foldings must come from the same filter and the same
 * epoch: an older one would deny newer keys.
 */
public final class FoldedFilters implements Membership, Filter {
  /** Largest first: it turns most outsiders away at the first look. */
  private final List<BloomFilter> foldings;

  private FoldedFilters(List<BloomFilter> foldings) {
    this.foldings = List.copyOf(foldings);
  }

  /** The first folding that arrived; its filter must have an id. */
  public static FoldedFilters of(BloomFilter folding) {
    if (folding.filterId() == 0) {
      throw new IllegalArgumentException(
          "this folding does not say which filter it comes from:"
              + " build the filter with an id, so that its foldings carry it");
    }
    return new FoldedFilters(List.of(snapshot(folding)));
  }

  /** This set and one more folding of the same state of the same filter. */
  public FoldedFilters with(BloomFilter folding) {
    BloomFilter known = foldings.get(0);
    if (folding.filterId() != known.filterId()) {
      throw new IllegalArgumentException(
          "foldings of different filters cannot be asked together: id %d here and %d there"
              .formatted(known.filterId(), folding.filterId()));
    }
    if (folding.epoch() != known.epoch()) {
      throw new IllegalArgumentException(
          ("foldings of different epochs cannot be asked together, the older one would deny newer"
                  + " keys: epoch %d here and %d there")
              .formatted(known.epoch(), folding.epoch()));
    }
    Optional<String> reason = known.incompatibility(folding);
    if (reason.isPresent()) {
      throw new IllegalArgumentException("these are not foldings of one filter: " + reason.get());
    }
    List<BloomFilter> all = new ArrayList<>(foldings);
    if (all.stream().noneMatch(f -> f.bits() == folding.bits())) {
      all.add(snapshot(folding));
      all.sort(Comparator.comparingLong(BloomFilter::bits).reversed());
    }
    return new FoldedFilters(all);
  }

  private static BloomFilter snapshot(BloomFilter folding) {
    return folding.foldBy(1);
  }

  /** The sizes held, ascending. */
  public List<Long> sizes() {
    return foldings.stream().map(BloomFilter::bits).sorted().toList();
  }

  /** The sizes that tell something: no one of them divides another. */
  public List<Long> tellingSizes() {
    return Arrays.stream(JointRates.telling(sizeArray())).boxed().toList();
  }

  /** The rate at which outsiders pass every folding, for the keys its largest one speaks of. */
  public double expectedFpp() {
    BloomFilter largest = foldings.get(0);
    return foldings.size() == 1
        ? largest.expectedFpp()
        : JointRates.fpp(
            sizeArray(), largest.approximateElementCount(), largest.hashes(), largest.layout());
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

  @Override
  public FilterStats stats() {
    FilterStats largest = foldings.get(0).stats();
    long bits = foldings.stream().mapToLong(BloomFilter::bits).sum();
    long ones = foldings.stream().mapToLong(BloomFilter::ones).sum();
    return new FilterStats(
        FilterKind.FOLDED,
        largest.layout(),
        bits,
        largest.hashes(),
        hashScheme(),
        ones,
        (double) ones / bits,
        largest.approximateKeys(),
        expectedFpp(),
        header().fileBytes());
  }

  @Override
  public String explain() {
    return Explanation.of(this, foldings);
  }

  private FilterHeader header() {
    BloomFilter largest = foldings.get(0);
    List<Long> otherSizes = foldings.stream().skip(1).map(BloomFilter::bits).toList();
    return largest.foldedHeader(
        otherSizes, foldings.stream().map(BloomFilter::sectionBytes).toList());
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    FilterWriter writer = FilterWriter.begin(out, header());
    for (BloomFilter folding : foldings) {
      folding.writeSection(writer);
    }
    writer.end();
  }

  /** Reads a set of foldings, to the end of the stream. */
  public static FoldedFilters readFrom(InputStream in, ReadLimits limits) throws IOException {
    return read(FilterReader.open(in, limits).expect(FilterKind.FOLDED), null);
  }

  /** Reads a set of foldings from the bytes of {@link #toBytes}. */
  public static FoldedFilters fromBytes(byte[] bytes) throws IOException {
    return readFrom(new ByteArrayInputStream(bytes), ReadLimits.NONE);
  }

  static FoldedFilters read(FilterReader reader, @Nullable HashScheme given) throws IOException {
    int count = reader.header().sectionBytes().size();
    if (count == 0 || reader.header().filterId() == 0) {
      throw reader.parameterError(0, "a set of foldings without a folding or without an id");
    }
    FilterShape largest = FilterShape.read(reader, given, count - 1, count);
    List<BloomFilter> foldings = new ArrayList<>();
    long size = largest.bits();
    for (int i = 0; i < count; i++) {
      if (i > 0) {
        size = reader.parameter(FilterShape.PARAMETERS + i - 1, "bits", 1, size - 1);
      }
      long bits = size;
      FilterShape shape =
          reader.checked(
              FilterShape.PARAMETERS + i - 1,
              () -> new FilterShape(largest.layout(), bits, largest.hashes(), largest.scheme()));
      foldings.add(
          BloomFilter.readBody(reader, shape).withOrigin(Origin.of(reader.header()).folding()));
    }
    reader.end();
    return new FoldedFilters(foldings);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FoldedFilters set && foldings.equals(set.foldings);
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
