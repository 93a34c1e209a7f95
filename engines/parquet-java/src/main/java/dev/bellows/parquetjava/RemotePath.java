package dev.bellows.parquetjava;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystem;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderMismatchException;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileStatus;
import org.jspecify.annotations.Nullable;

/** A path on a remote store: names between slashes, from its root or from another path. */
final class RemotePath implements Path {
  private final RemoteFileSystem store;
  private final boolean isAbsolute;
  private final List<String> names;

  /**
   * The status of this file from a listing; the first request uses it, later ones go to the store.
   */
  private final AtomicReference<@Nullable FileStatus> listed = new AtomicReference<>();

  RemotePath(RemoteFileSystem store, boolean isAbsolute, List<String> names) {
    this.store = store;
    this.isAbsolute = isAbsolute;
    this.names = List.copyOf(names);
  }

  static RemotePath of(RemoteFileSystem store, String text) {
    List<String> names = Stream.of(text.split("/")).filter(name -> !name.isEmpty()).toList();
    return new RemotePath(store, text.startsWith("/"), names);
  }

  /** The same path, which a listing described. */
  RemotePath listed(FileStatus status) {
    listed.set(status);
    return this;
  }

  /** Returns what a listing said, once. */
  @Nullable FileStatus takeListed() {
    return listed.getAndSet(null);
  }

  static RemotePath of(Path path) {
    if (path instanceof RemotePath remote) {
      return remote;
    }
    throw new ProviderMismatchException(path + " is not on a remote store");
  }

  private RemotePath with(boolean absolute, List<String> other) {
    return new RemotePath(store, absolute, other);
  }

  /** Returns the names with slashes, without the store. */
  String text() {
    return (isAbsolute ? "/" : "") + String.join("/", names);
  }

  @Override
  public RemoteFileSystem getFileSystem() {
    return store;
  }

  @Override
  public boolean isAbsolute() {
    return isAbsolute;
  }

  @Override
  public @Nullable Path getRoot() {
    return isAbsolute ? with(true, List.of()) : null;
  }

  @Override
  public @Nullable Path getFileName() {
    return names.isEmpty() ? null : with(false, names.subList(names.size() - 1, names.size()));
  }

  @Override
  public @Nullable Path getParent() {
    return names.isEmpty() || (names.size() == 1 && !isAbsolute)
        ? null
        : with(isAbsolute, names.subList(0, names.size() - 1));
  }

  @Override
  public int getNameCount() {
    return names.size();
  }

  @Override
  public Path getName(int index) {
    return with(false, List.of(names.get(index)));
  }

  @Override
  public Path subpath(int from, int to) {
    return with(false, names.subList(from, to));
  }

  @Override
  public boolean startsWith(Path other) {
    return other instanceof RemotePath remote
        && remote.store.equals(store)
        && remote.isAbsolute == isAbsolute
        && remote.names.size() <= names.size()
        && names.subList(0, remote.names.size()).equals(remote.names);
  }

  @Override
  public boolean endsWith(Path other) {
    if (!(other instanceof RemotePath remote) || !remote.store.equals(store)) {
      return false;
    }
    int rest = names.size() - remote.names.size();
    return remote.isAbsolute
        ? equals(remote)
        : rest >= 0 && names.subList(rest, names.size()).equals(remote.names);
  }

  @Override
  public Path normalize() {
    List<String> normal = new ArrayList<>();
    for (String name : names) {
      boolean hasParent = !normal.isEmpty() && !normal.get(normal.size() - 1).equals("..");
      if (name.equals("..") && hasParent) {
        normal.remove(normal.size() - 1);
      } else if (!name.equals(".") && !(name.equals("..") && isAbsolute)) {
        normal.add(name);
      }
    }
    return with(isAbsolute, normal);
  }

  @Override
  public Path resolve(Path other) {
    RemotePath remote = of(other);
    if (remote.isAbsolute) {
      return remote;
    }
    List<String> both = new ArrayList<>(names);
    both.addAll(remote.names);
    return with(isAbsolute, both);
  }

  @Override
  public Path relativize(Path other) {
    RemotePath remote = of(other);
    if (remote.isAbsolute != isAbsolute || !remote.store.equals(store)) {
      throw new IllegalArgumentException(
          "there is no relative path from %s to %s".formatted(this, other));
    }
    int common = 0;
    while (common < Math.min(names.size(), remote.names.size())
        && names.get(common).equals(remote.names.get(common))) {
      common++;
    }
    List<String> way = new ArrayList<>(Collections.nCopies(names.size() - common, ".."));
    way.addAll(remote.names.subList(common, remote.names.size()));
    return with(false, way);
  }

  @Override
  public URI toUri() {
    return store.hadoopPath(this).toUri();
  }

  @Override
  public Path toAbsolutePath() {
    return isAbsolute ? this : with(true, names);
  }

  /** Remote stores have no links that this library follows. */
  @Override
  public Path toRealPath(LinkOption... options) throws IOException {
    Path real = toAbsolutePath().normalize();
    store.provider().checkAccess(real);
    return real;
  }

  @Override
  public WatchKey register(
      WatchService watcher, WatchEvent.Kind<?>[] events, WatchEvent.Modifier... modifiers) {
    throw new UnsupportedOperationException("a remote store is not watched");
  }

  @Override
  public int compareTo(Path other) {
    RemotePath remote = of(other);
    int byStore = store.address().compareTo(remote.store.address());
    return byStore != 0 ? byStore : text().compareTo(remote.text());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RemotePath remote
        && remote.isAbsolute == isAbsolute
        && remote.names.equals(names)
        && remote.store.equals(store);
  }

  @Override
  public int hashCode() {
    return 31 * store.hashCode() + names.hashCode();
  }

  /** The address of an absolute path. */
  @Override
  public String toString() {
    return isAbsolute ? store.address() + text() : text();
  }

  /** Returns the store of a path that is remote, null of others. */
  static @Nullable RemoteFileSystem storeOf(Path path) {
    FileSystem files = path.getFileSystem();
    return files instanceof RemoteFileSystem remote ? remote : null;
  }
}
