package dev.bellows.parquet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Maps offsets in the old file to offsets in the new one. */
final class OffsetMap {
  private final List<Edit> edits;

  /** The offsets in the new file at which the content of each edit begins. */
  private final List<Long> starts = new ArrayList<>();

  /** How far bytes after each edit move. */
  private final List<Long> shifts = new ArrayList<>();

  /** The edits do not overlap. */
  OffsetMap(List<Edit> edits) {
    this.edits = edits.stream().sorted(Comparator.comparingLong(Edit::from)).toList();
    long shift = 0;
    for (Edit edit : this.edits) {
      starts.add(edit.from() + shift);
      shift += edit.length() - (edit.to() - edit.from());
      shifts.add(shift);
    }
  }

  /** Returns the edits by their place. */
  List<Edit> edits() {
    return edits;
  }

  /** Returns the offset at which the content of the edit with this number begins. */
  long start(int number) {
    return starts.get(number);
  }

  /** Returns the new offset of a byte; of one inside a region that is replaced, of that region. */
  long map(long offset) {
    int low = 0;
    int high = edits.size();
    while (low < high) { // the number of edits that end at the offset or before
      int middle = (low + high) >>> 1;
      if (edits.get(middle).to() <= offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    boolean isInside = low < edits.size() && edits.get(low).from() <= offset;
    return isInside ? starts.get(low) : offset + (low == 0 ? 0 : shifts.get(low - 1));
  }
}
