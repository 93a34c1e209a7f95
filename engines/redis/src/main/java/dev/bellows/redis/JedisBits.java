package dev.bellows.redis;

import dev.bellows.internal.base.Checks;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.security.cert.CertPathBuilderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.JedisURIHelper;

/** {@link RedisBits} over the pooled connections of Jedis, to one server or to a cluster. */
public final class JedisBits implements RedisBits {
  /**
   * The maximum number of times that a slot may move while one batch is sent; more means that the
   * cluster is not stable.
   */
  private static final int MOST_MOVES = 5;

  private final UnifiedJedis client;
  private final @Nullable RedisClusterClient cluster;
  private final boolean isOwner;

  private JedisBits(UnifiedJedis client, @Nullable RedisClusterClient cluster, boolean isOwner) {
    this.client = client;
    this.cluster = cluster;
    this.isOwner = isOwner;
  }

  /**
   * Connects to one server at {@code redis://user:password@host:port/database}, or {@code
   * rediss://} for TLS. Everything but the host is optional.
   */
  public static JedisBits connect(URI server) {
    return connect(server, Duration.ofMillis(Protocol.DEFAULT_TIMEOUT));
  }

  /**
   * Connects to one server with a timeout for its answers, which is 2 seconds by default. A change
   * that was sent but not answered in time {@link SharedFilterException#mayHaveHappened may have
   * happened}.
   */
  public static JedisBits connect(URI server, Duration timeout) {
    boolean isRedis = "redis".equals(server.getScheme()) || "rediss".equals(server.getScheme());
    if (!isRedis || server.getHost() == null) { // not shown, because it may contain a password
      throw new IllegalArgumentException(
          "this is not the address of a server: use redis://host:port or rediss://host:port");
    }
    int millis = Math.toIntExact(Checks.positive(timeout.toMillis(), "milliseconds of a timeout"));
    try {
      URI address = withPort(server);
      RedisClient client =
          RedisClient.builder()
              .hostAndPort(JedisURIHelper.getHostAndPort(address))
              .clientConfig(
                  DefaultJedisClientConfig.builder(address).socketTimeoutMillis(millis).build())
              .build();
      return new JedisBits(client, null, true);
    } catch (JedisException e) {
      throw new IllegalArgumentException("the address of the server: " + e.getMessage(), e);
    }
  }

  private static URI withPort(URI server) {
    if (server.getPort() >= 0) {
      return server;
    }
    String user = server.getRawUserInfo() == null ? "" : server.getRawUserInfo() + "@";
    return URI.create(
        "%s://%s%s:%d%s"
            .formatted(
                server.getScheme(),
                user,
                server.getHost(),
                Protocol.DEFAULT_PORT,
                server.getRawPath()));
  }

  /** Returns connections through a client that the caller has created and closes. */
  public static JedisBits of(RedisClient client) {
    return new JedisBits(Objects.requireNonNull(client, "client"), null, false);
  }

  /** Returns connections through a cluster client that the caller has created and closes. */
  public static JedisBits of(RedisClusterClient client) {
    return new JedisBits(Objects.requireNonNull(client, "client"), client, false);
  }

  @Override
  public boolean isCluster() {
    return cluster != null;
  }

  @Override
  public List<@Nullable Object> send(byte[] key, List<byte[][]> commands) {
    List<@Nullable Object> replies = once(key, commands);
    for (int move = 0; cluster != null && move < MOST_MOVES; move++) {
      List<Integer> moved = moved(replies);
      if (moved.isEmpty()) {
        break;
      }
      reached(
          () -> {
            cluster.refreshClusterTopology();
            return cluster;
          });
      List<@Nullable Object> again = once(key, moved.stream().map(commands::get).toList());
      for (int i = 0; i < moved.size(); i++) {
        replies.set(moved.get(i), again.get(i));
      }
    }
    replies.replaceAll(JedisBits::plain);
    return replies;
  }

  private static List<Integer> moved(List<@Nullable Object> replies) {
    List<Integer> moved = new ArrayList<>();
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i) instanceof JedisMovedDataException) {
        moved.add(i);
      }
    }
    return moved;
  }

  private static @Nullable Object plain(@Nullable Object reply) {
    return reply instanceof JedisDataException error
        ? new ErrorReply(String.valueOf(error.getMessage()))
        : reply;
  }

  private List<@Nullable Object> once(byte[] key, List<byte[][]> commands) {
    Connection connection = reached(() -> connection(key));
    try (connection) {
      for (byte[][] command : commands) {
        connection.sendCommand(arguments(command));
      }
      return new ArrayList<>(connection.getMany(commands.size()));
    } catch (JedisDataException e) {
      throw SharedFilterException.refused(String.valueOf(e.getMessage()));
    } catch (JedisException e) {
      String what =
          e.getCause() instanceof SocketTimeoutException
              ? "the server did not answer in time"
              : "the connection to the server broke";
      throw SharedFilterException.unanswered(what + " (" + e.getMessage() + ")", e);
    }
  }

  private static CommandArguments arguments(byte[][] command) {
    byte[] name = command[0];
    CommandArguments arguments = new CommandArguments(() -> name);
    for (int i = 1; i < command.length; i++) {
      arguments.add(command[i]);
    }
    return arguments;
  }

  private Connection connection(byte[] key) {
    return cluster != null
        ? cluster.getConnectionFromSlot(JedisClusterCRC16.getSlot(key))
        : ((RedisClient) client).getPool().getResource();
  }

  /** Returns the result of a call that needs a connection but changes nothing on the server. */
  private static <T> T reached(Supplier<T> connecting) {
    try {
      return connecting.get();
    } catch (JedisDataException e) {
      throw SharedFilterException.notSent(
          "the server refused the connection (" + e.getMessage() + "): check user and password", e);
    } catch (JedisException e) {
      throw SharedFilterException.notSent("no connection to the server (" + reason(e) + ")", e);
    }
  }

  private static String reason(Throwable e) {
    Throwable last = e;
    while (last.getCause() != null && last.getCause() != last) {
      last = last.getCause();
    }
    String text = String.valueOf(e.getMessage());
    String deepest = String.valueOf(last.getMessage());
    return (text.contains(deepest) ? text : text + ": " + deepest) + advice(last);
  }

  /** Returns advice about a connection that failed. */
  private static String advice(Throwable last) {
    if (last instanceof CertPathBuilderException) {
      return "; the server's certificate is not trusted: specify a trust store that contains it"
          + " with -Djavax.net.ssl.trustStore=FILE (for ./bellows, in BELLOWS_JAVA_OPTS)";
    }
    boolean wrongProtocol =
        last instanceof SSLException
            || last instanceof SocketTimeoutException
            || String.valueOf(last.getMessage()).contains("Connection reset");
    return wrongProtocol
        ? "; if the server is running, check the address: rediss:// for a port with TLS, redis://"
            + " for one without"
        : "";
  }

  @Override
  public void close() {
    if (isOwner) {
      client.close();
    }
  }
}
