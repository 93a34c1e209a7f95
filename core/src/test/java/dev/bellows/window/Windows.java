package dev.bellows.window;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** Windows of all stores, for tests of what holds for each of them. */
final class Windows {
  static final Instant START = Instant.parse("2026-03-01T00:00:00.123Z");

  private Windows() {}

  /** A way to build a window. */
  record Form(String name, int generations) {
    /** A window for this many keys. */
    WindowFilter.Builder builder(Duration window, long keys, double fpp) {
      WindowFilter.Builder builder =
          WindowFilter.builder().window(window).generations(generations).fpp(fpp);
      return switch (name) {
        case "ring" -> builder.keys(keys);
        case "elastic" -> builder.keys(keys).elastic();
        default -> builder;
      };
    }

    @Override
    public String toString() {
      return name + " of " + generations;
    }
  }

  static Stream<Form> forms() {
    return Stream.concat(
        Stream.of("ring", "elastic", "prefixes")
            .flatMap(name -> Stream.of(3, 7, 15, 31).map(parts -> new Form(name, parts))),
        Stream.of(new Form("prefixes", 47)));
  }

  static Instant at(long millis) {
    return START.plusMillis(millis);
  }
}
