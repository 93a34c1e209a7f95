package dev.bellows.internal.bits;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The bits of a mapped file, read-only.
 *
 * <p>Each piece of 1 MiB is checked when it is first accessed. An array of bytes, written without
 * locks, records which pieces were checked: if two threads access a new piece at the same time,
 * both check it, and a thread that does not see the other's record yet checks it again. When all
 * pieces are checked, kernels read {@link MappedWords}, which has no checks. Closing the store
 * erases the records, so the next query runs the check, which throws; this costs an open store
 * nothing.
 *
 * <p>A read past the end of a file that was truncated in place raises a signal, which the JVM turns
 * into an InternalError at some later point: a safepoint, a call that is not linked yet, a slow
 * allocation. Until then, the word that was read is undefined. Therefore every operation that reads
 * many words ends with {@link #confirm}, every single query reads {@link #certain} words, and both
 * are called <em>inside</em> the block that catches the InternalError, because the error might
 * otherwise be thrown by the first statement after the block. When a thread leaves the block,
 * either it has seen the whole file after the last read, and no fault is pending, or the fault has
 * been delivered ({@link PendingFault}). Checksums are computed from a copy on the heap, because
 * the JVM crashes if that signal is raised inside its own checksum code.
 */
public final class MappedBits extends BitStore {
  /** The maximum number of bits of a file: 8 TiB. */
  public static final long MAX_BITS = 1L << 46;

  /** The number of bytes of a piece. */
  public static final int PIECE_BYTES = 1 << 20;

  private static final int PIECE_SHIFT = 17;
  private static final int PIECE_WORDS = 1 << PIECE_SHIFT;
  private static final int CHUNK_BYTES = 1 << 16;

  /** A word that could not be copied. */
  private static final long LOST = -1;

  /** Per thread, because queries must not allocate. */
  private static final ThreadLocal<HeapBits> COPY =
      ThreadLocal.withInitial(() -> HeapBits.over(512, new long[8], 0));

  private final MappedFile file;
  private final long start;
  private final MappedWords words;
  private final int[] checksums;
  private final int zeros;
  private final byte[] checked;
  private final long lastByte;
  private volatile long ones = -1;

  /**
   * All words, once every piece was checked; null before that, and after closing. The field is not
   * volatile: a thread that does not see the value yet uses the path with checks.
   */
  private @Nullable MappedWords whole;

  /**
   * The approximate number of checks, which determines when to test whether every piece was
   * checked. Concurrent increments may be lost.
   */
  private int checks;

  private MappedBits(
      long bits, MappedFile file, long start, MappedWords words, int[] checksums, int zeros) {
    super(bits);
    this.file = file;
    this.start = start;
    this.words = words;
    this.checksums = checksums;
    this.zeros = zeros;
    this.lastByte = words.lastByte();
    this.checked = new byte[(int) (((wordCount() - 1) >>> PIECE_SHIFT) + 1)];
    if (checksums.length == 0) {
      Arrays.fill(checked, (byte) 1);
      whole = words;
    }
  }

  /** Returns the bits of a file without checksums, in whole words starting at an offset. */
  public static MappedBits map(MappedFile file, long start, long bits, ByteOrder order)
      throws IOException {
    return new MappedBits(bits, file, start, file.map(start, bits, order), new int[0], 0);
  }

  /**
   * Returns the bits of a file, in whole little-endian words starting at an offset.
   *
   * @param checksums the CRC32C of each piece
   * @param zeros the number of zero bytes after the last word that the last checksum includes
   */
  public static MappedBits map(MappedFile file, long start, long bits, int[] checksums, int zeros)
      throws IOException {
    MappedWords words = file.map(start, bits, ByteOrder.LITTLE_ENDIAN);
    return new MappedBits(bits, file, start, words, checksums, zeros);
  }

  /**
   * Returns the words themselves if every piece was checked and the store is open; otherwise this
   * store.
   */
  @Override
  public Words direct() {
    MappedWords now = whole;
    return now != null ? now : this;
  }

  /** Returns the segment of a word, after checking its piece. */
  private LongBuffer segment(long index) {
    requireChecked(index);
    return words.segment(index);
  }

  /** Checks the piece of a word when it is first accessed. */
  private void requireChecked(long index) {
    int piece = (int) (index >>> PIECE_SHIFT);
    if (checked[piece] == 0) {
      check(piece);
    }
  }

  @Override
  public long word(long index) {
    return segment(index).get(MappedWords.place(index));
  }

  /**
   * {@inheritDoc} A word of a truncated file is gone, or it was zeroed from some byte to its end,
   * because it is behind the new end in the last page. The words are copied over ones, so a word
   * that is neither all ones nor ends with a zero byte is what the file contained.
   */
  @Override
  public HeapBits certain(long from, int count) {
    HeapBits copy = COPY.get();
    if (count > copy.wordCount()) {
      copy = HeapBits.over((long) count << 6, new long[count], 0);
      COPY.set(copy);
    }
    long[] copied = copy.array();
    Arrays.fill(copied, 0, count, LOST);
    int length;
    for (int done = 0; done < count; done += length) {
      requireChecked(from + done);
      length = toBorder(from + done, count - done);
      words.copy(from + done, copied, done, length);
    }
    boolean isLost = false;
    boolean isCut = false;
    for (int i = 0; i < count; i++) {
      isLost |= copied[i] == LOST;
      isCut |= (copied[i] & lastByte) == 0;
    }
    if (isLost) {
      for (int i = 0; i < count; i++) {
        requireRead(from + i, copied[i]);
      }
    }
    if (isCut) {
      file.requireNotCut(start + ((from + count) << 3));
    }
    return copy;
  }

  /** Like {@link #certain}, for one word. */
  private long certain(long index) {
    long[] copied = COPY.get().array();
    copied[0] = LOST;
    requireChecked(index);
    words.copy(index, copied, 0, 1);
    long word = copied[0];
    requireRead(index, word);
    if ((word & lastByte) == 0) {
      file.requireNotCut(start + ((index + 1) << 3));
    }
    return word;
  }

  /** Throws if a word was not copied: it is all ones, and copying it over zeros does not set it. */
  private void requireRead(long index, long word) {
    if (word == LOST) {
      long[] again = new long[1];
      words.copy(index, again, 0, 1);
      if (again[0] != LOST) {
        file.reportFault();
      }
    }
  }

  @Override
  public boolean isSet(long position) {
    return (certain(position >>> 6) >>> position & 1) != 0;
  }

  /** Compares a piece with its checksum. */
  private void check(int piece) {
    file.requireOpen();
    if (checksums.length > 0 && checksum(piece) != checksums[piece]) {
      file.requireWhole();
      throw file.broken(
          start + (long) piece * PIECE_BYTES,
          "%s does not match the checksum of its bytes from %d on");
    }
    file.requireWhole();
    checked[piece] = 1;
    if (++checks >= checked.length && allChecked()) {
      whole = words;
    }
    if (file.isClosed()) {
      forget();
      file.requireOpen();
    }
  }

  private boolean allChecked() {
    for (byte piece : checked) {
      if (piece == 0) {
        return false;
      }
    }
    return true;
  }

  /** Erases the records of checked pieces, so that the next query runs a check. */
  private void forget() {
    Arrays.fill(checked, (byte) 0);
    whole = null;
  }

  private int checksum(int piece) {
    long first = (long) piece << PIECE_SHIFT;
    ByteBuffer bytes = words.bytes(first);
    int from = 8 * MappedWords.place(first);
    int length = 8 * (int) Math.min(PIECE_WORDS, wordCount() - first);
    byte[] chunk = new byte[Math.min(CHUNK_BYTES, length)];
    CRC32C crc = new CRC32C();
    for (int done = 0; done < length; done += chunk.length) {
      int count = Math.min(chunk.length, length - done);
      bytes.get(from + done, chunk, 0, count);
      crc.update(chunk, 0, count);
    }
    if (piece == checksums.length - 1) {
      crc.update(new byte[zeros], 0, zeros);
    }
    return (int) crc.getValue();
  }

  @Override
  public void copyTo(long from, long[] into, int at, int count) {
    for (int done = 0; done < count; ) {
      long index = from + done;
      int length = toBorder(index, count - done);
      segment(index).get(MappedWords.place(index), into, at + done, length);
      done += length;
    }
  }

  @Override
  public void orTo(long from, long[] into, int at, int count) {
    for (int done = 0; done < count; ) {
      long index = from + done;
      int length = toBorder(index, count - done);
      LongBuffer segment = segment(index);
      for (int i = 0, place = MappedWords.place(index); i < length; i++) {
        into[at + done + i] |= segment.get(place + i);
      }
      done += length;
    }
  }

  /**
   * Returns how many of the words starting at an index are in its piece, and therefore in its
   * segment.
   */
  private static int toBorder(long index, int count) {
    return Math.min(count, PIECE_WORDS - ((int) index & (PIECE_WORDS - 1)));
  }

  /** Returns the number of one bits, which is computed once, because the bits do not change. */
  @Override
  public long ones() {
    file.requireOpen();
    long known = ones;
    if (known < 0) {
      known = super.ones();
      ones = known;
    }
    return known;
  }

  @Override
  public <T> T reading(Supplier<T> operation) {
    try {
      try {
        return operation.get();
      } finally {
        confirm();
      }
    } catch (InternalError e) {
      throw fault(e);
    }
  }

  @Override
  public void confirm() {
    file.requireWhole();
  }

  @Override
  public RuntimeException fault(InternalError fault) {
    return file.truncated(fault);
  }

  @Override
  public boolean isStale() {
    return file.isStale();
  }

  @Override
  public void verify() throws IOException {
    try {
      reading(this::checkAll);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private int checkAll() {
    for (int piece = 0; piece < checked.length; piece++) {
      check(piece);
    }
    return checked.length;
  }

  @Override
  public void close() {
    file.close();
    forget();
  }
}
