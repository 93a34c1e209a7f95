package dev.bellows.cli.redis;

import dev.bellows.HashScheme;
import dev.bellows.cli.console.CommandFailure;
import dev.bellows.cli.console.Verb;
import dev.bellows.cli.keys.SchemeOptions;
import dev.bellows.redis.JedisBits;
import dev.bellows.redis.SharedBloomFilter;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.util.JedisURIHelper;

/** What all verbs about filters in a server share: where it is, and which filter. */
abstract class RedisVerb extends Verb {
  private static final String PASSWORD = "BELLOWS_REDIS_PASSWORD";

  /** The property with the milliseconds in which the server has to answer. */
  private static final String TIMEOUT = "bellows.redis.timeout";

  /** A server that writes its files may pause for seconds. */
  private static final int DEFAULT_TIMEOUT_MILLIS = 10_000;

  @Option(
      names = "--url",
      required = true,
      paramLabel = "URL",
      description =
          "The server: redis://user@host:port/database, rediss:// for TLS; the port is 6379 unless"
              + " given.")
  URI url;

  @Option(
      names = "--password-file",
      paramLabel = "FILE",
      description = "The password is the first line of FILE (default: $" + PASSWORD + ").")
  @Nullable String passwordFile;

  @Option(names = "--cluster", description = "The server is a node of a cluster.")
  boolean cluster;

  @Parameters(index = "0", paramLabel = "NAME", description = "The filter.")
  String name;

  /** Does the work while the server is connected. */
  abstract int run(JedisBits bits) throws IOException;

  @Override
  public final Integer call() throws IOException {
    boolean isRedis = JedisURIHelper.isRedisScheme(url) || JedisURIHelper.isRedisSSLScheme(url);
    if (!isRedis || url.getHost() == null) {
      throw misuse("--url " + url + " is not the address of a server: give redis://host:port");
    }
    if (url.getUserInfo() != null && url.getUserInfo().matches("(?s)[^:]*:.+")) {
      throw misuse(
          "--url has a password, which other users of this machine can see: take it out, and put it"
              + " into the variable "
              + PASSWORD
              + " or give --password-file");
    }
    String user = JedisURIHelper.getUser(url);
    String password = password();
    if (user != null && password == null) {
      throw misuse(
          "user '%s' of --url has no password: put it into the variable %s or give --password-file",
          user, PASSWORD);
    }
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .user(user)
            .password(password)
            .socketTimeoutMillis(Integer.getInteger(TIMEOUT, DEFAULT_TIMEOUT_MILLIS))
            .ssl(JedisURIHelper.isRedisSSLScheme(url));
    int port = url.getPort() < 0 ? Protocol.DEFAULT_PORT : url.getPort();
    HostAndPort address = new HostAndPort(url.getHost(), port);
    if (cluster) {
      try (RedisClusterClient client = connect(address, config.build())) {
        return run(JedisBits.of(client));
      }
    }
    config.database(JedisURIHelper.getDBIndex(url));
    try (RedisClient client =
        RedisClient.builder().hostAndPort(address).clientConfig(config.build()).build()) {
      return run(JedisBits.of(client));
    }
  }

  private static RedisClusterClient connect(HostAndPort address, JedisClientConfig config) {
    try {
      return RedisClusterClient.builder().nodes(Set.of(address)).clientConfig(config).build();
    } catch (JedisException e) {
      throw new CommandFailure("no cluster answers at " + address + ": " + e.getMessage(), e);
    }
  }

  private @Nullable String password() throws IOException {
    if (passwordFile == null) {
      return System.getenv(PASSWORD);
    }
    String line = Files.readString(Path.of(passwordFile)).lines().findFirst().orElse("");
    if (line.isEmpty()) {
      throw new CommandFailure("the first line of " + passwordFile + " is empty: write a password");
    }
    return line;
  }

  /** Opens a filter that keys are hashed for, with its secret key if it has one. */
  final SharedBloomFilter open(JedisBits bits, SchemeOptions options) throws IOException {
    HashScheme scheme = options.scheme();
    SharedBloomFilter filter =
        scheme == null
            ? SharedBloomFilter.open(bits, name)
            : SharedBloomFilter.open(bits, name, scheme);
    if (filter.hashScheme().isKeyed() && scheme == null) {
      throw new CommandFailure(
          "filter '%s' was made with a secret key: give it with --key-file", name);
    }
    return filter;
  }
}
