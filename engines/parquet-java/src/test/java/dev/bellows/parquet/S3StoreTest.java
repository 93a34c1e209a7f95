package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.parquetjava.HadoopOpener;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An S3 server in this JVM, from jars that only the profile engines adds. */
@Tag("engines")
class S3StoreTest extends StoreContract {
  @TempDir static Path disk;

  private static Object server;
  private static final Configuration SETTINGS = new Configuration();

  @BeforeAll
  static void start() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("jclouds.provider", "transient");
    properties.setProperty("jclouds.identity", "key");
    properties.setProperty("jclouds.credential", "secret");
    Object blobs =
        Class.forName("org.jclouds.ContextBuilder")
            .getMethod("newBuilder", String.class)
            .invoke(null, "transient");
    blobs = blobs.getClass().getMethod("overrides", Properties.class).invoke(blobs, properties);
    Object context =
        blobs
            .getClass()
            .getMethod("build", Class.class)
            .invoke(blobs, Class.forName("org.jclouds.blobstore.BlobStoreContext"));
    Class<?> blobStore = Class.forName("org.jclouds.blobstore.BlobStore");
    Object store =
        Class.forName("org.jclouds.blobstore.BlobStoreContext")
            .getMethod("getBlobStore")
            .invoke(context);
    Class<?> type = Class.forName("org.gaul.s3proxy.S3Proxy");
    Object builder = type.getMethod("builder").invoke(null);
    builder.getClass().getMethod("blobStore", blobStore).invoke(builder, store);
    builder
        .getClass()
        .getMethod("endpoint", URI.class)
        .invoke(builder, URI.create("http://127.0.0.1:0"));
    server = builder.getClass().getMethod("build").invoke(builder);
    type.getMethod("start").invoke(server);
    String endpoint = "http://127.0.0.1:" + type.getMethod("getPort").invoke(server);
    HttpRequest makeBucket =
        HttpRequest.newBuilder(URI.create(endpoint + "/tables"))
            .PUT(HttpRequest.BodyPublishers.noBody())
            .build();
    HttpClient.newHttpClient().send(makeBucket, HttpResponse.BodyHandlers.discarding());
    SETTINGS.set("fs.s3a.endpoint", endpoint);
    SETTINGS.set("fs.s3a.endpoint.region", "local");
    SETTINGS.set("fs.s3a.path.style.access", "true");
    SETTINGS.set("fs.s3a.connection.ssl.enabled", "false");
    SETTINGS.set("fs.s3a.access.key", "key");
    SETTINGS.set("fs.s3a.secret.key", "secret");
    SETTINGS.set("fs.s3a.multipart.size", "5M");
    SETTINGS.set("fs.s3a.multipart.threshold", "5M");
    SETTINGS.set("fs.s3a.buffer.dir", disk.resolve("buffer").toString());
    SETTINGS.set("fs.s3a.attempts.maximum", "2");
    SETTINGS.set("fs.s3a.retry.limit", "2");
  }

  @AfterAll
  static void stop() throws ReflectiveOperationException {
    server.getClass().getMethod("stop").invoke(server);
  }

  @Override
  String address() {
    return "s3a://tables/all";
  }

  @Override
  Configuration settings() {
    return SETTINGS;
  }

  @Test
  void objectsAreNotReplaced() throws IOException {
    Path path = HadoopOpener.path("s3a://tables/f", SETTINGS);
    assertThat(((RemoteStore) path.getFileSystem()).replaces()).isFalse();
  }
}
