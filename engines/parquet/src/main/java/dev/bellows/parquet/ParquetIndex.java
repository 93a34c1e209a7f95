package dev.bellows.parquet;

import dev.bellows.internal.base.Checks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * One small filter for each of many Parquet files: it names the files that may have a value in a
 * column; safe from any thread.
 *
 * <p>The filter of a file is the OR of those of its row groups, folded to a rate, so that no page
 * is read. A file is always named if a row group of it has no filter, or if it cannot be read. An
 * index never hides a file that it does not know: {@link #candidates} checks the length and the
 * time of every file, reads those that changed or are new, and returns them if they cannot tell.
 */
public final class ParquetIndex {
  private final String column;
  private final double fpp;
  private final List<Path> roots;
  private volatile List<IndexedFile> files;

  /**
   * The result of checking all files.
   *
   * @param read the files that changed or are new, and were read
   * @param gone the files that no longer exist
   * @param unreadable the files that cannot be read; they are always named
   */
  public record Changes(List<Path> read, List<Path> gone, List<Path> unreadable) {
    /** Copies the lists. */
    public Changes {
      read = List.copyOf(read);
      gone = List.copyOf(gone);
      unreadable = List.copyOf(unreadable);
    }

    /** Returns whether all files are as they were. */
    public boolean isEmpty() {
      return read.isEmpty() && gone.isEmpty() && unreadable.isEmpty();
    }
  }

  ParquetIndex(String column, double fpp, List<Path> roots, List<IndexedFile> files) {
    this.column = column;
    this.fpp = fpp;
    Set<Path> seen = new TreeSet<>();
    this.roots = roots.stream().filter(seen::add).toList();
    this.files = List.copyOf(files);
  }

  /**
   * Reads the filters of a column in some files, and in those of some folders.
   *
   * @param fpp the rate to which the filter of a file is folded
   * @throws IllegalArgumentException if no file has a filter of the column
   */
  public static ParquetIndex of(Collection<Path> paths, String column, double fpp)
      throws IOException {
    ParquetIndex index =
        new ParquetIndex(column, Checks.probability(fpp, "fpp"), List.copyOf(paths), List.of());
    index.refresh();
    if (index.files.stream().allMatch(file -> file.filter() == null)) {
      throw new IllegalArgumentException(
          ("none of %d files has a filter of column %s in every row group: add "
                  + "filters first, or name another column")
              .formatted(index.files.size(), column));
    }
    return index;
  }

  /** Returns whether a file begins as an index does. */
  public static boolean isIndex(Path path) throws IOException {
    return IndexCodec.isIndex(path);
  }

  /** Reads an index that was written. */
  public static ParquetIndex readFrom(Path path) throws IOException {
    return IndexCodec.read(path);
  }

  /**
   * Writes the index, all of it or nothing. It names files relative to its folder, so it lies on
   * the same store as they do.
   *
   * @throws IllegalArgumentException if it would lie on another store
   */
  public void writeTo(Path path) throws IOException {
    for (Path root : roots) {
      if (!root.getFileSystem().equals(path.getFileSystem())) {
        throw new IllegalArgumentException(
            "an index names its files relative to its own place: %s and %s are on different stores; write the index next to the files"
                .formatted(path, root));
      }
    }
    WholeFile.write(path, out -> IndexCodec.write(this, path, out), null);
  }

  /** Returns the path of the column, with dots. */
  public String column() {
    return column;
  }

  /** Returns the rate to which filters were folded. */
  public double fpp() {
    return fpp;
  }

  /** Returns the files and folders that the index was built from. */
  List<Path> roots() {
    return roots;
  }

  /** Returns the files that are known at the moment. */
  List<IndexedFile> indexed() {
    return files;
  }

  /** Returns the files that are known at the moment. */
  public List<Path> files() {
    return files.stream().map(IndexedFile::path).toList();
  }

  /**
   * Returns the files that are always named, because a row group of them has no filter of the
   * column.
   */
  public List<Path> filesWithoutFilter() {
    return files.stream().filter(IndexedFile::isAlwaysNamed).map(IndexedFile::path).toList();
  }

  /** Returns the files without row groups: they have no value, and are never named. */
  public List<Path> emptyFiles() {
    return files.stream().filter(IndexedFile::isEmpty).map(IndexedFile::path).toList();
  }

  /** Returns the length of all filters together. */
  public long filterBytes() {
    return files.stream()
        .map(IndexedFile::filter)
        .mapToLong(filter -> filter == null ? 0 : filter.bits().bits() / 8)
        .sum();
  }

  /** Returns the mean number of files that are named for an absent value. */
  public double expectedFiles() {
    return files.stream().mapToDouble(file -> file.isEmpty() ? 0 : file.fpp()).sum();
  }

  /**
   * Returns the highest rate among the files that have a filter; 0 if none has. It is above {@link
   * #fpp} if the filters of row groups were folded before: the OR of several of them is nearly
   * full.
   */
  public double highestFpp() {
    return rates().max().orElse(0);
  }

  /** Returns the number of files whose filter has a higher rate than {@link #fpp}. */
  public long filesAboveFpp() {
    return rates().filter(rate -> rate > fpp).count();
  }

  private DoubleStream rates() {
    return files.stream().filter(file -> file.filter() != null).mapToDouble(IndexedFile::fpp);
  }

  /** Returns the types that the column has in the files; a value is looked up as each of them. */
  public Set<ColumnType> types() {
    return files.stream()
        .map(IndexedFile::filter)
        .filter(Objects::nonNull)
        .map(IndexedFile.Filter::type)
        .collect(
            Collectors.collectingAndThen(
                Collectors.toCollection(() -> new TreeSet<>(ColumnType.ORDER)),
                Collections::unmodifiableSet));
  }

  /**
   * Looks at the length and the time of every file, and reads the filters of those that changed or
   * are new; files that are gone are forgotten. Files that cannot be read, damaged ones among them,
   * are always named, and read again by the next call.
   *
   * @return what was found by this call
   */
  public Changes refresh() throws IOException {
    // sorted: the names may be chosen so that their hash codes are equal
    SortedMap<Path, IndexedFile> known = new TreeMap<>();
    files.forEach(file -> known.put(file.path(), file));
    List<IndexedFile> now = new ArrayList<>();
    List<Path> read = new ArrayList<>();
    List<Path> unreadable = new ArrayList<>();
    for (Map.Entry<Path, BasicFileAttributes> present : present(known.keySet()).entrySet()) {
      Path path = present.getKey();
      IndexedFile file = known.get(path);
      try {
        if (file == null && !ParquetFolder.isNamed(path)) {
          continue;
        }
        if (file == null || !file.isStill(present.getValue())) {
          file = IndexedFile.read(path, column, fpp);
          read.add(path);
        }
        now.add(file);
      } catch (IOException e) {
        boolean isLink = Files.isSymbolicLink(path); // what it leads to may come back
        if (e instanceof NoSuchFileException && !isLink) {
          continue; // it is gone
        }
        now.add(IndexedFile.unreadable(path));
        unreadable.add(path);
      }
    }
    now.forEach(file -> known.remove(file.path()));
    files = List.copyOf(now);
    return new Changes(read, List.copyOf(known.keySet()), unreadable);
  }

  /** Returns the files of all roots as they are now. */
  private Map<Path, BasicFileAttributes> present(Set<Path> known) throws IOException {
    Map<Path, BasicFileAttributes> present = new LinkedHashMap<>();
    for (Path root : roots) {
      try {
        BasicFileAttributes now = Files.readAttributes(root, BasicFileAttributes.class);
        if (now.isDirectory()) {
          present.putAll(ParquetFolder.candidates(root));
        } else if (now.isRegularFile()) {
          present.put(root, now);
        } else {
          throw new IOException(root + " is neither a file nor a folder");
        }
      } catch (NoSuchFileException e) {
        if (!known.contains(root)) {
          throw new NoSuchFileException(
              root.toString(),
              null,
              "the folder of the index is missing, and its files may contain the value: restore it,"
                  + " or build the index again");
        }
      }
    }
    return present;
  }

  /**
   * Returns the files that may have a value, after checking all of them as {@link #refresh} does.
   * No file is opened that is as it was.
   *
   * @param value a number, a text, a date, an instant, a decimal or a UUID, or the text of one; or
   *     the plain-encoded bytes of a value
   * @throws IllegalArgumentException if the column's type has no such value; of several types, if
   *     none has. The files of a type without such a value are named then, because it cannot be
   *     told
   */
  public List<Path> candidates(Object value) throws IOException {
    refresh();
    return indexedCandidates(value);
  }

  /**
   * Returns the files that may have a value, by the index alone: in microseconds, and right as long
   * as no file changes and none is added.
   */
  public List<Path> indexedCandidates(Object value) {
    List<IndexedFile> asked = files;
    Map<ColumnType, ValueHashes> probes = probes(asked, value);
    List<Path> candidates = new ArrayList<>();
    for (IndexedFile file : asked) {
      IndexedFile.Filter filter = file.filter();
      ValueHashes probe = filter == null ? null : probes.get(filter.type());
      boolean mayHaveIt = filter == null || probe == null || probe.mayBeIn(filter.bits());
      if (mayHaveIt && !file.isEmpty()) {
        candidates.add(file.path());
      }
    }
    return candidates;
  }

  /** Returns the value for each type that has it. */
  private static Map<ColumnType, ValueHashes> probes(List<IndexedFile> files, Object value) {
    Map<ColumnType, ValueHashes> probes = new TreeMap<>(ColumnType.ORDER);
    Map<ColumnType, IllegalArgumentException> refused = new TreeMap<>(ColumnType.ORDER);
    for (IndexedFile file : files) {
      IndexedFile.Filter filter = file.filter();
      if (filter != null
          && !probes.containsKey(filter.type())
          && !refused.containsKey(filter.type())) {
        try {
          probes.put(filter.type(), ValueHashes.of(filter.type(), value));
        } catch (IllegalArgumentException e) {
          refused.put(filter.type(), e);
        }
      }
    }
    if (probes.isEmpty() && !refused.isEmpty()) {
      throw refused.values().iterator().next();
    }
    return probes;
  }
}
