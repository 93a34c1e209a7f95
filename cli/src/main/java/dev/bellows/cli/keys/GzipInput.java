package dev.bellows.cli.keys;

import dev.bellows.cli.console.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * The text of a gzip file of one or more members (RFC 1952). Unlike {@code GZIPInputStream} it
 * refuses other bytes after the last member, zeros excepted, and names the file that is damaged.
 */
final class GzipInput extends InputStream {
  private static final int FIRST = 0x1f;
  private static final int SECOND = 0x8b;
  private static final int DEFLATE = 8;
  private static final int HEADER_CHECKSUM = 2;
  private static final int EXTRA = 4;
  private static final int NAME = 8;
  private static final int COMMENT = 16;
  private static final String WAY_OUT = "; fetch or compress it again";

  private final InputStream in;
  private final String name;
  private final Inflater inflater = new Inflater(true);
  private final CRC32 crc = new CRC32();
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int limit;
  private boolean ended;

  /** Text of an input that begins with a gzip member. */
  GzipInput(InputStream in, String name) throws IOException {
    this.in = in;
    this.name = name;
    require(next() == FIRST && next() == SECOND, "it does not begin as gzip does");
    header();
    inflater.setInput(buffer, at, limit - at);
  }

  private boolean fill() throws IOException {
    if (at < limit) {
      return true;
    }
    at = 0;
    limit = Math.max(0, in.read(buffer));
    return limit > 0;
  }

  private int next() throws IOException {
    require(fill(), "its gzip data end too early");
    return buffer[at++] & 0xff;
  }

  private void skip(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      next();
    }
  }

  private void skipText() throws IOException {
    while (next() != 0) {
      continue;
    }
  }

  /** Reads what follows the two bytes of a member's mark. */
  private void header() throws IOException {
    require(next() == DEFLATE, "its gzip data are compressed in an unknown way");
    int flags = next();
    skip(6);
    if ((flags & EXTRA) != 0) {
      skip(next() | next() << 8);
    }
    if ((flags & NAME) != 0) {
      skipText();
    }
    if ((flags & COMMENT) != 0) {
      skipText();
    }
    if ((flags & HEADER_CHECKSUM) != 0) {
      skip(2);
    }
    inflater.reset();
    crc.reset();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!ended) {
      int count;
      try {
        count = inflater.inflate(into, from, length);
      } catch (DataFormatException e) {
        throw new CommandFailure(damaged("its gzip data cannot be decompressed"), e);
      }
      if (count > 0) {
        crc.update(into, from, count);
        return count;
      }
      if (inflater.finished()) {
        at = limit - inflater.getRemaining();
        endMember();
      } else {
        require(!inflater.needsDictionary(), "its gzip data need a dictionary");
        at = limit;
        require(fill(), "its gzip data end too early");
        inflater.setInput(buffer, 0, limit);
      }
    }
    return -1;
  }

  private void endMember() throws IOException {
    long sum = little();
    long bytes = little();
    require(
        sum == crc.getValue() && bytes == (inflater.getBytesWritten() & 0xffffffffL),
        "its gzip data do not match their checksum");
    while (fill() && buffer[at] == 0) {
      at++; // padding, as on tapes
    }
    if (!fill()) {
      ended = true;
      return;
    }
    if (next() != FIRST || next() != SECOND) {
      throw new CommandFailure(
          name
              + " has bytes after its gzip data that are not gzip: cut them off, or give the"
              + " output of gzip -dc if they do not matter");
    }
    header();
    inflater.setInput(buffer, at, limit - at);
  }

  private long little() throws IOException {
    long value = 0;
    for (int i = 0; i < 4; i++) {
      value |= (long) next() << (8 * i);
    }
    return value;
  }

  private void require(boolean holds, String problem) {
    if (!holds) {
      throw new CommandFailure(damaged(problem));
    }
  }

  private String damaged(String problem) {
    return name + " is damaged: " + problem + WAY_OUT;
  }

  @Override
  public int available() throws IOException {
    return !ended && (inflater.getRemaining() > 0 || in.available() > 0) ? 1 : 0;
  }

  @Override
  public void close() throws IOException {
    inflater.end();
    in.close();
  }
}
