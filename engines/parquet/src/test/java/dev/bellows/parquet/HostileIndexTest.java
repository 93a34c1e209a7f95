package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import dev.bellows.io.FilterFormatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Index files that were changed on purpose, with correct checksums: each is refused with a {@link
 * FilterFormatException}, or it answers. It may claim anything about the files in it, but hides no
 * others, and takes no more memory and time than its bytes justify.
 */
class HostileIndexTest {
  private static final int FEW = 3_000;
  private static final int MANY = 300_000;
  private static final int FILES = 3;
  private static final int ROWS = 100;

  /** The limit for reading, querying and writing one index of at most a few kilobytes. */
  private static final long MOST_BYTES = 16L << 20;

  private static final long MOST_CPU_NANOS = 2_000_000_000L;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType("message m { required int64 id; }");

  /** Values of all types: some are refused by some types. */
  private static final List<Object> VALUES =
      List.of("7", "7.25", "seven", "2026-01-31", "1e9999", new byte[8], new byte[16]);

  @TempDir Path outer;

  /** Far enough below that paths with dots stay inside. */
  private Path folder;

  private Path file;
  private byte[] honest;
  private Map<Path, BasicFileAttributes> parts;

  @BeforeEach
  void write() throws IOException {
    folder = Files.createDirectories(outer.resolve("a/b/c"));
    Path data = Files.createDirectories(folder.resolve("data"));
    ParquetJava.Shape shape = ParquetJava.Shape.of(ROWS).told(ROWS);
    for (int i = 0; i < FILES; i++) {
      long from = first(i);
      ParquetJava.write(
          part(i), SCHEMA, List.of("id"), shape, (group, row) -> group.append("id", from + row));
    }
    file = folder.resolve("ids.index");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    IndexCodec.write(ParquetIndex.of(List.of(data), "id", 0.01), file, out);
    honest = out.toByteArray();
    parts = ParquetFolder.candidates(data);
  }

  private Path part(int number) {
    return folder.resolve("data/part-" + number + ".parquet");
  }

  private static long first(int part) {
    return 1_000_003L * part;
  }

  @Test
  void changedIndexesAreRefusedOrAnswer() throws IOException {
    int answered = mutate(FEW, 1);
    assertThat(answered).isBetween(FEW / 20, FEW * 19 / 20);
  }

  /** The long run of docs/reliability.md; it prints its row. */
  @Tag("scale")
  @Test
  void manyChangedIndexesAreRefusedOrAnswer() throws IOException {
    int answered = mutate(MANY, 2);
    System.out.printf(
        Locale.ROOT,
        "| changed indexes of Parquet files, and `find` in them | %,d, of which %,d answered | 0 out of bounds, 0 files hidden that the index does not know | `HostileIndexTest` | %s |%n",
        MANY,
        answered,
        LocalDate.now());
  }

  private int mutate(int rounds, long seed) throws IOException {
    answers(honest); // loads classes, which is not what is measured
    SplittableRandom random = new SplittableRandom(seed);
    int answered = 0;
    for (int round = 0; round < rounds; round++) {
      byte[] bytes = random.nextInt(4) > 0 ? forged(random) : honest.clone();
      boolean isChanged = random.nextBoolean();
      if (isChanged) {
        change(bytes, random);
      }
      boolean isSigned = !isChanged || random.nextInt(8) > 0;
      byte[] written = isSigned ? signed(bytes) : bytes;
      long allocated = THREADS.getCurrentThreadAllocatedBytes();
      long began = THREADS.getCurrentThreadCpuTime();
      boolean isAnswered = answers(written);
      assertThat(THREADS.getCurrentThreadAllocatedBytes() - allocated)
          .as("round %d", round)
          .isLessThan(MOST_BYTES);
      assertThat(THREADS.getCurrentThreadCpuTime() - began)
          .as("round %d", round)
          .isLessThan(MOST_CPU_NANOS);
      answered += isAnswered ? 1 : 0;
    }
    return answered;
  }

  /** Whether it answers; any exception but the documented ones fails the test. */
  private boolean answers(byte[] bytes) throws IOException {
    ParquetIndex index;
    try {
      index = read(bytes);
    } catch (FilterFormatException refused) {
      assertThat(refused.offset()).isBetween(0L, (long) bytes.length);
      return false;
    }
    VALUES.forEach(value -> ask(index, value)); // before the files that do not exist are forgotten
    use(index);
    ParquetIndex.Changes changes;
    try {
      changes = index.refresh();
    } catch (IOException noSuchFolder) {
      return false;
    }
    VALUES.forEach(value -> ask(index, value));
    use(index);
    for (Path read : changes.read()) {
      for (int i = 0; i < FILES; i++) {
        List<Path> found = ask(index, first(i) + 17);
        if (read.endsWith(part(i).getFileName()) && found != null) {
          assertThat(found).contains(read);
        }
      }
    }
    return true;
  }

  private ParquetIndex read(byte[] bytes) throws IOException {
    return IndexCodec.read(file, new ByteArrayInputStream(bytes), bytes.length);
  }

  /** The candidates; null if no type of the column has the value. */
  private static List<Path> ask(ParquetIndex index, Object value) {
    try {
      return index.indexedCandidates(value);
    } catch (IllegalArgumentException refused) {
      return null;
    }
  }

  /** Does what the command line does with an index; the written index can be read. */
  private void use(ParquetIndex index) throws IOException {
    assertThat(index.expectedFiles()).isBetween(0.0, (double) index.files().size());
    assertThat(index.highestFpp()).isBetween(0.0, 1.0);
    assertThat(index.filesAboveFpp()).isBetween(0L, (long) index.files().size());
    assertThat(index.types()).hasSizeLessThanOrEqualTo(index.files().size());
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    IndexCodec.write(index, file, out);
    assertThat(read(out.toByteArray()).files()).isEqualTo(index.files());
  }

  private static void change(byte[] bytes, SplittableRandom random) {
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      int place = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(120, bytes.length));
      bytes[place] = (byte) (random.nextBoolean() ? random.nextInt() : 1 << random.nextInt(8));
    }
  }

  /** The same bytes with the checksum that belongs to them. */
  private static byte[] signed(byte[] bytes) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes, 0, bytes.length - 4);
    ByteBuffer.wrap(bytes)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(bytes.length - 4, (int) checksum.getValue());
    return bytes;
  }

  /** The fields of an index; most of them are right, so that some indexes are read to their end. */
  private byte[] forged(SplittableRandom random) {
    Index index = new Index();
    index.text(rarely(random) ? pick(random, "", "x".repeat(5_000), "\u0000", "ID") : "id");
    index.real(
        rarely(random)
            ? pick(random, Double.NaN, 0.0, 1.0, -1.0, Double.POSITIVE_INFINITY)
            : pick(random, 0.01, Double.MIN_VALUE, Math.nextDown(1.0)));
    int roots = 1 + random.nextInt(3);
    index.int32(rarely(random) ? pick(random, 0, -1, 1 << 30, roots + 1) : roots);
    for (int i = 0; i < roots; i++) {
      index.text(
          rarely(random)
              ? pick(
                  random,
                  "data/..",
                  "../c/data",
                  "nothing",
                  "/dev/null",
                  "ids.index",
                  "x/".repeat(3_000) + "../".repeat(3_000),
                  "\u0000",
                  "y".repeat(70_000))
              : pick(random, "data", "data", "", "..", "data/part-0.parquet"));
    }
    List<Path> known = new ArrayList<>(parts.keySet());
    int files = random.nextInt(6);
    index.int32(rarely(random) ? pick(random, 0, -1, 1 << 30, files + 1) : files);
    for (int i = 0; i < files; i++) {
      Path path = known.get(random.nextInt(FILES));
      BasicFileAttributes now = parts.get(path);
      index.text(
          rarely(random)
              ? pick(random, "", "..", "data/gone.parquet", "/", "data/../x", "\ufffd")
              : folder.relativize(path).toString());
      index.int64(rarely(random) ? pick(random, -1L, 0L, Long.MAX_VALUE) : now.size());
      long time = now.lastModifiedTime().to(TimeUnit.NANOSECONDS);
      index.int64(rarely(random) ? pick(random, -1L, 0L, Long.MIN_VALUE) : time);
      boolean hasFilter = random.nextInt(4) > 0;
      index.out.write(hasFilter ? 1 + random.nextInt(2) : 0);
      if (hasFilter) {
        forgeFilter(index, random);
      }
    }
    return index.bytes();
  }

  private static void forgeFilter(Index index, SplittableRandom random) {
    ColumnType.Physical physical = pick(random, ColumnType.Physical.values());
    ColumnType.Meaning meaning = pick(random, ColumnType.Meaning.values());
    boolean hasLength = physical == ColumnType.Physical.FIXED_LEN_BYTE_ARRAY;
    boolean hasScale = meaning == ColumnType.Meaning.DECIMAL;
    index.text(rarely(random) ? pick(random, "", "INT33", "int32") : physical.name());
    index.text(rarely(random) ? pick(random, "", "MONEY") : meaning.name());
    index.int32(
        rarely(random)
            ? pick(random, -1, 0, 7)
            : hasLength ? pick(random, 1, 16, 1 << 16, Integer.MAX_VALUE) : 0);
    index.int32(
        rarely(random)
            ? pick(random, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 15)
            : hasScale ? pick(random, 0, 2, -1, -32_768, 32_767) : 0);
    int blocks = 1 + random.nextInt(8);
    index.int32(
        rarely(random)
            ? pick(random, 0, -1, blocks + 1, Integer.MAX_VALUE, (Integer.MAX_VALUE / 32) + 1)
            : blocks);
    byte fill = pick(random, (byte) 0, (byte) -1, (byte) 0x55);
    for (int i = 0; i < 32 * blocks; i++) {
      index.out.write(fill);
    }
  }

  private static boolean rarely(SplittableRandom random) {
    return random.nextInt(40) == 0;
  }

  @SafeVarargs
  private static <T> T pick(SplittableRandom random, T... some) {
    return some[random.nextInt(some.length)];
  }

  /** An index that is written field by field. */
  private static final class Index {
    final ByteArrayOutputStream out = new ByteArrayOutputStream();

    Index() {
      out.writeBytes(new byte[] {(byte) 0x89, 'B', 'L', 'P', 'Q', '\r', '\n', 0x1A});
      int32(1);
    }

    void int32(int value) {
      out.writeBytes(little(4).putInt(value).array());
    }

    void int64(long value) {
      out.writeBytes(little(8).putLong(value).array());
    }

    void real(double value) {
      out.writeBytes(little(8).putDouble(value).array());
    }

    void text(String text) {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      int32(bytes.length);
      out.writeBytes(bytes);
    }

    /** A file without filter. */
    void bareFile(String path) {
      text(path);
      int64(1);
      int64(1);
      out.write(0);
    }

    /** A file with an empty filter of one block. */
    void file(String path, ColumnType type) {
      text(path);
      int64(1);
      int64(1);
      out.write(1);
      text(type.physical().name());
      text(type.meaning().name());
      int32(type.length());
      int32(type.scale());
      int32(1);
      out.writeBytes(new byte[32]);
    }

    byte[] bytes() {
      int32(0);
      return signed(out.toByteArray());
    }

    private static ByteBuffer little(int bytes) {
      return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
  }

  /** An index of one folder, up to the number of its files. */
  private static Index withRoots(List<String> roots) {
    Index index = new Index();
    index.text("id");
    index.real(0.01);
    index.int32(roots.size());
    roots.forEach(index::text);
    return index;
  }

  /** The first takes seconds to normalize; no index has them, because paths are relative to it. */
  @Test
  void pathsThatGoUpAfterTheyWentDownAndAbsoluteOnesAreRefused() throws IOException {
    for (String path : List.of("x/".repeat(12_000) + "../".repeat(12_000), "/", "/data")) {
      Index index = withRoots(List.of(path));
      index.int32(0);
      assertThatThrownBy(() -> read(index.bytes())).isInstanceOf(FilterFormatException.class);
    }
  }

  @Test
  void anEmptyIndexIsRefused() throws IOException {
    Index index = withRoots(List.of());
    index.int32(1);
    index.bareFile("data/part-0.parquet");
    assertThatThrownBy(() -> read(index.bytes())).isInstanceOf(FilterFormatException.class);
  }

  /** Opening a pipe would block forever. */
  @Test
  void onlyFilesAndFoldersAreQueried() throws IOException {
    Path device = Path.of("/dev/null");
    Index index = withRoots(List.of(folder.relativize(device).toString()));
    index.int32(0);
    ParquetIndex read = read(index.bytes());
    assertThatThrownBy(read::refresh).isInstanceOf(IOException.class);
  }

  @Test
  void aFolderThatIsNamedOftenIsReadOnce() throws IOException {
    Index index = withRoots(IntStream.range(0, 100_000).mapToObj(i -> "data").toList());
    index.int32(0);
    ParquetIndex read = read(index.bytes());
    assertThat(read.roots()).hasSize(1);
    assertThat(read.refresh().read()).hasSize(FILES);
  }

  /** The given number of texts with equal hash codes. */
  private static List<String> colliding(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            number ->
                IntStream.range(0, 16)
                    .mapToObj(bit -> (number >> bit & 1) == 0 ? "Aa" : "BB")
                    .collect(Collectors.joining()))
        .toList();
  }

  /** Decimals whose length makes up for their scale in the hash code. */
  private static List<ColumnType> collidingTypes() {
    int inverse = BigInteger.valueOf(31).modInverse(BigInteger.ONE.shiftLeft(32)).intValue();
    return IntStream.rangeClosed(Short.MIN_VALUE, Short.MAX_VALUE)
        .filter(scale -> -scale * inverse > 0)
        .limit(1 << 13)
        .mapToObj(
            scale ->
                new ColumnType(
                    ColumnType.Physical.FIXED_LEN_BYTE_ARRAY,
                    ColumnType.Meaning.DECIMAL,
                    -scale * inverse,
                    scale))
        .toList();
  }

  /** In a hash table each of these would be compared with all others. */
  @Test
  void equalHashCodesOfNamesAndTypesDoNotCostTheSquareOfTheirNumber() throws IOException {
    List<ColumnType> types = collidingTypes();
    int count = types.size();
    List<String> names = colliding(count);
    assertThat(names.stream().map(Path::of).mapToInt(Path::hashCode).distinct().count()).isOne();
    assertThat(types.stream().mapToInt(ColumnType::hashCode).distinct().count()).isOne();
    Index index = withRoots(names);
    index.int32(count);
    for (int i = 0; i < count; i++) {
      index.file(names.get(i), types.get(i));
    }
    byte[] bytes = index.bytes();
    long began = THREADS.getCurrentThreadCpuTime();
    ParquetIndex read = read(bytes);
    assertThat(read.types()).hasSize(count);
    assertThat(read.indexedCandidates("12.50")).isNotNull();
    assertThat(read.refresh().gone()).hasSize(count);
    assertThat(THREADS.getCurrentThreadCpuTime() - began).isLessThan(MOST_CPU_NANOS);
  }

  @Test
  void anUnchangedIndexAnswers() throws IOException {
    assertThat(answers(honest)).isTrue();
    assertThat(signed(honest.clone())).isEqualTo(honest);
  }
}
