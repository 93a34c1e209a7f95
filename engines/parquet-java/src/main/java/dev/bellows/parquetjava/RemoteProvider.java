package dev.bellows.parquetjava;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.spi.FileSystemProvider;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * The calls of {@link java.nio.file.Files} on a remote store: looking at, listing and reading
 * files, making folders and deleting. Files are written by {@link RemoteFileSystem#write}.
 */
final class RemoteProvider extends FileSystemProvider {
  private final RemoteFileSystem store;

  RemoteProvider(RemoteFileSystem store) {
    this.store = store;
  }

  /** A file as the store describes it. */
  private record Attributes(FileStatus status) implements BasicFileAttributes {
    @Override
    public FileTime lastModifiedTime() {
      return FileTime.fromMillis(status.getModificationTime());
    }

    @Override
    public FileTime lastAccessTime() {
      return lastModifiedTime();
    }

    @Override
    public FileTime creationTime() {
      return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
      return status.isFile();
    }

    @Override
    public boolean isDirectory() {
      return status.isDirectory();
    }

    @Override
    public boolean isSymbolicLink() {
      return false;
    }

    @Override
    public boolean isOther() {
      return false;
    }

    @Override
    public long size() {
      return status.getLen();
    }

    /** A tag that changes with the content of an object, if the store has one. */
    @Override
    public @Nullable Object fileKey() {
      return status instanceof EtagSource tagged && status.isFile() ? tagged.getEtag() : null;
    }
  }

  /** Returns a failure with the name that the user knows, in one line and as Java names it. */
  static IOException named(IOException failure, String name) {
    if (failure instanceof FileSystemException) {
      return failure;
    }
    IOException named =
        failure instanceof FileNotFoundException
            ? new NoSuchFileException(name)
            : failure instanceof AccessControlException
                ? new AccessDeniedException(name, null, HadoopOpener.firstLine(failure))
                : failure instanceof org.apache.hadoop.fs.FileAlreadyExistsException
                    ? new FileAlreadyExistsException(name, null, "it exists already")
                    : failure instanceof java.io.EOFException
                        ? failure
                        : new IOException(name + ": " + HadoopOpener.firstLine(failure), failure);
    if (named != failure && named.getCause() == null) {
      named.initCause(failure);
    }
    return named;
  }

  /** Returns what the store says of a file; null if there is none. */
  @Nullable FileStatus status(org.apache.hadoop.fs.Path path) throws IOException {
    try {
      return store.files().getFileStatus(path);
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  private FileStatus status(Path path) throws IOException {
    RemotePath remote = RemotePath.of(path);
    FileStatus listed = remote.takeListed();
    if (listed != null) {
      return listed;
    }
    FileStatus status;
    try {
      status = status(store.hadoopPath(remote));
    } catch (IOException e) {
      throw named(e, path.toString());
    }
    if (status == null) {
      throw new NoSuchFileException(path.toString());
    }
    return status;
  }

  @Override
  public String getScheme() {
    return store.scheme();
  }

  @Override
  public <A extends BasicFileAttributes> A readAttributes(
      Path path, Class<A> type, LinkOption... options) throws IOException {
    if (type != BasicFileAttributes.class) {
      throw new UnsupportedOperationException("a remote store has basic attributes only");
    }
    return type.cast(new Attributes(status(path)));
  }

  @Override
  public void checkAccess(Path path, AccessMode... modes) throws IOException {
    status(path);
  }

  @Override
  public boolean isSameFile(Path one, Path other) {
    return one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize());
  }

  @Override
  public boolean isHidden(Path path) {
    return String.valueOf(path.getFileName()).startsWith(".");
  }

  @Override
  public FileChannel newFileChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    if (!Set.of(StandardOpenOption.READ).containsAll(options)) {
      throw new UnsupportedOperationException("files of a remote store are opened to be read");
    }
    FileStatus status = status(path);
    if (status.isDirectory()) {
      throw new FileSystemException(path.toString(), null, "it is a folder");
    }
    try {
      return RemoteChannel.open(store.files(), status, path.toString());
    } catch (IOException e) {
      throw named(e, path.toString());
    }
  }

  @Override
  public SeekableByteChannel newByteChannel(
      Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
      throws IOException {
    return newFileChannel(path, options, attributes);
  }

  /**
   * Lists a folder; its paths keep the status from the listing, so that only one request is needed.
   */
  @Override
  public DirectoryStream<Path> newDirectoryStream(
      Path folder, DirectoryStream.Filter<? super Path> filter) throws IOException {
    List<Path> paths = new ArrayList<>();
    try {
      RemoteIterator<FileStatus> entries =
          store.files().listStatusIterator(store.hadoopPath(RemotePath.of(folder)));
      while (entries.hasNext()) {
        FileStatus status = entries.next();
        RemotePath path = store.path(status.getPath()).listed(status);
        if (filter.accept(path)) {
          paths.add(path);
        }
      }
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    } catch (IOException e) {
      throw named(e, folder.toString());
    }
    return new DirectoryStream<>() {
      @Override
      public Iterator<Path> iterator() {
        return paths.iterator();
      }

      @Override
      public void close() {}
    };
  }

  @Override
  public void createDirectory(Path folder, FileAttribute<?>... attributes) throws IOException {
    org.apache.hadoop.fs.Path path = store.hadoopPath(RemotePath.of(folder));
    try {
      if (status(path) != null) {
        throw new FileAlreadyExistsException(folder.toString());
      }
      store.files().mkdirs(path);
    } catch (IOException e) {
      throw named(e, folder.toString());
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    try {
      status(path);
      store.files().delete(store.hadoopPath(RemotePath.of(path)), false);
    } catch (IOException e) {
      throw named(e, path.toString());
    }
  }

  @Override
  public <V extends FileAttributeView> @Nullable V getFileAttributeView(
      Path path, Class<V> type, LinkOption... options) {
    return null;
  }

  @Override
  public Map<String, Object> readAttributes(Path path, String names, LinkOption... options) {
    throw new UnsupportedOperationException("a remote store has basic attributes only");
  }

  @Override
  public void setAttribute(Path path, String name, Object value, LinkOption... options) {
    throw new UnsupportedOperationException("attributes of a remote store are not changed");
  }

  @Override
  public void copy(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException("files of a remote store are written as a whole");
  }

  @Override
  public void move(Path source, Path target, CopyOption... options) {
    throw new UnsupportedOperationException("files of a remote store are written as a whole");
  }

  @Override
  public FileStore getFileStore(Path path) {
    throw new UnsupportedOperationException("the space of a remote store is unknown");
  }

  @Override
  public FileSystem newFileSystem(URI uri, Map<String, ?> settings) {
    throw new UnsupportedOperationException("opened by RemoteStore.path");
  }

  @Override
  public FileSystem getFileSystem(URI uri) {
    throw new UnsupportedOperationException("opened by RemoteStore.path");
  }

  @Override
  public Path getPath(URI uri) {
    throw new UnsupportedOperationException("opened by RemoteStore.path");
  }
}
