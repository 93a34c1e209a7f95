package dev.bellows.parquetjava;

import dev.bellows.parquet.RemoteStore;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.nio.file.WatchService;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;

/**
 * A store of Hadoop as a file system of Java: what this library needs to list, read and write
 * files, and no more.
 *
 * <p>A file becomes visible under its name when it is complete. If the store renames in one step
 * (HDFS), it is written under a hidden name next to its own and renamed, over an older file if
 * there is one. On an object store it is uploaded under its own name, which must be new: an upload
 * that is not completed leaves no object. If uploads cannot be aborted, the object is uploaded
 * under a hidden name and copied by the store.
 */
final class RemoteFileSystem extends FileSystem implements RemoteStore {
  /** Schemes of stores that replace a file by renaming another one, in one step. */
  private static final Set<String> RENAMING =
      Set.of("hdfs", "webhdfs", "swebhdfs", "viewfs", "file");

  private static final int BUFFER_BYTES = 1 << 20;

  private final org.apache.hadoop.fs.FileSystem files;
  private final String scheme;
  private final @Nullable String authority;
  private final RemoteProvider provider;

  /**
   * A store.
   *
   * @param asked a path on it as given by the user, perhaps without the authority
   */
  RemoteFileSystem(org.apache.hadoop.fs.FileSystem files, org.apache.hadoop.fs.Path asked) {
    java.net.URI uri = files.makeQualified(asked).toUri();
    this.files = files;
    this.scheme = uri.getScheme();
    this.authority = uri.getAuthority();
    this.provider = new RemoteProvider(this);
  }

  org.apache.hadoop.fs.FileSystem files() {
    return files;
  }

  /** Returns the scheme and the authority, e.g. {@code s3a://bucket}. */
  String address() {
    return scheme + "://" + (authority == null ? "" : authority);
  }

  String scheme() {
    return scheme;
  }

  RemotePath path(org.apache.hadoop.fs.Path path) {
    RemotePath remote = RemotePath.of(this, path.toUri().getPath());
    return remote.isAbsolute() ? remote : RemotePath.of(this, "/" + remote.text());
  }

  org.apache.hadoop.fs.Path hadoopPath(RemotePath path) {
    return new org.apache.hadoop.fs.Path(
        scheme, authority, RemotePath.of(path.toAbsolutePath()).text());
  }

  @Override
  public boolean replaces() {
    return RENAMING.contains(scheme);
  }

  @Override
  public void write(Path path, Content content) throws IOException {
    org.apache.hadoop.fs.Path target = hadoopPath(RemotePath.of(path));
    try {
      FileStatus old = provider.status(target);
      if (old != null && old.isDirectory()) {
        throw new FileSystemException(path.toString(), null, "it is a folder: name a file");
      }
      if (replaces()) {
        rename(target, old, content);
      } else if (old != null) {
        throw new FileAlreadyExistsException(
            path.toString(),
            null,
            "it exists, and objects of %s:// are only written under new names".formatted(scheme));
      } else if (files.hasPathCapability(target, StreamCapabilities.ABORTABLE_STREAM)) {
        upload(target, content);
      } else {
        copy(target, content);
      }
    } catch (IOException e) {
      throw RemoteProvider.named(e, path.toString());
    }
  }

  private static org.apache.hadoop.fs.Path part(org.apache.hadoop.fs.Path target) {
    return new org.apache.hadoop.fs.Path(
        target.getParent(), ".%s.%s.part".formatted(target.getName(), UUID.randomUUID()));
  }

  /** Writes a file under a hidden name, and renames it. */
  private void rename(org.apache.hadoop.fs.Path target, @Nullable FileStatus old, Content content)
      throws IOException {
    org.apache.hadoop.fs.Path part = part(target);
    try {
      try (FSDataOutputStream out = files.create(part, false, BUFFER_BYTES)) {
        content.writeTo(out);
        out.hsync();
      }
      if (old != null) {
        keepAttributes(part, old);
      }
      FileContext.getFileContext(target.toUri(), files.getConf())
          .rename(part, target, Options.Rename.OVERWRITE);
    } catch (IOException | RuntimeException e) {
      files.delete(part, false);
      throw e;
    }
  }

  private void keepAttributes(org.apache.hadoop.fs.Path part, FileStatus old) throws IOException {
    FsPermission permission = old.getPermission();
    if (permission != null) {
      files.setPermission(part, permission);
    }
    try {
      files.setOwner(part, old.getOwner(), old.getGroup());
    } catch (IOException e) {
      // only a superuser may do it
    }
  }

  /**
   * Uploads an object; a failure aborts it, because closing the stream would make an object of what
   * was written.
   */
  private void upload(org.apache.hadoop.fs.Path target, Content content) throws IOException {
    FSDataOutputStreamBuilder<?, ?> builder =
        files.createFile(target).overwrite(false).recursive().bufferSize(BUFFER_BYTES);
    builder.opt("fs.option.create.conditional.overwrite", true); // if the client supports it
    FSDataOutputStream out = builder.build();
    try {
      content.writeTo(out);
    } catch (IOException | RuntimeException | Error e) {
      out.abort();
      throw e;
    }
    out.close();
  }

  /** Uploads an object under a hidden name; the store copies it, whole or not at all. */
  private void copy(org.apache.hadoop.fs.Path target, Content content) throws IOException {
    org.apache.hadoop.fs.Path part = part(target);
    try {
      try (OutputStream out = files.create(part, false, BUFFER_BYTES)) {
        content.writeTo(out);
      }
      if (!files.rename(part, target)) {
        throw new IOException("%s cannot be renamed to %s".formatted(part, target));
      }
    } catch (IOException | RuntimeException e) {
      files.delete(part, false);
      throw e;
    }
  }

  @Override
  public RemoteProvider provider() {
    return provider;
  }

  @Override
  public RemotePath getPath(String first, String... more) {
    return RemotePath.of(this, more.length == 0 ? first : first + "/" + String.join("/", more));
  }

  @Override
  public PathMatcher getPathMatcher(String pattern) {
    PathMatcher local = FileSystems.getDefault().getPathMatcher(pattern);
    return path -> local.matches(Path.of(RemotePath.of(path).text()));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RemoteFileSystem remote && remote.address().equals(address());
  }

  @Override
  public int hashCode() {
    return address().hashCode();
  }

  @Override
  public String toString() {
    return address();
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public boolean isReadOnly() {
    return false;
  }

  @Override
  public String getSeparator() {
    return "/";
  }

  @Override
  public Iterable<Path> getRootDirectories() {
    return List.of(getPath("/"));
  }

  @Override
  public Iterable<FileStore> getFileStores() {
    return List.of();
  }

  @Override
  public Set<String> supportedFileAttributeViews() {
    return Set.of("basic");
  }

  /** Hadoop keeps its file systems open until the JVM ends. */
  @Override
  public void close() {}

  @Override
  public UserPrincipalLookupService getUserPrincipalLookupService() {
    throw new UnsupportedOperationException("users of a remote store are not looked up");
  }

  @Override
  public WatchService newWatchService() {
    throw new UnsupportedOperationException("a remote store is not watched");
  }
}
