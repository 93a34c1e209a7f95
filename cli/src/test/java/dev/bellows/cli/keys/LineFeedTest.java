package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.cli.Cli;
import dev.bellows.cli.console.CommandFailure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(600)
class LineFeedTest {
  private static final int MANY = 300_000;

  @Test
  void everyLineComesOnceAndInOrder() throws IOException {
    List<String> texts = new ArrayList<>();
    try (LineFeed feed = LineFeed.start(to -> read(to, Cli.numbers(0, MANY)))) {
      collect(feed, texts);
      assertThat(feed.next(() -> {})).isNull();
    }
    assertThat(texts).hasSize(MANY);
    for (int i = 0; i < MANY; i++) {
      assertThat(texts.get(i)).isEqualTo(Integer.toString(i));
    }
  }

  @Test
  void aReadErrorIsReportedAfterTheLinesBeforeIt() {
    for (Throwable failure :
        List.of(
            new IOException("disk gone"),
            new CommandFailure("no column"),
            new OutOfMemoryError("too long"))) {
      List<String> texts = new ArrayList<>();
      try (LineFeed feed =
          LineFeed.start(
              to -> {
                read(to, Cli.numbers(0, MANY));
                LineFeedTest.<RuntimeException>fail(failure);
              })) {
        assertThatThrownBy(() -> collect(feed, texts)).isSameAs(failure);
        assertThatThrownBy(() -> feed.next(() -> {})).isSameAs(failure);
      }
      assertThat(texts).hasSize(MANY);
    }
  }

  @Test
  void theReaderStopsWhenItsLinesAreNotConsumed() throws Exception {
    AtomicReference<Thread> reader = new AtomicReference<>();
    try (LineFeed feed =
        LineFeed.start(
            to -> {
              reader.set(Thread.currentThread());
              read(to, Cli.numbers(0, MANY));
            })) {
      assertThat(feed.next(() -> {})).isNotNull();
    }
    assertThat(reader.get().isDaemon()).isTrue();
    reader.get().join(TimeUnit.SECONDS.toMillis(50));
    assertThat(reader.get().isAlive()).isFalse();
  }

  @Test
  void resultsAreWrittenBeforeWaitingForInput() throws IOException {
    CountDownLatch waiting = new CountDownLatch(1);
    try (LineFeed feed =
        LineFeed.start(
            to -> {
              waiting.await();
              read(to, "a\n");
            })) {
      Lines lines = feed.next(waiting::countDown);
      assertThat(lines).isNotNull();
      assertThat(lines.count()).isEqualTo(1);
    }
  }

  private static void read(LineFeed feed, String text) throws IOException, InterruptedException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    feed.read(LineReaderTest.reader(new ByteArrayInputStream(bytes), Lines.MAX_LENGTH));
  }

  private static void collect(LineFeed feed, List<String> texts) throws IOException {
    for (Lines lines = feed.next(() -> {}); lines != null; lines = feed.next(() -> {})) {
      for (int i = 0; i < lines.count(); i++) {
        texts.add(lines.text(i));
      }
    }
  }

  @SuppressWarnings(
      "unchecked") // any throwable, such as an OutOfMemoryError, may occur in any thread
  private static <E extends Throwable> void fail(Throwable failure) throws E {
    throw (E) failure;
  }
}
