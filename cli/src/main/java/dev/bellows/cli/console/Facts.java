package dev.bellows.cli.console;

import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import dev.bellows.FilterStats;
import dev.bellows.internal.base.Prose;
import java.util.ArrayList;
import java.util.List;

/** A list of facts, each a name, a value and perhaps a remark: the text form of a result. */
public final class Facts {
  private final List<String[]> rows = new ArrayList<>();

  public Facts add(String name, String value) {
    return add(name, value, "");
  }

  public Facts add(String name, String value, String remark) {
    rows.add(new String[] {name, value, remark});
    return this;
  }

  /** The estimated number of keys, if the kind estimates it; of a full filter it is the least. */
  public Facts addKeys(FilterStats stats) {
    Double keys = stats.approximateKeys();
    return keys == null
        ? this
        : add(
            "keys, estimated", (stats.isFull() ? "at least " : "") + Prose.count(Math.round(keys)));
  }

  @Override
  public String toString() {
    return Table.of(new Column[] {left(), left(), left()}, rows);
  }

  private static Column left() {
    return new Column().dataAlign(HorizontalAlign.LEFT).maxWidth(100);
  }
}
