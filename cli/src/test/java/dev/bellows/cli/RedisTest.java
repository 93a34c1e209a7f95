package dev.bellows.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code bellows redis} with a real server. */
class RedisTest {
  @TempDir static Path serverFolder;
  private static RedisServer server;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
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
    run("union", "u1", "u3").refused("grows and filter");
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
  void passwordsAreInNoArgument(@TempDir Path own) throws IOException {
    Path file = Files.writeString(folder.resolve("password"), "secret\n");
    try (RedisServer locked = RedisServer.start(own, "--requirepass", "secret")) {
      String open = locked.url();
      Cli.run("redis", "create", "--url", open, "p").refused("password");
      Cli.run("redis", "create", "--url", open, "--password-file", file, "p").succeeded();
      Cli.run("redis", "info", "--url", open.replace("//", "//:secret@"), "p")
          .refused("BELLOWS_REDIS_PASSWORD", "--password-file");
    }
    Cli.run("redis", "info", "--url", "http://x", "p").refused("redis://host:port");
    Cli.run("redis", "info", "--url", "redis://127.0.0.1:1", "p").refused("no connection");
    Cli.run("redis").refused("create, add, query");
  }
}
