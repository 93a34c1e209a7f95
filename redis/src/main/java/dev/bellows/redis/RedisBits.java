package dev.bellows.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A connection to the server that holds the bits, safe from any thread. {@link JedisBits} is the
 * one for Jedis; a class for another client implements {@link #send} and nothing else. What is sent
 * are ordinary commands of Redis 6.2: ranges are read by GETRANGE, bits set and states switched by
 * scripts, stripes joined by BITOP.
 */
public interface RedisBits extends AutoCloseable {
  /**
   * Sends commands to the node that holds a key, in one round trip, and returns their replies in
   * the same order. The node must execute them in this order, on one connection; commands of other
   * clients may come between them. All keys of the commands are in the hash slot of the given one.
   *
   * @param key says which node of a cluster
   * @param commands the words of each command, the name first
   * @return for each command a {@code byte[]}, a {@code Long}, null, a {@code List} of these, or an
   *     {@link ErrorReply}
   * @throws SharedFilterException if there was no connection ({@link
   *     SharedFilterException#notSent}), or no answer ({@link SharedFilterException#unanswered})
   */
  List<@Nullable Object> send(byte[] key, List<byte[][]> commands);

  /** Returns whether the server is a cluster, in which two filters may be on different nodes. */
  boolean isCluster();

  /** Closes the connections that were made for this object. */
  @Override
  void close();

  /**
   * A reply with which the server refused a command.
   *
   * @param message what the server said
   */
  record ErrorReply(String message) {}
}
