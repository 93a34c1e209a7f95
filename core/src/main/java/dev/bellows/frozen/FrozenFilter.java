package dev.bellows.frozen;

import dev.bellows.FilterBuilder;
import dev.bellows.FilterStats;
import dev.bellows.HashScheme;
import dev.bellows.KeyHasher;
import dev.bellows.MappedFilter;
import dev.bellows.Membership;
import dev.bellows.StoredFilter;
import dev.bellows.internal.base.Checks;
import dev.bellows.internal.base.Prose;
import dev.bellows.internal.bits.BitStore;
import dev.bellows.internal.columns.Columns;
import dev.bellows.internal.columns.Layer;
import dev.bellows.internal.columns.Rung;
import dev.bellows.internal.files.AtomicFile;
import dev.bellows.internal.files.FilterHeader;
import dev.bellows.internal.files.FilterReader;
import dev.bellows.internal.files.FilterWriter;
import dev.bellows.internal.files.PathLock;
import dev.bellows.internal.math.HashFloor;
import dev.bellows.internal.math.RibbonSize;
import dev.bellows.io.FilterFormat;
import dev.bellows.io.FilterFormatException;
import dev.bellows.io.FilterKind;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * A filter for a set that does not change: the smallest filter of this library. At a rate of 0.4 %
 * it takes 8.04 bits per key; the theoretical minimum, log2(1/fpp), is 7.97, and a Bloom filter
 * takes 12. Immutable and therefore thread-safe.
 *
 * <p>It is built from all keys at once ({@link Builder#build}), or from the prefixes of a {@link
 * dev.bellows.growth.FingerprintFilter} ({@code freeze}), and accepts no further keys. Two frozen
 * filters cannot be merged: merge {@code FingerprintFilter}s instead, and freeze the result.
 *
 * <p>Its memory is columns of bits. An absent key passes each column with probability 1/2, and
 * dropping the last column gives, bit for bit, what would have been built with one column less. The
 * filter therefore {@linkplain #foldToFpp folds}, saving one bit per key each time its rate
 * doubles, and can be {@linkplain #part sent} column by column. If the number of columns is not a
 * whole number, the leading rows have one more column than the others.
 *
 * <pre>{@code
 * FrozenFilter leaked = FrozenFilter.builder().fpp(0.001).buildFrom(passwords, KeyHasher.TEXT);
 * leaked.writeTo(path);
 * boolean warn = leaked.mightContain(password);
 * }</pre>
 */
public final class FrozenFilter extends StoredFilter implements Membership {
  private static final long serialVersionUID = 1L;

  /** The size, relative to that of a filter of the keys, up to which prefixes are long enough. */
  private static final double TOLERATED_SIZE = 1.05;

  /** The format of this kind: reads its filters from streams, files and bytes. */
  public static final FilterFormat<FrozenFilter> FORMAT =
      FilterFormat.of(FilterKind.FROZEN, FrozenFilter.class, FrozenFilter::read);

  /**
   * The number of parameters in files: two for the rung and two for the rung up to which parts were
   * sent. The parameters of the frame follow.
   */
  private static final int OWN_PARAMETERS = 4;

  private final transient FrozenFrame frame;
  private final transient Columns columns;
  private final transient Rung sent;
  private final transient long mask;
  private transient volatile double fpp = Double.NaN;

  FrozenFilter(FrozenFrame frame, Columns columns, Rung sent) {
    this.frame = frame;
    this.columns = columns;
    this.sent = sent;
    this.mask = frame.mask();
  }

  /** Returns a builder. */
  public static Builder builder() {
    return new Builder();
  }

  @Override
  public FilterKind kind() {
    return FilterKind.FROZEN;
  }

  @Override
  public HashScheme hashScheme() {
    return frame.scheme();
  }

  /** Returns the number of distinct keys, or prefixes, that the filter was built from. */
  public long keys() {
    return frame.keys();
  }

  /**
   * Returns the number of leading bits of a hash that are used: 64, or the length of the prefixes
   * that the filter was built from.
   */
  public int hashBits() {
    return frame.hashBits();
  }

  /** Returns the number of columns, averaged over all rows. */
  public double columns() {
    return columns.rung().mean(columns.groups());
  }

  /**
   * Returns the number of layers. Keys that do not fit into the rows of a layer are in the next
   * one.
   */
  public int layers() {
    return columns.layers().size();
  }

  /** Returns the number of bits of the columns and thresholds. */
  public long bits() {
    return bits(columns.rung());
  }

  private long bits(Rung rung) {
    return Layer.GROUP * rung.wordsAbove(Rung.NONE, columns.groups())
        + Byte.SIZE * frame.thresholdBytes(Rung.NONE);
  }

  @Override
  public boolean mightContainHash(long hash) {
    return columns.test(hash & mask);
  }

  @Override
  public int countMightContainHashes(long[] hashes, int from, int to, boolean[] hits) {
    Objects.checkFromToIndex(from, to, Math.min(hashes.length, hits.length));
    return columns.count(hashes, from, to, mask, hits);
  }

  // overridden so that the JIT compiler profiles this class separately from the other kinds

  @Override
  public boolean mightContain(long key) {
    return columns.test(frame.scheme().hash(key) & mask);
  }

  @Override
  public boolean mightContain(CharSequence key) {
    return columns.test(frame.scheme().hash(key) & mask);
  }

  @Override
  public boolean mightContain(byte[] key) {
    return columns.test(frame.scheme().hash(key) & mask);
  }

  /** Returns the exact false positive rate: that of the columns, plus that of equal hashes. */
  @Override
  public double expectedFpp() {
    double known = fpp;
    if (Double.isNaN(known)) {
      known = frame.fpp(columns.fpp());
      fpp = known;
    }
    return known;
  }

  @Override
  public boolean isEmpty() {
    return frame.keys() == 0;
  }

  /**
   * A step of a {@link #ladder}.
   *
   * @param columns the number of columns
   * @param bits the number of bits of columns and thresholds
   * @param expectedFpp the false positive rate
   */
  public record Step(double columns, long bits, double expectedFpp) {}

  /**
   * Returns the foldings to whole numbers of columns, smallest first, and the filter itself. Rates
   * between them can be reached too ({@link #foldToFpp}).
   */
  public List<Step> ladder() {
    List<Step> ladder = new ArrayList<>();
    Rung top = columns.rung();
    for (int whole = 1; whole <= top.columns(); whole++) {
      ladder.add(step(new Rung(whole, 0)));
    }
    if (top.lead() > 0 || top.columns() == 0) {
      ladder.add(step(top));
    }
    return ladder;
  }

  private Step step(Rung rung) {
    return new Step(
        rung.mean(columns.groups()), bits(rung), frame.fpp(Columns.fpp(columns.layers(), rung)));
  }

  /**
   * Returns the smallest filter of the same keys with a rate of at most fpp: bit for bit the one
   * that would have been built for it. This filter is not changed.
   *
   * @throws IllegalArgumentException if the rate of this filter is higher, because columns cannot
   *     be restored
   */
  public FrozenFilter foldToFpp(double fpp) {
    return fold(rung(Checks.probability(fpp, "fpp")));
  }

  private FrozenFilter fold(Rung lower) {
    return new FrozenFilter(frame, columns.fold(lower), sent.compareTo(lower) < 0 ? sent : lower);
  }

  /**
   * Returns the lowest rung with a rate of at most fpp, the empty one for an fpp of 1; throws if
   * this filter has too few columns.
   */
  private Rung rung(double fpp) {
    if (fpp < expectedFpp()) {
      throw new IllegalArgumentException(
          ("the filter already has fpp %s, and columns that were dropped cannot be "
                  + "restored: use an fpp of %s or more")
              .formatted(Prose.fpp(expectedFpp()), Prose.fpp(expectedFpp())));
    }
    Rung rung = frame.rung(columns.layers(), fpp);
    return rung.compareTo(columns.rung()) > 0 ? columns.rung() : rung;
  }

  /**
   * Returns the columns that turn a receiver's {@code foldToFpp(fromFpp)} into {@code
   * foldToFpp(toFpp)}. The first part has a {@code fromFpp} of 1 and can be queried alone; every
   * other part begins where the one before it ends.
   */
  public FrozenPart part(double fromFpp, double toFpp) {
    if (!(fromFpp <= 1 && toFpp <= fromFpp)) {
      throw new IllegalArgumentException(
          "toFpp must be below fromFpp, but a part from %s to %s was requested"
              .formatted(fromFpp, toFpp));
    }
    return FrozenPart.of(frame, columns, rung(fromFpp), rung(toFpp));
  }

  /**
   * Returns the lowest rate that a receiver with {@code foldToFpp(fromFpp)} can reach with a {@link
   * #part} of at most this many bytes; {@code fromFpp} if not even one column fits.
   */
  public double fppWithin(double fromFpp, long bytes) {
    Rung low = rung(fromFpp);
    Rung best = highest(low, high -> fits(low, high, bytes));
    return best.equals(low) ? fromFpp : frame.fpp(Columns.fpp(columns.layers(), best));
  }

  /**
   * Returns the highest rung of this filter that satisfies a condition; {@code low} if none does.
   */
  private Rung highest(Rung low, Predicate<Rung> fits) {
    Rung top = columns.rung();
    int whole = low.columns();
    while (whole < top.columns() && fits.test(new Rung(whole + 1, 0))) {
      whole++;
    }
    long most = whole == top.columns() ? top.lead() : columns.groups() - 1;
    long lead = whole == low.columns() ? low.lead() : 0;
    while (lead < most) {
      long middle = (lead + most + 1) >>> 1;
      if (fits.test(new Rung(whole, middle))) {
        lead = middle;
      } else {
        most = middle - 1;
      }
    }
    return new Rung(whole, lead);
  }

  /**
   * Returns the folding with the lowest rate whose file has at most this many bytes.
   *
   * @throws IllegalArgumentException if not even one column fits
   */
  public FrozenFilter foldToBytes(long bytes) {
    if (sizeInBytes() <= bytes) {
      return this;
    }
    Rung rung = highest(Rung.NONE, high -> header(high).fileBytes() <= bytes);
    if (rung.columns() == 0) {
      throw new IllegalArgumentException(
          "%d bytes are not enough: a file with one column takes %d"
              .formatted(bytes, header(new Rung(1, 0)).fileBytes()));
    }
    return fold(rung);
  }

  private boolean fits(Rung low, Rung high, long bytes) {
    // -1 encodes to the maximum number of bytes that a state can take
    return new FrozenPart.Source(frame, -1, columns.rung()).header(low, high).fileBytes() <= bytes;
  }

  /** Returns the rate of a receiver that has all parts sent so far; 1 if nothing was sent. */
  public double sentFpp() {
    return sent.equals(Rung.NONE) ? 1 : frame.fpp(Columns.fpp(columns.layers(), sent));
  }

  /**
   * Returns this filter with a record that all parts down to this rate were sent. Files contain the
   * record, so another process can send the next part.
   */
  public FrozenFilter withSentFpp(double fpp) {
    return new FrozenFilter(frame, columns, rung(fpp));
  }

  /**
   * Returns the maximum number of distinct keys: {@link #keys}, or, in a filter of prefixes, the
   * number of keys that have this many different prefixes on average. Prefixes that were expanded
   * when they were frozen count several times, so there may be a few percent fewer keys.
   */
  public double mostKeys() {
    if (frame.hashBits() == Long.SIZE) {
      return keys();
    }
    double all = Math.scalb(1.0, frame.hashBits());
    return -all * Math.log1p(-Math.min(keys(), all - 1) / all);
  }

  /**
   * Returns the number of bits by which the prefixes of this filter would have to be longer so that
   * it takes at most 5 % more than one that is built from the keys at the same rate; 0 if it does
   * already. Prefixes alone accept {@code keys / 2^length} of all other keys, which leaves less for
   * the columns. A fingerprint filter that is built with half the fpp has prefixes with one more
   * bit.
   */
  public int missingPrefixBits() {
    double fresh = freshBitsPerKey();
    if (frame.hashBits() == Long.SIZE || !(bits() > TOLERATED_SIZE * fresh * keys())) {
      return 0;
    }
    double allowed = expectedFpp() * -Math.expm1(-(TOLERATED_SIZE - 1) * fresh * Math.log(2));
    double prefixes = Math.scalb((double) keys(), -frame.hashBits());
    return (int) Math.max(1, Math.ceil(Math.log(prefixes / allowed) / Math.log(2)));
  }

  private double freshBitsPerKey() {
    double rate = Math.max(expectedFpp(), FrozenPlan.LEAST_FPP);
    return rate < 1 ? FrozenPlan.of(keys(), rate).bitsPerKey() : Double.NaN;
  }

  @Override
  public FilterStats stats() {
    return FilterStats.of(this, null, bits(), 1, null, mostKeys())
        .growing(null, new FilterStats.Parts("layers", layers()));
  }

  @Override
  public String explain() {
    StringBuilder page = new StringBuilder();
    int missing = missingPrefixBits();
    page.append("A frozen filter: built once from all keys, it takes no others");
    page.append(missing == 0 ? " and is nearly as small as a filter can be.\n\n" : ".\n\n");
    String lines = stats().lines("bits", sizeInBytes());
    page.append(
        frame.hashBits() == Long.SIZE ? lines : lines.replace("estimated    ", "at most      "));
    page.append(Prose.format("  columns            %.4g\n", columns()));
    if (frame.hashBits() < Long.SIZE) {
      page.append(Prose.format("  prefixes           %d bits of each hash\n", frame.hashBits()));
    }
    if (missing > 0) {
      page.append(
          Prose.format(
              """

              It takes %.2f bits per key; built from the keys at the same rate it would take %.2f.
              Its prefixes alone accept %s of the other keys, which leaves less for the columns.
              Build the fingerprint filters that are frozen with an fpp that is %,.0f times lower.
              """,
              (double) bits() / keys(),
              freshBitsPerKey(),
              Prose.rate(Math.scalb((double) keys(), -frame.hashBits())),
              Math.scalb(1.0, missing)));
    }
    List<Step> ladder = ladder();
    if (ladder.size() > 1) {
      page.append("\nFolds to any rate above its own, for example:\n");
      for (Step step : ladder) {
        page.append(
            Prose.format(
                "  %6.4g columns  %,15d bits  %s\n",
                step.columns(), step.bits(), Prose.rate(step.expectedFpp())));
      }
    }
    return page.toString();
  }

  @Override
  public long sizeInBytes() {
    return header(columns.rung()).fileBytes();
  }

  private FilterHeader header(Rung rung) {
    return frame.header(FilterKind.FROZEN, List.of(), List.of(rung, sent), Rung.NONE, rung);
  }

  @Override
  public void writeTo(OutputStream out) throws IOException {
    write(out, columns.rung());
  }

  private void write(OutputStream out, Rung rung) throws IOException {
    FilterWriter.begin(out, header(rung))
        .bytes(frame.thresholds(columns.layers()))
        .words(
            frame.bits(Rung.NONE, rung) / Long.SIZE, sink -> columns.between(Rung.NONE, rung, sink))
        .end();
  }

  private static FrozenFilter read(FilterReader reader) throws IOException {
    FrozenFrame frame = FrozenFrame.read(reader, OWN_PARAMETERS);
    Rung rung = frame.readRung(reader, 0, new Rung(Rung.MOST_COLUMNS, 0));
    Rung sent = frame.readRung(reader, 2, rung);
    List<Layer> layers = frame.readLayers(reader, OWN_PARAMETERS, Rung.NONE);
    BitStore words = frame.readWords(reader, Rung.NONE, rung);
    return new FrozenFilter(frame, new Columns(layers, words, rung), sent);
  }

  /** Reads a filter from a file of at most 1 GiB ({@link ReadOptions#DEFAULT}). */
  public static FrozenFilter readFrom(Path path) throws IOException {
    return FORMAT.readFrom(path, ReadOptions.DEFAULT);
  }

  /** Reads a filter from the bytes that {@link #toBytes} returned. */
  public static FrozenFilter fromBytes(byte[] bytes) throws FilterFormatException {
    return FORMAT.fromBytes(bytes, ReadOptions.DEFAULT);
  }

  /**
   * Maps the filter of a file into memory instead of reading it. This takes the same short time at
   * any size, even beyond that of the heap, and all processes share the memory. Only the
   * thresholds, 1/32 of a bit per key, are on the heap. The header and the thresholds are checked
   * immediately, each 1 MiB of columns on first access, as in {@link
   * dev.bellows.BloomFilter#map(Path, ReadOptions)}.
   *
   * @param options the hash scheme, if keys were hashed with a secret key; the size limit is
   *     ignored
   */
  public static MappedFilter<FrozenFilter> map(Path path, ReadOptions options) throws IOException {
    FrozenFilter filter = FilterReader.map(path, options, FORMAT::read);
    return MappedFilter.of(filter, filter.columns.words());
  }

  /**
   * Maps the filter of a file into memory, like {@link #map(Path, ReadOptions)} with the hash
   * scheme that the file names.
   */
  public static MappedFilter<FrozenFilter> map(Path path) throws IOException {
    return map(path, ReadOptions.DEFAULT);
  }

  /** Returns whether the other object is a frozen filter with the same parameters and columns. */
  @Override
  public boolean equals(Object other) {
    return other instanceof FrozenFilter filter
        && frame.equals(filter.frame)
        && columns.equals(filter.columns);
  }

  @Override
  public int hashCode() {
    return Objects.hash(frame, columns);
  }

  @Override
  public String toString() {
    return "FrozenFilter[%d keys, %s columns, %s]".formatted(keys(), columns(), frame.scheme());
  }

  /** A source of sorted hashes, for sets that are larger than the heap. */
  @FunctionalInterface
  public interface SortedHashes {
    /**
     * Copies up to {@code most} hashes into an array, starting at index {@code at}, and returns how
     * many were copied; 0 at the end. Hashes are in ascending unsigned order, without duplicates.
     */
    int read(long[] into, int at, int most) throws IOException;
  }

  /** Builds a {@link FrozenFilter}. */
  public static final class Builder extends FilterBuilder<Builder> {
    /** The margin by which more leading groups than expected may need one more column. */
    private static final double SPARE = 1.25;

    private double fpp = 0.01;
    private int hashBits = Long.SIZE;

    Builder() {}

    /** Sets the highest false positive rate (default 1 %). */
    public Builder fpp(double fpp) {
      Checks.probability(fpp, "fpp");
      if (fpp < FrozenPlan.LEAST_FPP) {
        throw new IllegalArgumentException(
            "fpp %s is below %s, the rate of the maximum of %d columns"
                .formatted(fpp, FrozenPlan.LEAST_FPP, Rung.MOST_COLUMNS));
      }
      this.fpp = fpp;
      return this;
    }

    /**
     * Sets the number of leading bits of a hash that are used (default 64), for sets of which only
     * the prefixes of hashes are known: a key is in the set if one of the given hashes has the same
     * leading bits.
     */
    public Builder hashBits(int bits) {
      this.hashBits = (int) Checks.inRange(1, Long.SIZE, bits, "hashBits");
      return this;
    }

    /**
     * Builds the filter of the keys with these hashes, which may be in any order and contain
     * duplicates: the same set gives the same bytes. The array is not changed. {@link
     * FrozenPlan#buildBytes} is the memory that this takes.
     */
    public FrozenFilter build(long[] hashes) {
      return build(hashes, hashes.length);
    }

    /** Builds the filter of the keys with the first {@code length} hashes of an array. */
    public FrozenFilter build(long[] hashes, int length) {
      Objects.checkFromToIndex(0, length, hashes.length);
      Columns.Built built =
          Columns.build(hashes, length, -1L << (Long.SIZE - hashBits), this::choose, most(length));
      Columns columns = built.columns();
      return new FrozenFilter(
          FrozenFrame.of(hashScheme(), built.keys(), hashBits, columns.layers()),
          columns,
          Rung.NONE);
    }

    /** Builds the filter of these longs. */
    public FrozenFilter buildFrom(long[] keys) {
      HashScheme scheme = hashScheme();
      return build(Arrays.stream(keys).map(key -> scheme.hash(key)).toArray());
    }

    /** Builds the filter of these keys. */
    public <T> FrozenFilter buildFrom(Iterable<? extends T> keys, KeyHasher<? super T> hasher) {
      HashScheme scheme = hashScheme();
      return build(
          StreamSupport.stream(keys.spliterator(), false)
              .mapToLong(key -> scheme.hash(key, hasher))
              .toArray());
    }

    /**
     * Builds the filter of a set that may be larger than the heap, directly in its file. This takes
     * about one byte of heap per key, and a temporary file as large as the filter next to it. The
     * bytes are those of {@code build(hashes).writeTo(path)}.
     *
     * @param count the number of hashes
     * @throws IllegalArgumentException if the number of hashes is different, or if they are not
     *     ascending or far from evenly distributed
     */
    public MappedFilter<FrozenFilter> build(Path path, long count, SortedHashes hashes)
        throws IOException {
      Checks.notNegative(count, "count");
      if (hashBits < Long.SIZE) {
        throw new IllegalArgumentException(
            "building in a file takes whole hashes, not only their first %d bits"
                .formatted(hashBits));
      }
      try (AtomicFile file = AtomicFile.open(path, PathLock.Waiting.SILENT)) {
        file.inRoom(room -> write(file, count, hashes, room));
        return map(path, ReadOptions.DEFAULT.withHashScheme(hashScheme()));
      }
    }

    private Path write(AtomicFile file, long count, SortedHashes hashes, Path room)
        throws IOException {
      Columns solved = Columns.build(hashes::read, count, most(count), room);
      try {
        FrozenFrame frame = FrozenFrame.of(hashScheme(), count, hashBits, solved.layers());
        Rung chosen = choose(solved.layers(), count);
        FrozenFilter filter = new FrozenFilter(frame, solved, Rung.NONE);
        file.replace(out -> filter.write(out, chosen));
        return room;
      } finally {
        solved.words().close();
      }
    }

    private Rung choose(List<Layer> layers, long keys) {
      if (hashBits == Long.SIZE) {
        HashFloor.require(fpp, keys);
      }
      double floor = FrozenFrame.floor(keys, hashBits);
      if (fpp <= floor) {
        throw new IllegalArgumentException(
            "fpp %s cannot be reached: %d prefixes of %d bits alone give %s"
                .formatted(fpp, keys, hashBits, Prose.fpp(floor)));
      }
      return FrozenFrame.of(hashScheme(), keys, hashBits, layers).rung(layers, fpp);
    }

    /** Returns a rung that suffices for the rate, unless hashes are far from evenly distributed. */
    private Rung most(long count) {
      double columnsFpp = fpp - FrozenFrame.floor(count, hashBits);
      int whole =
          columnsFpp <= 0
              ? Rung.MOST_COLUMNS
              : Math.min(Rung.MOST_COLUMNS, RibbonSize.wholeColumns(columnsFpp));
      if (whole == Rung.MOST_COLUMNS) {
        return new Rung(whole, 0);
      }
      double groups = (double) RibbonSize.bumpingRows(count) / Layer.GROUP;
      double lead = SPARE * groups * (RibbonSize.columns(columnsFpp) - whole) + Layer.GROUP;
      return lead < groups ? new Rung(whole, (long) lead) : new Rung(whole + 1, 0);
    }
  }
}
