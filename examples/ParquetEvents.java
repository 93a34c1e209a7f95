import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroupFactory;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;

/**
 * Writes events into ten Parquet files, as parquet-java does if a user turns filters on
 * and does not know how many distinct values will come: each filter takes 1 MiB.
 */
public final class ParquetEvents {
  private static final int FILES = 10;
  private static final int ROWS = 6_000;
  private static final MessageType SCHEMA =
      MessageTypeParser.parseMessageType(
          "message event { required int64 id; required binary user (STRING); required int32 day (DATE); }");

  /** Writes into the folder that is named, or into "events". */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments.length > 0 ? arguments[0] : "events"));
    for (int file = 0; file < FILES; file++) {
      write(folder.resolve("part-" + file + ".parquet"), file * ROWS);
    }
    System.out.printf("%d files of %,d events in %s%n", FILES, ROWS, folder);
  }

  private static void write(Path path, int first) throws IOException {
    Files.deleteIfExists(path);
    SimpleGroupFactory groups = new SimpleGroupFactory(SCHEMA);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(path))
            .withConf((ParquetConfiguration) new PlainParquetConfiguration())
            .withType(SCHEMA)
            .withCompressionCodec(CompressionCodecName.ZSTD)
            .withDictionaryEncoding(false)
            .withBloomFilterEnabled("id", true)
            .withBloomFilterEnabled("user", true)
            .build()) {
      for (int i = first; i < first + ROWS; i++) {
        writer.write(
            groups
                .newGroup()
                .append("id", 1_000_003L * i)
                .append("user", "user-" + i / 3)
                .append("day", 20_000 + i % 365));
      }
    }
  }
}
