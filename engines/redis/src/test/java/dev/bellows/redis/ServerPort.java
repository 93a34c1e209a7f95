package dev.bellows.redis;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A port for a server of a test, and the one 10000 above it, where the bus of a cluster is. The UDP
 * port of the same number is the claim to it: test processes claim no port twice, also while the
 * server is down. It lies below the ports that systems give to clients, so that no connection takes
 * it. A server that finds its port taken by another program gets another one.
 */
final class ServerPort implements AutoCloseable {
  private static final int FIRST = 10_000;
  private static final int COUNT = 10_000;

  private static final AtomicInteger NEXT =
      new AtomicInteger((int) (ProcessHandle.current().pid() * 97 % COUNT));

  private final DatagramSocket claim;

  private ServerPort(DatagramSocket claim) {
    this.claim = claim;
  }

  static ServerPort claim() {
    for (int attempt = 0; attempt < COUNT; attempt++) {
      int port = FIRST + NEXT.getAndIncrement() % COUNT;
      try {
        return new ServerPort(
            new DatagramSocket(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port)));
      } catch (SocketException e) {
        // claimed by another process
      } catch (UnknownHostException e) {
        throw new AssertionError(e);
      }
    }
    throw new AssertionError("no free port from %d on".formatted(FIRST));
  }

  int number() {
    return claim.getLocalPort();
  }

  @Override
  public void close() {
    claim.close();
  }
}
