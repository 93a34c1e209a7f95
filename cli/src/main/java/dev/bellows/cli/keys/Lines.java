package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import dev.bellows.internal.base.Prose;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Some lines of an input, or the keys in them, as ranges of one buffer. {@link Reader} fills it
 * again and again.
 */
public final class Lines {
  /** Small enough that the bytes, the ranges and the hashes fit into the cache of a core. */
  static final int USUAL_BYTES = 1 << 16;

  /** The longest line that a buffer can hold. */
  static final int MAX_LENGTH = 1 << 30;

  private byte[] buffer = new byte[USUAL_BYTES];
  private int[] from = new int[1 << 10];
  private int[] to = new int[1 << 10];
  private int[] lineFrom = new int[1 << 10];
  private int[] lineTo = new int[1 << 10];

  /** The number of each line in its file; that of a record is the number of its first line. */
  private long[] numbers = new long[1 << 10];

  private int count;
  private int bytes;
  private long[] codes = {};
  private String file = "";

  /** What ends the input after these lines; null if nothing does. */
  @Nullable CommandFailure failure;

  /** The first key that begins with a quote although quotes mean nothing; negative if none does. */
  private int quoted = -1;

  /** The number of lines that were skipped because they hold no key. */
  private int skipped;

  /** The place of the first of them, and what is wrong with it. */
  private String whySkipped = "";

  /** One key is refused; those before it were not. */
  public static final class Refused extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final int index;

    /** Refuses the key with an index, for the reason that an exception names. */
    public Refused(int index, IllegalArgumentException reason) {
      super(reason.getMessage(), reason);
      this.index = index;
    }

    /** Returns the index of the key in its group. */
    public int index() {
      return index;
    }
  }

  /** A line that holds no key, or whose key was refused, ends the input. */
  public static final class Bad extends CommandFailure {
    private static final long serialVersionUID = 1L;

    Bad(String place, String reason, @Nullable Throwable cause) {
      super(place + ": " + reason, cause);
    }
  }

  /** A query for one key, given by its bytes. */
  @FunctionalInterface
  public interface Test {
    /** Returns whether it holds for the key. */
    boolean test(byte[] buffer, int from, int length);
  }

  /** Queries the keys of lines. */
  @FunctionalInterface
  public interface Query {
    /**
     * Writes the answer for each of the lines to its index of {@code hits}.
     *
     * @throws Refused if one cannot be queried; the answers before it are written
     */
    void ask(Lines lines, boolean[] hits) throws IOException;

    /** Queries one after the other. */
    static Query each(Test test) {
      return (lines, hits) ->
          countIf(
              0,
              lines.count,
              i -> hits[i] = test.test(lines.buffer, lines.from[i], lines.length(i)));
    }
  }

  /**
   * Returns for how many indices of keys in {@code [from, to)} a test holds.
   *
   * @throws Refused if the test refuses a key
   */
  static int countIf(int from, int to, IntPredicate test) {
    int count = 0;
    for (int i = from; i < to; i++) {
      try {
        count += test.test(i) ? 1 : 0;
      } catch (IllegalArgumentException e) {
        throw new Refused(i, e);
      }
    }
    return count;
  }

  /** Does something with each of the first keys; an IllegalArgumentException refuses one. */
  static void each(int count, IntConsumer action) {
    countIf(
        0,
        count,
        i -> {
          action.accept(i);
          return true;
        });
  }

  /** Keys that are not lines. */
  public static Lines of(List<byte[]> keys) {
    Lines lines = new Lines();
    keys.forEach(key -> lines.addRecord(new byte[0], key, 0));
    return lines;
  }

  byte[] buffer() {
    return buffer;
  }

  public int count() {
    return count;
  }

  int length(int index) {
    return to[index] - from[index];
  }

  /** Returns how many bytes were read for them. */
  int bytes() {
    return bytes;
  }

  /** Returns how many lines were skipped because they hold no key. */
  public int skipped() {
    return skipped;
  }

  /** Returns the place of the first line that was skipped, and what is wrong with it. */
  public String whySkipped() {
    return whySkipped;
  }

  /** Counts a line that is skipped. */
  void skip(String place, String reason) {
    if (skipped++ == 0) {
      whySkipped = place + ": " + reason;
    }
  }

  /** File and number of a line, for messages. */
  public String place(int index) {
    return file + ":" + numbers[index];
  }

  /** Returns the key as text. */
  public String text(int index) {
    return new String(buffer, from[index], length(index), StandardCharsets.UTF_8);
  }

  /** Returns the whole line of a key as text. */
  public String wholeText(int index) {
    int length = lineTo[index] - lineFrom[index];
    return new String(buffer, lineFrom[index], length, StandardCharsets.UTF_8);
  }

  /** A column of the whole line of a key, as text. */
  String columnText(int index, byte[] delimiter, int wanted) {
    int start = columnFrom(delimiter, wanted, lineFrom[index], lineTo[index]);
    if (start < 0) {
      throw new IllegalArgumentException(LineFormat.tooFew("line", -start, wanted, "--time-field"));
    }
    int end = find(delimiter, start, lineTo[index]);
    return new String(buffer, start, end - start, StandardCharsets.UTF_8);
  }

  /**
   * Where a column of a range of the buffer begins; if the range has too few, minus the number that
   * it has.
   */
  private int columnFrom(byte[] delimiter, int wanted, int start, int end) {
    int column = start;
    for (int before = 1; before < wanted; before++) {
      int columnEnd = find(delimiter, column, end);
      if (columnEnd == end) {
        return -before;
      }
      column = columnEnd + delimiter.length;
    }
    return column;
  }

  /** Passes the codes of all keys. */
  public void pass(KeyCode code, boolean longs, KeyCode.Group group) throws IOException {
    pass(code, longs, null, group);
  }

  /**
   * Passes the codes of the keys.
   *
   * @param longs whether keys are decimal longs
   * @param test keys that do not pass it are left out; null for none
   * @throws Refused if a line does not hold a key, after the codes of those before it were passed
   */
  void pass(KeyCode code, boolean longs, @Nullable Test test, KeyCode.Group group)
      throws IOException {
    if (codes.length < count) {
      codes = new long[Math.max(count, 2 * codes.length)];
    }
    Refused refusal = null;
    int passed = 0;
    for (int i = 0; i < count && refusal == null; i++) {
      try {
        if (test == null || test.test(buffer, from[i], length(i))) {
          codes[passed] =
              longs
                  ? code.of(parseLong(buffer, from[i], to[i]))
                  : code.of(buffer, from[i], length(i));
          passed++;
        }
      } catch (IllegalArgumentException e) {
        refusal = new Refused(i, e);
      }
    }
    group.accept(codes, passed);
    if (refusal != null) {
      throw refusal;
    }
  }

  /**
   * Narrows each key to one column of its line; one with too few columns is skipped, or ends the
   * lines.
   */
  private void pickColumn(byte[] delimiter, int wanted, boolean skipsBad) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int column = columnFrom(delimiter, wanted, from[i], to[i]);
      if (column < 0) {
        String reason = LineFormat.tooFew("line", -column, wanted, "--field");
        if (skipsBad) {
          skip(place(i), reason);
          continue;
        }
        failure = new Bad(place(i), reason, null);
        break;
      }
      from[i] = column;
      to[i] = find(delimiter, column, to[i]);
      if (quoted < 0 && column < to[i] && buffer[column] == '"') {
        quoted = kept;
      }
      move(i, kept++);
    }
    count = kept;
  }

  /** Skips the lines whose key is not a decimal long. */
  void skipAllButLongs() {
    int kept = 0;
    for (int i = 0; i < count; i++) {
      try {
        parseLong(buffer, from[i], to[i]);
        move(i, kept++);
      } catch (NumberFormatException e) {
        skip(place(i), String.valueOf(e.getMessage()));
      }
    }
    count = kept;
  }

  private void move(int index, int to) {
    numbers[to] = numbers[index];
    from[to] = from[index];
    this.to[to] = this.to[index];
    lineFrom[to] = lineFrom[index];
    lineTo[to] = lineTo[index];
  }

  /** Drops the first line. */
  private void dropFirst() {
    count--;
    System.arraycopy(numbers, 1, numbers, 0, count);
    System.arraycopy(from, 1, from, 0, count);
    System.arraycopy(to, 1, to, 0, count);
    System.arraycopy(lineFrom, 1, lineFrom, 0, count);
    System.arraycopy(lineTo, 1, lineTo, 0, count);
  }

  /**
   * The place of a column that begins with a quote, for messages; null if none of these lines has
   * one.
   */
  @Nullable String quotedPlace() {
    return quoted < 0 ? null : place(quoted);
  }

  /** Forgets its lines; records of a file follow. */
  void beginRecords(String newFile) {
    begin(newFile, new byte[0], 0);
  }

  /**
   * Adds a record.
   *
   * @param record its bytes as they were read
   * @param key the content of the column that is the key
   * @param number the number of its first line
   */
  void addRecord(byte[] record, byte[] key, long number) {
    int recordFrom = count == 0 ? 0 : to[count - 1];
    while (buffer.length - recordFrom < record.length + key.length) {
      widen();
    }
    int keyFrom = recordFrom + record.length;
    System.arraycopy(record, 0, buffer, recordFrom, record.length);
    System.arraycopy(key, 0, buffer, keyFrom, key.length);
    add(keyFrom, keyFrom + key.length, keyFrom, number);
    lineFrom[count - 1] = recordFrom;
    bytes += record.length + 1;
  }

  /** Where the delimiter begins in a range of the buffer; the end of the range if it does not. */
  private int find(byte[] delimiter, int start, int end) {
    for (int i = start; i <= end - delimiter.length; i++) {
      if (buffer[i] == delimiter[0]
          && Arrays.equals(buffer, i, i + delimiter.length, delimiter, 0, delimiter.length)) {
        return i;
      }
    }
    return end;
  }

  /** Forgets its lines and begins with the first bytes of one of a file. */
  private void begin(String newFile, byte[] pending, int length) {
    if (buffer.length > USUAL_BYTES && length < USUAL_BYTES) {
      buffer = new byte[USUAL_BYTES];
    }
    while (buffer.length <= length) {
      widen();
    }
    System.arraycopy(pending, 0, buffer, 0, length);
    file = newFile;
    count = 0;
    bytes = 0;
    quoted = -1;
    skipped = 0;
    failure = null;
  }

  /** Adds a key that begins its line; the line itself may end in a carriage return behind it. */
  private void add(int keyFrom, int keyTo, int newLineTo, long number) {
    if (count == from.length) {
      from = Arrays.copyOf(from, 2 * count);
      to = Arrays.copyOf(to, 2 * count);
      lineFrom = Arrays.copyOf(lineFrom, 2 * count);
      lineTo = Arrays.copyOf(lineTo, 2 * count);
      numbers = Arrays.copyOf(numbers, 2 * count);
    }
    from[count] = keyFrom;
    lineFrom[count] = keyFrom;
    lineTo[count] = newLineTo;
    numbers[count] = number;
    to[count++] = keyTo;
  }

  /** Makes the buffer twice as large. */
  void widen() {
    buffer = Arrays.copyOf(buffer, (int) Math.min(2L * buffer.length, Integer.MAX_VALUE - 8));
  }

  /**
   * Returns the long that the bytes write in decimal; spaces around it do not count.
   *
   * @throws NumberFormatException if they write something else
   */
  public static long parseLong(byte[] buffer, int from, int to) {
    int first = from;
    int end = to;
    while (first < end && buffer[first] == ' ') {
      first++;
    }
    while (end > first && buffer[end - 1] == ' ') {
      end--;
    }
    int i = first;
    boolean negative = i < end && buffer[i] == '-';
    if (negative || (i < end && buffer[i] == '+')) {
      i++;
    }
    if (i == end) {
      throw refused(buffer, from, to);
    }
    // negative numbers reach one further than positive ones, so the sum is kept below zero
    long limit = negative ? Long.MIN_VALUE : -Long.MAX_VALUE;
    long sum = 0;
    for (; i < end; i++) {
      int digit = buffer[i] - '0';
      if (digit < 0 || digit > 9 || sum < limit / 10 || sum * 10 < limit + digit) {
        throw refused(buffer, from, to);
      }
      sum = sum * 10 - digit;
    }
    return negative ? sum : -sum;
  }

  private static NumberFormatException refused(byte[] buffer, int from, int to) {
    String text = new String(buffer, from, Math.min(to - from, 200), StandardCharsets.UTF_8);
    return new NumberFormatException(
        Prose.quote(text)
            + " is not a decimal long (keys are read as longs where the filter's file says so, or"
            + " with --longs or --key-type long)");
  }

  /**
   * Cuts an input into lines of bytes, up to a limit of their length, without their ends ({@code
   * \n} or {@code \r\n}); a last line needs no end. It holds little more than one line of that
   * length, however long a line of the input is. A key is its line, or a column of it.
   */
  static final class Reader implements LineFeed.Source {
    private static final VarHandle WORDS =
        MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final long NEWLINES = 0x0a0a0a0a0a0a0a0aL;
    private static final long ALL_BUT_TOPS = 0x7f7f7f7f7f7f7f7fL;

    private final InputStream in;
    private final String name;
    private final LineFormat format;

    /** The column of the keys, counted from 1; 0 for whole lines. */
    private int column;

    /** How many lines were read. */
    private long before;

    /** The incomplete line after the last complete one. */
    private byte[] pending = {};

    private int pendingLength;
    private int lineFrom;
    private boolean ended;
    private boolean stopped;

    /** The lines of an input, whose name is for messages. */
    Reader(InputStream in, String name, LineFormat format) {
      this.in = in;
      this.name = name;
      this.format = format;
      this.column = format.hasHeader() ? 0 : format.column(List.of(), name);
    }

    @Override
    public boolean read(Lines lines) throws IOException {
      boolean isFirst = before == 0;
      lines.begin(name, pending, stopped ? 0 : pendingLength);
      boolean hasLines = fill(lines);
      if (format.hasHeader() && hasLines && isFirst) {
        String delimiter = Pattern.quote(new String(format.delimiter(), StandardCharsets.UTF_8));
        column = format.column(List.of(lines.text(0).split(delimiter, -1)), name);
        lines.dropFirst();
      }
      if (column > 0) {
        lines.pickColumn(format.delimiter(), column, format.skipsBad());
      }
      if (stopped && lines.failure == null) {
        lines.failure =
            new CommandFailure(
                "%s:%d: the line is longer than %,d bytes: is it a file of keys, one per line? if"
                    + " so, give a higher --max-line",
                name, before + 1, format.maxLength());
      }
      return hasLines;
    }

    /**
     * Reads lines until the buffer is full or no more input is available, so that a user who types
     * a line gets an answer; false if there is none left, or the next one is too long.
     */
    private boolean fill(Lines lines) throws IOException {
      int filled = pendingLength;
      lineFrom = 0;
      while (!ended && !stopped) {
        if (filled == lines.buffer.length) {
          if (lines.count > 0) {
            break;
          }
          lines.widen();
        }
        int read = in.read(lines.buffer, filled, lines.buffer.length - filled);
        if (read <= 0) {
          ended = true;
          break;
        }
        lines.bytes += read;
        cut(lines, filled, filled + read);
        filled += read;
        stopped |= filled - lineFrom > format.maxLength() + 1; // the byte after the last may be \r
        if (lines.count > 0 && filled < lines.buffer.length && !hasMore()) {
          break;
        }
      }
      keep(lines, filled);
      return lines.count > 0;
    }

    private boolean hasMore() {
      try {
        return in.available() > 0;
      } catch (IOException e) {
        return false; // some devices do not report it
      }
    }

    /** The rest after the last complete line is kept for the next call; at the end it is a line. */
    private void keep(Lines lines, int filled) {
      if (stopped) {
        return;
      }
      pendingLength = filled - lineFrom;
      if (ended && pendingLength > 0) {
        addLine(lines, filled);
        pendingLength = 0;
        return;
      }
      if (pending.length < pendingLength) {
        pending = new byte[Math.max(2 * pending.length, pendingLength)];
      }
      System.arraycopy(lines.buffer, lineFrom, pending, 0, pendingLength);
    }

    /** Adds the lines that end in the range: eight bytes at a time are searched for line ends. */
    private void cut(Lines lines, int searchFrom, int searchTo) {
      byte[] buffer = lines.buffer;
      int i = searchFrom;
      for (; i <= searchTo - Long.BYTES; i += Long.BYTES) {
        long word = (long) WORDS.get(buffer, i) ^ NEWLINES;
        // the top bit of every byte that is zero, and no other
        long ends = ~(((word & ALL_BUT_TOPS) + ALL_BUT_TOPS) | word | ALL_BUT_TOPS);
        while (ends != 0) {
          addLine(lines, i + (Long.numberOfTrailingZeros(ends) >>> 3));
          ends &= ends - 1;
        }
      }
      for (; i < searchTo; i++) {
        if (buffer[i] == '\n') {
          addLine(lines, i);
        }
      }
    }

    private void addLine(Lines lines, int end) {
      boolean hasReturn = end > lineFrom && lines.buffer[end - 1] == '\r';
      int keyEnd = hasReturn ? end - 1 : end;
      stopped |= keyEnd - lineFrom > format.maxLength();
      if (!stopped) {
        lines.add(lineFrom, keyEnd, end, ++before);
        lineFrom = end + 1;
      }
    }
  }

  /** Lines to print, put together so that they are written at once. */
  public static final class Page extends ByteArrayOutputStream {
    /** Adds one of the keys and a line end. */
    public void add(Lines lines, int index) {
      add(lines.buffer, lines.from[index], lines.to[index]);
    }

    /** Adds the whole line of one of the keys, as it was read, and its end. */
    public void addWhole(Lines lines, int index) {
      add(lines.buffer, lines.lineFrom[index], lines.lineTo[index]);
    }

    /** Replaces the line end that was added last by a text and a line end. */
    public void append(String text) {
      count--;
      writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    private void add(byte[] buffer, int from, int to) {
      int size = to - from;
      if (buf.length - count <= size) {
        buf = Arrays.copyOf(buf, Math.max(2 * buf.length, Math.addExact(count, size + 1)));
      }
      System.arraycopy(buffer, from, buf, count, size);
      count += size;
      buf[count++] = '\n';
    }
  }
}
