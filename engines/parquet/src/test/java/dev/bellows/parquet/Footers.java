package dev.bellows.parquet;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.Util;

/** Files with other footers. */
final class Footers {
  private Footers() {}

  /** A copy of a file whose footer was changed. */
  static Path change(Path from, Path to, Consumer<FileMetaData> change) throws IOException {
    byte[] bytes = Files.readAllBytes(from);
    FileMetaData footer = Rearranged.footer(bytes);
    change.accept(footer);
    ByteArrayOutputStream thrift = new ByteArrayOutputStream();
    Util.writeFileMetaData(footer, thrift);
    return Files.write(to, with(bytes, thrift.toByteArray()));
  }

  /** The bytes of a file with another footer. */
  static byte[] with(byte[] file, byte[] thrift) {
    int length = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN).getInt(file.length - 8);
    int start = file.length - 8 - length;
    return ByteBuffer.allocate(start + thrift.length + 8)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(file, 0, start)
        .put(thrift)
        .putInt(thrift.length)
        .put(Footer.MAGIC)
        .array();
  }
}
