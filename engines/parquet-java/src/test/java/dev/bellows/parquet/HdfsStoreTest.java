package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A NameNode and a DataNode in this JVM, from jars that only the profile engines adds. */
@Tag("engines")
class HdfsStoreTest extends StoreContract {
  @TempDir static Path disk;

  private static Object cluster;
  private static final Configuration SETTINGS = new Configuration();

  @BeforeAll
  static void start() throws ReflectiveOperationException {
    SETTINGS.set("hdfs.minidfs.basedir", disk.toString());
    Class<?> builder = Class.forName("org.apache.hadoop.hdfs.MiniDFSCluster$Builder");
    cluster =
        builder
            .getMethod("build")
            .invoke(builder.getConstructor(Configuration.class).newInstance(SETTINGS));
    call("waitActive");
  }

  @AfterAll
  static void stop() throws ReflectiveOperationException {
    call("shutdown");
  }

  private static Object call(String method) throws ReflectiveOperationException {
    return cluster.getClass().getMethod(method).invoke(cluster);
  }

  @Override
  String address() {
    try {
      URI uri = (URI) call("getURI");
      return "hdfs://" + uri.getAuthority() + "/tables";
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  Configuration settings() {
    return SETTINGS;
  }

  @Test
  void itIsHdfs() throws Exception {
    assertThat(
            new org.apache.hadoop.fs.Path(address()).getFileSystem(SETTINGS).getClass().getName())
        .isEqualTo("org.apache.hadoop.hdfs.DistributedFileSystem");
  }
}
