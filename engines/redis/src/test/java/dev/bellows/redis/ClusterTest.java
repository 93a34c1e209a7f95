package dev.bellows.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.BloomFilter;
import dev.bellows.Layout;
import dev.bellows.plan.BloomPlan;
import dev.bellows.scalable.ScalableBloomFilter;
import dev.bellows.scalable.ScalablePlan;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.util.JedisClusterCRC16;

/** A cluster of three masters serves filters: each of them is on one node. */
class ClusterTest {
  private static final int SLOTS = 16_384;

  @TempDir Path folder;

  @Test
  void threeMastersServeFilters() throws Exception {
    List<RedisProcess> nodes = new ArrayList<>();
    try {
      for (int i = 0; i < 3; i++) {
        Path own = Files.createDirectory(folder.resolve("node" + i));
        nodes.add(
            RedisProcess.start(
                own,
                "--cluster-enabled",
                "yes",
                "--cluster-node-timeout", // no node is considered dead
                "" + RedisProcess.PATIENCE.toMillis()));
      }
      join(nodes);
      Set<HostAndPort> addresses = new HashSet<>();
      nodes.forEach(node -> addresses.add(new HostAndPort("127.0.0.1", node.port())));
      try (RedisClusterClient client =
          RedisClusterClient.builder()
              .nodes(addresses)
              .clientConfig(RedisProcess.patient().build())
              .build()) {
        serve(JedisBits.of(client));
      }
    } finally {
      nodes.forEach(RedisProcess::close);
    }
  }

  private static void join(List<RedisProcess> nodes) {
    for (int i = 0; i < nodes.size(); i++) {
      try (Jedis jedis = nodes.get(i).jedis()) {
        jedis.clusterAddSlots(IntStream.range(SLOTS * i / 3, SLOTS * (i + 1) / 3).toArray());
        jedis.sendCommand(
            redis.clients.jedis.Protocol.Command.CLUSTER, "SET-CONFIG-EPOCH", "" + (i + 1));
        if (i > 0) {
          jedis.clusterMeet("127.0.0.1", nodes.get(0).port());
        }
      }
    }
    for (RedisProcess node : nodes) {
      try (Jedis jedis = node.jedis()) {
        RedisProcess.await(
            () -> {
              String info = jedis.clusterInfo();
              return info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3");
            },
            nodes.toArray(new RedisProcess[0]));
      }
    }
  }

  private static void serve(JedisBits bits) {
    assertThat(bits.isCluster()).isTrue();
    Set<Integer> nodes = new HashSet<>();
    BloomPlan plan = new BloomPlan(Layout.Family.BLOCKED.withHashes(8), 512 * 720, 0);
    long[] keys = LongStream.range(0, 1500).toArray();
    BloomFilter local = BloomFilter.builder().shape(plan).build();
    local.putAll(keys);
    for (int i = 0; i < 12; i++) {
      String name = "filter " + i;
      nodes.add(3 * JedisClusterCRC16.getSlot("{" + name + "}") / SLOTS);
      SharedBloomFilter filter = SharedBloomFilter.create(bits, name, plan);
      filter.putAll(keys);
      assertThat(filter.download()).isEqualTo(local);
      filter.foldBy(i + 1 == 7 || i + 1 == 11 ? 1 : i + 1);
      assertThat(filter.mightContain(7)).isTrue();
    }
    assertThat(nodes).hasSize(3);
    SharedBloomFilter one = SharedBloomFilter.open(bits, "filter 1");
    SharedBloomFilter two = SharedBloomFilter.open(bits, "filter 0");
    two.put(-1);
    one.putAll(two);
    local.put(-1);
    assertThat(one.download()).isEqualTo(local.foldBy(2));
    SharedBloomFilter growing =
        SharedBloomFilter.create(
            bits, "grows", ScalablePlan.of(100, 0.01, 1000, Layout.Family.CLASSIC));
    growing.putAll(keys);
    assertThat(((ScalableBloomFilter) growing.download()).levels()).hasSizeGreaterThan(2);
    SharedBloomFilter elsewhere =
        SharedBloomFilter.create(
            bits, "more", ScalablePlan.of(100, 0.01, 1000, Layout.Family.CLASSIC));
    elsewhere.putAll(LongStream.range(5000, 5700).toArray());
    growing.putAll(elsewhere);
    boolean[] hits = new boolean[700];
    assertThat(growing.countMightContain(LongStream.range(5000, 5700).toArray(), hits))
        .isEqualTo(700);
    growing.drop();
    elsewhere.drop();
  }
}
