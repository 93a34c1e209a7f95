package dev.bellows.parquet;

import dev.bellows.internal.base.Prose;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The columns of a file with their types, from its flat list of schema elements. */
final class Schema {
  /** The field of a schema element that has its name. */
  static final int NAME = 4;

  private static final int CHILDREN = 5;

  private final Map<String, ColumnType> columns = new HashMap<>();

  private Schema() {}

  /** A group that is being read: what its columns begin with, and how many members are to come. */
  private record Group(String prefix, long members) {}

  static Schema of(List<ThriftStruct> elements) throws ParquetFormatException {
    Schema schema = new Schema();
    Deque<Group> open = new ArrayDeque<>();
    for (int i = 0; i < elements.size(); i++) {
      ThriftStruct element = elements.get(i);
      String name = element.text(NAME).orElseThrow();
      long children = element.number(CHILDREN).orElse(0);
      if (children < 0 || children > elements.size() - 1 - i) {
        throw element.error(
            "%d children of %s, and %d elements follow"
                .formatted(children, Prose.escape(name), elements.size() - 1 - i));
      }
      if (i == 0) {
        open.push(new Group("", children)); // the root's name is not part of any path
        continue;
      }
      while (!open.isEmpty() && open.peek().members == 0) {
        open.pop();
      }
      if (open.isEmpty()) {
        throw element.error("the schema element %s has no parent".formatted(Prose.escape(name)));
      }
      Group parent = open.pop();
      open.push(new Group(parent.prefix, parent.members - 1));
      String path = parent.prefix + name;
      if (children > 0) {
        open.push(new Group(path + ".", children));
      } else {
        schema.columns.put(path, ColumnType.of(element));
      }
    }
    return schema;
  }

  /** The type of a column by its path. */
  ColumnType type(List<String> path, ThriftStruct metaData) throws ParquetFormatException {
    ColumnType type = columns.get(String.join(".", path));
    if (type == null) {
      throw metaData.error(
          "the column %s is not in the schema, which has %d columns"
              .formatted(Prose.escape(String.join(".", path)), columns.size()));
    }
    return type;
  }
}
