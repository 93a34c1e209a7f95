package dev.bellows.parquetjava;

import dev.bellows.parquet.RangeChannel;
import java.io.IOException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;

/** A file of a store of Hadoop. The length is that of the moment of opening. */
final class RemoteChannel extends RangeChannel {
  private final FSDataInputStream in;
  private final String name;

  private RemoteChannel(FSDataInputStream in, long size, String name) {
    super(size);
    this.in = in;
    this.name = name;
  }

  static RemoteChannel open(FileSystem files, FileStatus status, String name) throws IOException {
    // with its status, so that it is not requested from the store again
    FSDataInputStream in;
    try {
      in = files.openFile(status.getPath()).withFileStatus(status).build().get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } catch (java.util.concurrent.ExecutionException e) {
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
    }
    return new RemoteChannel(in, status.getLen(), name);
  }

  @Override
  protected void readFully(long from, byte[] target) throws IOException {
    try {
      in.readFully(from, target, 0, target.length);
    } catch (IOException e) {
      throw RemoteProvider.named(e, name);
    }
  }

  @Override
  protected void implCloseChannel() throws IOException {
    in.close();
  }
}
