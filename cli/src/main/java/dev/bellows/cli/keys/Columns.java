package dev.bellows.cli.keys;

/** One column of a line of bytes. */
final class Columns {
  private final byte[] delimiter;
  private final int wanted;
  private int found;
  private int from;
  private int to;

  Columns(byte[] delimiter, int wanted) {
    this.delimiter = delimiter;
    this.wanted = wanted;
  }

  /** Finds the column in the line; false if the line has too few. */
  boolean find(byte[] buffer, int lineFrom, int lineTo) {
    found = 1;
    from = lineFrom;
    int i = lineFrom;
    while (i < lineTo) {
      if (!delimiterAt(buffer, i, lineTo)) {
        i++;
        continue;
      }
      if (found == wanted) {
        break;
      }
      found++;
      i += delimiter.length;
      from = i;
    }
    to = i;
    return found == wanted;
  }

  private boolean delimiterAt(byte[] buffer, int at, int end) {
    if (buffer[at] != delimiter[0] || end - at < delimiter.length) {
      return false;
    }
    for (int i = 1; i < delimiter.length; i++) {
      if (buffer[at + i] != delimiter[i]) {
        return false;
      }
    }
    return true;
  }

  /** How many columns the line has, as far as was looked. */
  int found() {
    return found;
  }

  int from() {
    return from;
  }

  int to() {
    return to;
  }
}
