package dev.bellows.parquet;

import dev.bellows.internal.base.Prose;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a file with their types, from its flat list of schema elements. Names are kept
 * once, and paths are never joined, so that memory is a small multiple of the bytes that were read.
 */
final class Schema {
  /** The field of a schema element that has its name. */
  static final int NAME = 4;

  /** Of a group: how many columns and groups it has. */
  static final int CHILDREN = 5;

  private static final int FIELD_ID = 9;

  /** Far more than files have; a hostile element takes five bytes, and far more in memory. */
  private static final int MOST_ELEMENTS = 1 << 20;

  private final List<Column> columns = new ArrayList<>();

  /** The columns by their path; made when a row group has them in another order. */
  private @Nullable Map<List<String>, Column> byPath;

  private Schema() {}

  /** A group that is being read, and how many members are to come. */
  private static final class Group {
    final @Nullable Group parent;
    final String name;
    final int level;
    long members;

    Group(@Nullable Group parent, String name, long members) {
      this.parent = parent;
      this.name = name;
      this.level = parent == null ? 0 : parent.level + 1;
      this.members = members;
    }
  }

  /** A column; two may have the same path, and more the same path with dots. */
  static final class Column {
    private final Group parent;
    private final String name;
    private final ColumnType type;
    private final OptionalLong fieldId;

    private Column(Group parent, String name, ColumnType type, OptionalLong fieldId) {
      this.parent = parent;
      this.name = name;
      this.type = type;
      this.fieldId = fieldId;
    }

    ColumnType type() {
      return type;
    }

    /**
     * Returns the number by which table formats know the column whatever its name, if it has one.
     */
    OptionalLong fieldId() {
      return fieldId;
    }

    private boolean hasPath(List<String> path) {
      int at = path.size() - 1;
      if (at != parent.level || !path.get(at).equals(name)) {
        return false;
      }
      Group group = parent;
      for (at--; at >= 0; at--) {
        if (group == null || !path.get(at).equals(group.name)) {
          return false;
        }
        group = group.parent;
      }
      return true;
    }

    private List<String> path() {
      String[] path = new String[parent.level + 1];
      path[parent.level] = name;
      Group group = parent;
      for (int at = parent.level - 1; at >= 0 && group != null; at--) {
        path[at] = group.name;
        group = group.parent;
      }
      return List.of(path);
    }
  }

  /** Reads the schema of a footer, element by element. */
  static Schema of(ThriftStruct metaData, int field) throws ParquetFormatException {
    int count = metaData.count(field);
    if (count > MOST_ELEMENTS) {
      throw metaData.error(
          "a schema of %d elements; at most %d are read".formatted(count, MOST_ELEMENTS));
    }
    Schema schema = new Schema();
    Deque<Group> open = new ArrayDeque<>();
    int[] number = {0};
    metaData.forEach(
        field,
        element -> {
          schema.add(element, open, number[0] == 0, count - 1 - number[0]);
          number[0]++;
        });
    return schema;
  }

  private void add(ThriftStruct element, Deque<Group> open, boolean isRoot, int following)
      throws ParquetFormatException {
    String name = element.text(NAME).orElseThrow(() -> element.error("its name is missing"));
    long children = element.number(CHILDREN).orElse(0);
    if (children < 0 || children > following) {
      throw element.error(
          "%d children of %s, and %d elements follow"
              .formatted(children, Prose.escape(name), following));
    }
    if (isRoot) {
      open.push(new Group(null, "", children)); // the root's name is not part of any path
      return;
    }
    while (!open.isEmpty() && open.peek().members == 0) {
      open.pop();
    }
    Group parent = open.peek();
    if (parent == null) {
      throw element.error("the schema element %s has no parent".formatted(Prose.escape(name)));
    }
    parent.members--;
    if (children > 0) {
      open.push(new Group(parent, name, children));
    } else {
      columns.add(new Column(parent, name, ColumnType.of(element), element.number(FIELD_ID)));
    }
  }

  /**
   * Returns the column of a chunk: by its place in the row group, which has the order of the
   * schema, or else by its path.
   */
  Column column(int place, List<String> path, ThriftStruct metaData) throws ParquetFormatException {
    if (place < columns.size() && columns.get(place).hasPath(path)) {
      return columns.get(place);
    }
    Column column = byPath(metaData).get(path);
    if (column == null) {
      throw metaData.error(
          "the column %s is not in the schema, which has %d columns"
              .formatted(Prose.escape(String.join(".", path)), columns.size()));
    }
    return column;
  }

  private Map<List<String>, Column> byPath(ThriftStruct metaData) throws ParquetFormatException {
    if (byPath == null) {
      long names = columns.stream().mapToLong(column -> column.parent.level + 1L).sum();
      if (names > 8L * MOST_ELEMENTS) {
        throw metaData.error(
            "its row groups have their columns in another order than its schema, whose paths have"
                + " %d names together; at most %d are read in any order"
                    .formatted(names, 8L * MOST_ELEMENTS));
      }
      byPath = new HashMap<>();
      for (Column column : columns) {
        byPath.putIfAbsent(column.path(), column);
      }
    }
    return byPath;
  }
}
