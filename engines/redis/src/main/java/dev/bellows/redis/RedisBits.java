package dev.bellows.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A thread-safe connection to the server that holds the bits. {@link JedisBits} uses Jedis; to use
 * another client library, implement {@link #send}. All commands are ordinary ones of Redis 6.2:
 * GETRANGE reads ranges, scripts set bits and switch states, and BITOP merges stripes.
 */
public interface RedisBits extends AutoCloseable {
  /**
   * Sends commands to the node that holds a key, in one round trip, and returns their replies in
   * the same order. The node must execute them in this order, on one connection; commands of other
   * clients may run in between. All keys of the commands are in the hash slot of the given one.
   *
   * @param key determines the node of a cluster
   * @param commands the words of each command, the name first
   * @return for each command a {@code byte[]}, a {@code Long}, null, a {@code List} of these, or an
   *     {@link ErrorReply}
   * @throws SharedFilterException if there was no connection ({@link
   *     SharedFilterException#notSent}) or no answer ({@link SharedFilterException#unanswered})
   */
  List<@Nullable Object> send(byte[] key, List<byte[][]> commands);

  /** Returns whether the server is a cluster, in which two filters may be on different nodes. */
  boolean isCluster();

  /** Closes the connections that were opened for this object. */
  @Override
  void close();

  /**
   * The server's reply to a command that it refused.
   *
   * @param message the message of the server
   */
  record ErrorReply(String message) {}
}
