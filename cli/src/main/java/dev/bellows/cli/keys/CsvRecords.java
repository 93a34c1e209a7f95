package dev.bellows.cli.keys;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.internal.base.Prose;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of CSV (RFC 4180): columns may be quoted, and then contain delimiters, line ends and
 * doubled quotes. A key is the content of one column, byte for byte; the record as it was read is
 * its line. Empty lines are skipped.
 *
 * <p>The parser works on characters. Every byte is passed to it as the character of the same
 * number, so that no encoding can change a key.
 */
final class CsvRecords implements LineFeed.Source {
  /** What the parser takes at a time; its own smallest buffer. */
  private static final int CHUNK = 1 << 14;

  private final String name;
  private final int maxLength;
  private final boolean skipsBad;
  private final Source source;
  private final Iterator<CsvRecord> records;
  private int column;

  /** The last record with its columns as they were written, without its line end. */
  private byte[] taken = {};

  /** The line of the input at which the bytes that were not taken yet begin. */
  private long line = 1;

  /** The records of an input, whose name is for messages. */
  CsvRecords(InputStream in, String name, LineFormat format) {
    this.name = name;
    this.maxLength = format.maxLength();
    this.skipsBad = format.skipsBad();
    this.source = new Source(in);
    this.records =
        parser(new String(format.delimiter(), StandardCharsets.ISO_8859_1))
            .build(CsvRecordHandler.of(CsvRecords::allow), source)
            .iterator();
    if (format.hasHeader()) {
      CsvRecord header = next();
      this.column = header == null ? 1 : format.column(texts(header), name);
    } else {
      this.column = format.column(List.of(), name);
    }
  }

  private static CsvReader.CsvReaderBuilder parser(String delimiter) {
    return CsvReader.builder()
        .fieldSeparator(delimiter)
        .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
        .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
        .allowUnclosedQuote(false)
        .maxBufferSize(Lines.MAX_LENGTH + 4 * CHUNK); // the source refuses long records before
  }

  /** The only limit is the length of a record. */
  private static void allow(CsvRecordHandler.CsvRecordHandlerBuilder limits) {
    limits
        .maxFields(Lines.MAX_LENGTH)
        .maxFieldSize(Lines.MAX_LENGTH)
        .maxRecordSize(Lines.MAX_LENGTH);
  }

  /** A column of a record, counted from 1. */
  static String column(String record, String delimiter, int wanted) {
    CsvRecord columns =
        parser(delimiter).ofSingleCsvRecord(CsvRecordHandler.of(CsvRecords::allow), record);
    if (columns.getFieldCount() < wanted) {
      throw new IllegalArgumentException(
          LineFormat.tooFew("record", columns.getFieldCount(), wanted, "--time-field"));
    }
    return columns.getField(wanted - 1);
  }

  private static List<String> texts(CsvRecord record) {
    return record.getFields().stream()
        .map(field -> new String(bytes(field), StandardCharsets.UTF_8))
        .toList();
  }

  private static byte[] bytes(String field) {
    return field.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  public boolean read(Lines lines) throws IOException {
    lines.beginRecords(name);
    try {
      do {
        CsvRecord record = next();
        if (record == null) {
          break;
        }
        if (record.getFieldCount() < column) {
          String place = name + ":" + record.getStartingLineNumber();
          String reason = LineFormat.tooFew("record", record.getFieldCount(), column, "--field");
          if (!skipsBad) {
            throw new Lines.Bad(place, reason, null);
          }
          lines.skip(place, reason);
          continue;
        }
        lines.addRecord(taken, bytes(record.getField(column - 1)), record.getStartingLineNumber());
      } while (lines.bytes() < Lines.USUAL_BYTES && !source.isIdle());
    } catch (CommandFailure e) {
      lines.failure = e;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return lines.count() > 0 || lines.skipped() > 0;
  }

  /** Returns the next record, whose bytes the source has then consumed; null at the end. */
  private @Nullable CsvRecord next() {
    try {
      if (!records.hasNext()) {
        return null;
      }
      CsvRecord record = records.next();
      take(record);
      return record;
    } catch (CsvParseException e) {
      Throwable reason = e.getCause() == null ? e : e.getCause();
      if (reason instanceof CommandFailure failure) {
        throw failure;
      }
      if (reason instanceof Error error) {
        throw error;
      }
      if (source.end - source.start > maxLength + CHUNK) {
        throw tooLong(line);
      }
      throw failure(
          line,
          "not CSV by RFC 4180: %s; quotes inside a quoted column are doubled"
              .formatted(reason.getMessage()));
    }
  }

  /** Takes the bytes of a record: empty lines before it, and one line more than its columns end. */
  private void take(CsvRecord record) {
    source.skipLines(record.getStartingLineNumber() - line);
    int from = source.start;
    long lines = 1;
    for (String field : record.getFields()) {
      lines += lineEnds(field);
    }
    source.skipLines(lines);
    line = record.getStartingLineNumber() + lines;
    if (source.start - from > maxLength) {
      throw tooLong(record.getStartingLineNumber());
    }
    taken = source.line(from);
  }

  private CommandFailure tooLong(long at) {
    return failure(
        at,
        Prose.format(
            "the record is longer than %,d bytes: is a quote not closed? if not, give a higher"
                + " --max-line",
            maxLength));
  }

  private CommandFailure failure(long at, String message) {
    return new CommandFailure(name + ":" + at + ": " + message);
  }

  private static long lineEnds(String field) {
    long ends = 0;
    for (int i = 0; i < field.length(); i++) {
      char c = field.charAt(i);
      boolean isPair = c == '\r' && i + 1 < field.length() && field.charAt(i + 1) == '\n';
      ends += c == '\n' || c == '\r' && !isPair ? 1 : 0;
    }
    return ends;
  }

  /** The bytes of the input, which are kept until the record that they belong to is known. */
  private final class Source extends Reader {
    private final InputStream in;
    private byte[] kept = new byte[2 * CHUNK];
    private int start;
    private int end;
    private boolean ended;

    Source(InputStream in) {
      this.in = in;
    }

    @Override
    public int read(char[] into, int from, int length) throws IOException {
      int most = Math.min(length, CHUNK);
      if (end - start > maxLength + 2L * CHUNK) {
        throw tooLong(line);
      }
      if (kept.length - end < most) {
        makeRoom(most);
      }
      int count = in.read(kept, end, most);
      if (count < 0) {
        ended = true;
        return -1;
      }
      for (int i = 0; i < count; i++) {
        into[from + i] = (char) (kept[end + i] & 0xff);
      }
      end += count;
      return count;
    }

    private void makeRoom(int most) {
      int length = end - start;
      byte[] next = length + most > kept.length / 2 ? new byte[2 * (length + most)] : kept;
      System.arraycopy(kept, start, next, 0, length);
      kept = next;
      start = 0;
      end = length;
    }

    /** Takes the bytes up to the end of a number of lines. */
    void skipLines(long lines) {
      for (long left = lines; left > 0 && start < end; start++) {
        boolean isPair = kept[start] == '\r' && start + 1 < end && kept[start + 1] == '\n';
        left -= kept[start] == '\n' || kept[start] == '\r' && !isPair ? 1 : 0;
      }
    }

    /** Returns the bytes from a position to those that were not taken yet, without a line end. */
    byte[] line(int from) {
      boolean hasEnd = start > from && (kept[start - 1] == '\n' || kept[start - 1] == '\r');
      return Arrays.copyOfRange(kept, from, hasEnd ? start - 1 : start);
    }

    /** Whether nothing is left that could be parsed without waiting. */
    boolean isIdle() throws IOException {
      return start == end && !ended && in.available() == 0;
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
