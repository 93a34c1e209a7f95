package dev.bellows.cli.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.bellows.cli.Cli;
import dev.bellows.cli.Processes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

/** {@code bellows redis} with a real server. */
class RedisTest {
  @TempDir static Path serverFolder;
  private static RedisServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    String[] patient = RedisServer.PATIENT.substring("-D".length()).split("=");
    System.setProperty(patient[0], patient[1]);
    server = RedisServer.start(serverFolder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Cli.Result run(String what, Object... rest) {
    return with("", what, rest);
  }

  private static Cli.Result with(String input, String what, Object... rest) {
    Object[] words = new Object[rest.length + 4];
    words[0] = "redis";
    words[1] = what;
    words[2] = "--url";
    words[3] = server.url();
    System.arraycopy(rest, 0, words, 4, rest.length);
    return Cli.with(input, words);
  }

  @Test
  void createAddQueryInfoFoldDrop() throws IOException {
    Map<String, Object> made =
        run("create", "a", "--keys", "1000", "--fpp", "1%", "--json").succeeded().json();
    assertThat(made).containsEntry("name", "a").containsEntry("kind", "bloom");
    Path keys = Files.writeString(folder.resolve("keys"), Cli.numbers(0, 500));
    Map<String, Object> added = run("add", "a", keys, "--json").succeeded().json();
    assertThat(Cli.integer(added.get("lines"))).isEqualTo(500);
    assertThat(Cli.integer(added.get("new"))).isGreaterThan(490);
    assertThat(run("query", "a", "7", "499", "x").succeeded().out()).isEqualTo("7\n499\n");
    assertThat(with("7\nx\n", "query", "a", "-v").succeeded().out()).isEqualTo("x\n");
    assertThat(run("query", "a", "7", "8", "-c").succeeded().out()).isEqualTo("2\n");
    assertThat(run("query", "a", "x").code()).isEqualTo(1);
    assertThat(run("query", "a", "7", "x", "--json").succeeded().json())
        .containsEntry("keys", List.of("7"));
    Map<String, Object> info = run("info", "a", "--json").succeeded().json();
    assertThat(info).containsKeys("ones", "fill", "expectedFpp", "stripes", "pattern", "keyType");
    assertThat(run("info", "a").succeeded().out()).contains("A Bloom filter in Redis", "'a'");
    Path file = folder.resolve("a.bloom");
    run("download", "a", "-o", file).succeeded();
    assertThat(Cli.run("query", file, "7", "x").succeeded().out()).isEqualTo("7\n");
    Map<String, Object> folded = run("fold", "a", "--to-fpp", "20%", "--json").succeeded().json();
    assertThat(Cli.integer(folded.get("factor"))).isGreaterThan(1);
    assertThat(Cli.real(folded.get("expectedFpp"))).isLessThanOrEqualTo(0.2);
    assertThat(run("query", "a", "7").succeeded().out()).isEqualTo("7\n");
    assertThat(run("drop", "a").succeeded().out()).contains("dropped");
    run("query", "a", "7").refused("there is no filter 'a' on this server");
  }

  @Test
  void uploadAndUnion() throws IOException {
    Path one = folder.resolve("one");
    Path two = folder.resolve("two");
    Cli.with("a\nb\n", "build", "--bits", "5120", "--fpp", "1%", "-o", one).succeeded();
    Cli.with("c\n", "build", "--like", one, "-o", two).succeeded();
    run("upload", "u1", one).succeeded();
    run("upload", "u2", two).succeeded();
    run("union", "u1", "u2").succeeded();
    assertThat(run("query", "u1", "a", "b", "c", "d").succeeded().out()).isEqualTo("a\nb\nc\n");
    Path both = folder.resolve("both");
    Path local = folder.resolve("local");
    run("download", "u1", "-o", both).succeeded();
    Cli.run("union", one, two, "-o", local).succeeded();
    assertThat(both).hasSameBinaryContentAs(local);
    Path growing = folder.resolve("growing");
    Cli.with("a\n", "build", "--kind", "scalable", "-o", growing).succeeded();
    Path more = folder.resolve("more");
    Cli.with("b\n", "build", "--kind", "scalable", "-o", more).succeeded();
    run("upload", "u3", growing).succeeded();
    run("upload", "u4", more).succeeded();
    run("union", "u3", "u4").succeeded();
    assertThat(run("query", "u3", "a", "b", "c").succeeded().out()).isEqualTo("a\nb\n");
    run("union", "u1", "u3").refused("grows but filter");
    Path prints = folder.resolve("prints");
    Cli.with("a\n", "build", "--kind", "fingerprint", "-o", prints).succeeded();
    run("upload", "u5", prints).refused("only filters of kind bloom and scalable");
    run("drop", "u3").succeeded();
    run("drop", "u4").succeeded();
    run("drop", "u1").succeeded();
    run("drop", "u2").succeeded();
  }

  @Test
  void withoutASizeItGrows() throws IOException {
    run("create", "g", "--longs").succeeded();
    assertThat(with(Cli.numbers(0, 5000), "add", "g").succeeded().out()).contains("5,000");
    assertThat(run("query", "g", "4999").succeeded().out()).isEqualTo("4999\n");
    run("query", "g", "word").refused("word");
    Path file = folder.resolve("g.bellows");
    run("download", "g", "-o", file).succeeded();
    assertThat(Cli.run("info", file, "--json").succeeded().json())
        .containsEntry("kind", "scalable")
        .containsEntry("keyType", "longs");
    run("drop", "g").succeeded();
  }

  @Test
  void passwordsAreNotArguments(@TempDir Path own) throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "secret\n");
    String open;
    try (RedisServer locked = RedisServer.start(own, "--requirepass", "secret")) {
      open = locked.url();
      Cli.run("redis", "create", "--url", open, "p").refused("password");
      Cli.run("redis", "create", "--url", open, "--password-file", file, "p").succeeded();
      Cli.run("redis", "info", "--url", open.replace("//", "//:secret@"), "p")
          .refused("BELLOWS_REDIS_PASSWORD", "--password-file");
      assertThat(child(Map.of("BELLOWS_REDIS_PASSWORD", "secret"), "info", open, "p"))
          .contains("A Bloom filter in Redis");
      assertThat(child(Map.of("BELLOWS_REDIS_PASSWORD", "wrong"), "info", open, "p"))
          .contains("bellows: ", "password")
          .doesNotContain("wrong");
    }
    Cli.run("redis", "info", "--url", open, "--password-file", folder.resolve("none"), "p")
        .refused("none");
    Cli.run("redis", "info", "--url", "http://x", "p").refused("redis://host:port");
    Cli.run("redis", "info", "--url", "redis://127.0.0.1:1", "p").refused("no connection");
    String unknown = "x".repeat(64) + ".invalid"; // no resolver can ask for such a long label
    Cli.run("redis", "info", "--url", "redis://" + unknown, "p").refused(unknown);
    Cli.run("redis").refused("create, add, query");
  }

  /** Runs a command in a separate process with an environment. */
  private static String child(Map<String, String> environment, String verb, String url, String name)
      throws IOException {
    ProcessBuilder builder = Processes.bellows("redis", verb, "--url", url, name);
    builder.environment().put("JAVA_TOOL_OPTIONS", RedisServer.PATIENT);
    builder.environment().putAll(environment);
    return new String(builder.start().getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  @Test
  void aUserOfTheAccessList(@TempDir Path own) throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "pw\r\nsecond line\n");
    String rules =
        "--user default off --user ann on >pw ~{a* +@read +@write +@scripting +@connection"
            + " -@dangerous";
    String[] users = rules.split(" ");
    String[] reader = {"--user", "eve", "on", ">pw", "~*", "+@read", "+@connection"};
    String[] options = Stream.of(users, reader).flatMap(Stream::of).toArray(String[]::new);
    try (RedisServer server = RedisServer.start(own, options)) {
      String ann = server.url().replace("//", "//ann@");
      String eve = server.url().replace("//", "//eve@");
      Cli.run("redis", "create", "--url", ann, "--password-file", file, "a1").succeeded();
      Cli.with("x\n", "redis", "add", "--url", ann, "--password-file", file, "a1").succeeded();
      Cli.run("redis", "create", "--url", ann, "--password-file", file, "b1")
          .refused("NOPERM", "{name}*");
      assertThat(
              Cli.run("redis", "query", "--url", eve, "--password-file", file, "a1", "x")
                  .succeeded()
                  .out())
          .isEqualTo("x\n");
      Cli.with("y\n", "redis", "add", "--url", eve, "--password-file", file, "a1")
          .refused("NOPERM", "did not happen");
      Cli.run("redis", "info", "--url", server.url(), "--password-file", file, "a1")
          .refused("password");
      Cli.run("redis", "info", "--url", ann, "a1").refused("user 'ann'", "--password-file");
    }
  }

  @Test
  void aCluster(@TempDir Path own) throws IOException {
    try (RedisServer node = RedisServer.start(own, "--cluster-enabled", "yes")) {
      try (Jedis jedis = node.jedis()) {
        jedis.clusterAddSlots(IntStream.range(0, 16_384).toArray());
        while (!jedis.clusterInfo().contains("cluster_state:ok")) {
          assertThat(node.isAlive()).isTrue();
        }
      }
      String url = node.url();
      Cli.run("redis", "create", "--cluster", "--url", url, "c1", "--keys", "100").succeeded();
      Cli.run("redis", "create", "--cluster", "--url", url, "c2", "--keys", "100").succeeded();
      Cli.with("a\n", "redis", "add", "--cluster", "--url", url, "c1").succeeded();
      Cli.with("b\n", "redis", "add", "--cluster", "--url", url, "c2").succeeded();
      Cli.run("redis", "union", "--cluster", "--url", url, "c1", "c2").succeeded();
      assertThat(
              Cli.run("redis", "query", "--cluster", "--url", url, "c1", "a", "b", "c")
                  .succeeded()
                  .out())
          .isEqualTo("a\nb\n");
      Cli.run("redis", "drop", "--cluster", "--url", url, "c1").succeeded();
    }
    Cli.run("redis", "info", "--cluster", "--url", server.url(), "c1").refused("cluster");
    Cli.run("redis", "info", "--cluster", "--url", "redis://127.0.0.1:1", "c1")
        .refused("no cluster answers");
  }

  @Test
  void tls(@TempDir Path own) throws Exception {
    Path store = own.resolve("store.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    String options = "-genkeypair -alias server -keyalg RSA -storetype PKCS12 -storepass changeit";
    List<String> words = new ArrayList<>(List.of(keytool.toString()));
    words.addAll(List.of(options.split(" ")));
    words.addAll(List.of("-dname", "CN=localhost", "-ext", "SAN=dns:localhost,ip:127.0.0.1"));
    words.addAll(List.of("-keystore", store.toString()));
    Process pair = new ProcessBuilder(words).redirectErrorStream(true).start();
    String said = new String(pair.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(pair.waitFor()).as(said).isZero();
    KeyStore keys = KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    Path key =
        pem(own, "PRIVATE KEY", keys.getKey("server", "changeit".toCharArray()).getEncoded());
    Path certificate = pem(own, "CERTIFICATE", keys.getCertificate("server").getEncoded());
    List<String> tls = new ArrayList<>(List.of("--tls-auth-clients", "no"));
    tls.addAll(List.of("--tls-cert-file", "" + certificate, "--tls-key-file", "" + key));
    IntFunction<List<String>> all =
        port -> Stream.concat(tls.stream(), Stream.of("--tls-port", "" + tlsPort(port))).toList();
    try (RedisServer both = RedisServer.start(own, all)) {
      String url = "rediss://127.0.0.1:" + tlsPort(both.port());
      String trust =
          "-Djavax.net.ssl.trustStore=%s -Djavax.net.ssl.trustStorePassword=changeit %s"
              .formatted(store, RedisServer.PATIENT);
      Map<String, String> trusting = Map.of("JAVA_TOOL_OPTIONS", trust);
      assertThat(child(trusting, "create", url, "t")).contains("filter", "scalable");
      assertThat(child(trusting, "info", url, "t")).contains("A Bloom filter in Redis");
      Cli.run("redis", "info", "--url", url, "t").refused("not trusted", "trustStore");
      Cli.run("redis", "info", "--url", url.replace("rediss:", "redis:"), "t")
          .refused("no connection", "rediss:// for a port with TLS");
      assertThat(Cli.run("redis", "info", "--url", both.url(), "t").succeeded().out())
          .contains("'t'");
    }
  }

  private static int tlsPort(int port) {
    return port + 10_000;
  }

  private static Path pem(Path folder, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        folder.resolve(what.replace(' ', '-') + ".pem"),
        "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text));
  }
}
