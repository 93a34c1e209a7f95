package dev.bellows.parquet;

import java.io.IOException;
import java.net.URI;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;

/** Presents local files as an object store, and counts every request. */
public final class CountingStore extends RawLocalFileSystem {
  static final String SCHEME = "counted";

  static final AtomicLong REQUESTS = new AtomicLong();
  static final AtomicLong BYTES = new AtomicLong();

  static Configuration settings() {
    Configuration settings = new Configuration();
    settings.set("fs." + SCHEME + ".impl", CountingStore.class.getName());
    return settings;
  }

  static void reset() {
    REQUESTS.set(0);
    BYTES.set(0);
  }

  @Override
  public URI getUri() {
    return URI.create(SCHEME + ":///");
  }

  @Override
  public String getScheme() {
    return SCHEME;
  }

  private FileStatus renamed(FileStatus status) {
    status.setPath(makeQualified(new Path(status.getPath().toUri().getPath())));
    return status;
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    REQUESTS.incrementAndGet();
    return renamed(super.getFileStatus(path));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    long before = REQUESTS.get();
    FileStatus[] all = super.listStatus(path); // which asks for every file
    REQUESTS.set(before + 1);
    for (FileStatus status : all) {
      renamed(status);
    }
    return all;
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    return new FSDataInputStream(new Counted(super.open(path, bufferSize)));
  }

  /** Every read is a request. */
  private static final class Counted extends FSInputStream {
    private final FSDataInputStream in;

    Counted(FSDataInputStream in) {
      this.in = in;
    }

    @Override
    public int read(long at, byte[] bytes, int from, int length) throws IOException {
      int read = in.read(at, bytes, from, length);
      REQUESTS.incrementAndGet();
      BYTES.addAndGet(Math.max(0, read));
      return read;
    }

    @Override
    public int read() throws IOException {
      REQUESTS.incrementAndGet();
      BYTES.incrementAndGet();
      return in.read();
    }

    @Override
    public void seek(long at) throws IOException {
      in.seek(at);
    }

    @Override
    public long getPos() throws IOException {
      return in.getPos();
    }

    @Override
    public boolean seekToNewSource(long at) throws IOException {
      return in.seekToNewSource(at);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
