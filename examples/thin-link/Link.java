import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.EnumMap;
import java.util.Map;

/** A socket between two peers that take turns, and the bytes that went over it in both directions. */
final class Link implements AutoCloseable {
  private static final int MOST_BYTES = 1 << 26;

  /** What a message is about. */
  enum Topic {
    FILTERS,
    IDS,
    CHECKS,
    ITEMS
  }

  private final Socket socket;
  private final boolean speaksFirst;
  private final DataInputStream in;
  private final DataOutputStream out;
  private final Map<Topic, Long> bytes = new EnumMap<>(Topic.class);

  Link(Socket socket, boolean speaksFirst) throws IOException {
    this.socket = socket;
    this.speaksFirst = speaksFirst;
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(60_000);
    in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
    out = new DataOutputStream(new BufferedOutputStream(socket.getOutputStream()));
  }

  /** Sends a message and receives the other peer's; one of the two speaks first. */
  byte[] exchange(Topic topic, byte[] mine) throws IOException {
    if (speaksFirst) {
      send(mine);
    }
    int length = in.readInt();
    if (length < 0 || length > MOST_BYTES) {
      throw new IOException("a message of " + length + " bytes");
    }
    byte[] theirs = in.readNBytes(length);
    if (theirs.length < length) {
      throw new IOException("the other peer is gone");
    }
    if (!speaksFirst) {
      send(mine);
    }
    bytes.merge(topic, 2L * Integer.BYTES + mine.length + theirs.length, Long::sum);
    return theirs;
  }

  private void send(byte[] message) throws IOException {
    out.writeInt(message.length);
    out.write(message);
    out.flush();
  }

  /** The bytes about a topic since the last call, in both directions. */
  long take(Topic topic) {
    Long taken = bytes.remove(topic);
    return taken == null ? 0 : taken;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
