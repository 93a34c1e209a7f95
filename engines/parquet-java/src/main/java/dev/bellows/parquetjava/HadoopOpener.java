package dev.bellows.parquetjava;

import dev.bellows.parquet.RemoteStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Properties;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Opens the stores that Hadoop knows; loaded as a service.
 *
 * <p>Settings and credentials are Hadoop's: {@code core-site.xml} on the class path, as in {@code
 * HADOOP_CONF_DIR}, and the system properties of the JVM whose names begin with {@code fs.}, {@code
 * dfs.} or {@code hadoop.}, e.g. {@code -Dfs.s3a.endpoint=...}. {@code hdfs}, {@code webhdfs} and
 * {@code file} come with this module; other schemes need the jars of their connectors on the class
 * path.
 */
public final class HadoopOpener implements RemoteStore.Opener {
  /** For the service loader. */
  public HadoopOpener() {}

  @Override
  public Path path(String address) throws IOException {
    return path(address, settings());
  }

  /**
   * Returns the path of an address, on a store with these settings.
   *
   * @throws IOException if the store cannot be opened; the message says what is missing
   */
  public static Path path(String address, Configuration settings) throws IOException {
    try {
      org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(address);
      FileSystem files = path.getFileSystem(settings);
      return new RemoteFileSystem(files, path).path(path);
    } catch (IllegalArgumentException e) {
      throw new IOException(address + " is not an address: " + firstLine(e), e);
    } catch (RuntimeException | LinkageError e) {
      throw missing(address, e);
    } catch (IOException e) {
      throw e instanceof org.apache.hadoop.fs.UnsupportedFileSystemException
          ? missing(address, e)
          : RemoteProvider.named(e, address);
    }
  }

  private static Configuration settings() {
    Configuration settings = new Configuration();
    Properties properties = System.getProperties();
    for (String name : properties.stringPropertyNames()) {
      if (name.startsWith("fs.") || name.startsWith("dfs.") || name.startsWith("hadoop.")) {
        settings.set(name, properties.getProperty(name));
      }
    }
    return settings;
  }

  /** Names the jars that a scheme needs, if known. */
  private static IOException missing(String address, Throwable cause) {
    String scheme = address.substring(0, address.indexOf(':'));
    String jars =
        switch (scheme) {
          case "s3a", "s3" ->
              "hadoop-aws and the AWS SDK's bundle, of the versions that Hadoop names";
          case "abfs", "abfss", "wasb", "wasbs" -> "hadoop-azure and its dependencies";
          case "gs" -> "Google's gcs-connector (its shaded jar)";
          default -> "Hadoop's connector of " + scheme;
        };
    return new IOException(
        "%s needs %s on the class path: with ./bellows, name the jars in BELLOWS_JARS (%s)"
            .formatted(address, jars, firstLine(cause)),
        cause);
  }

  /** Returns the first line of a message: Hadoop appends the stacks of servers. */
  static String firstLine(Throwable failure) {
    String message = failure.getMessage();
    return message == null || message.isBlank()
        ? failure.getClass().getSimpleName()
        : message.lines().findFirst().orElse(message);
  }
}
