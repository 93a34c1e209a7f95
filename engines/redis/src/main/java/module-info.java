/** A Bloom filter in a Redis or Valkey server, for any number of clients. */
@SuppressWarnings("requires-transitive-automatic") // Jedis has no descriptor, but a fixed name
module dev.bellows.redis {
  requires transitive dev.bellows;
  requires transitive dev.bellows.scalable;
  requires transitive redis.clients.jedis;
  requires static transitive org.jspecify;
  // required by Jedis, which cannot declare this because it has no descriptor
  requires org.apache.commons.pool2;
  requires org.slf4j;

  exports dev.bellows.redis;
}
