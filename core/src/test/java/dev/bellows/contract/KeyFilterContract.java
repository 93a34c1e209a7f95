package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.Filter;
import dev.bellows.HashScheme;
import dev.bellows.KeyFilter;
import dev.bellows.KeyHasher;
import dev.bellows.Membership;
import dev.bellows.io.Filters;
import dev.bellows.io.ReadOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every filter over keys promises; one subclass per kind and layout. */
public abstract class KeyFilterContract<F extends KeyFilter> {
  /** An empty filter for a few thousand keys. */
  protected abstract F create(HashScheme scheme);

  protected final F create() {
    return create(HashScheme.DEFAULT);
  }

  /** Answers queries for the filter's keys: the filter itself if it is a {@link Membership}. */
  protected Membership answers(KeyFilter filter) {
    return (Membership) filter;
  }

  @Test
  void everyKeyOfEveryTypeIsFound() {
    F filter = create();
    Membership asked = answers(filter);
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      long number = random.nextLong();
      byte[] bytes = new byte[random.nextInt(50)];
      random.nextBytes(bytes);
      UUID uuid = new UUID(random.nextLong(), random.nextLong());
      filter.put(number);
      filter.put((double) number, KeyHasher.DOUBLES);
      filter.put("key " + number);
      filter.put(bytes);
      filter.put(ByteBuffer.wrap(new byte[] {1, 2, 3, (byte) i}, 2, 2), KeyHasher.BUFFERS);
      filter.put(ByteBuffer.wrap(bytes).asReadOnlyBuffer(), KeyHasher.BUFFERS);
      filter.put(uuid, KeyHasher.UUIDS);
      filter.put(number, KeyHasher.of((Long key, dev.bellows.KeyHasher.Sink s) -> s.putLong(~key)));
      assertThat(asked.mightContain(number)).isTrue();
      assertThat(asked.mightContain((double) number, KeyHasher.DOUBLES)).isTrue();
      assertThat(asked.mightContain(new StringBuilder("key ").append(number))).isTrue();
      assertThat(asked.mightContain(bytes)).isTrue();
      assertThat(asked.mightContain(new byte[] {3, (byte) i})).isTrue();
      assertThat(asked.mightContain(ByteBuffer.wrap(bytes), KeyHasher.BUFFERS)).isTrue();
      assertThat(asked.mightContain(uuid, KeyHasher.UUIDS)).isTrue();
      assertThat(asked.mightContain(~number)).isTrue();
    }
  }

  @Test
  void aCharacterIsTextAndNotANumber() {
    F filter = create();
    F texts = create();
    filter.put('c');
    filter.put('\u00e9');
    texts.put("c");
    texts.put("\u00e9");
    assertThat(filter.toBytes()).isEqualTo(texts.toBytes());
    assertThat(answers(filter).mightContain("c")).isTrue();
    assertThat(answers(filter).mightContain('c')).isTrue();
    assertThat(answers(filter).mightContain((long) 'c')).isFalse();
  }

  @Test
  void nullsAreRefusedByName() {
    F filter = create();
    Membership asked = answers(filter);
    assertNull("key", () -> filter.put((String) null));
    assertNull("key", () -> filter.put((byte[]) null));
    assertNull("key", () -> filter.put(null, KeyHasher.LONGS));
    assertNull("hasher", () -> filter.put("a", null));
    assertNull("key", () -> filter.putAll(new String[1], KeyHasher.TEXT));
    assertNull("key", () -> asked.mightContain((String) null));
    assertNull("key", () -> asked.mightContain((byte[]) null));
    assertNull("key", () -> asked.mightContain(null, KeyHasher.UUIDS));
    assertNull("hasher", () -> asked.mightContain("a", null));
    if (filter instanceof KeyFilter.Removable removable) {
      assertNull("key", () -> removable.remove((String) null));
      assertNull("hasher", () -> removable.remove("a", null));
    }
    assertThat(filter.isEmpty()).isTrue();
  }

  private static void assertNull(String argument, ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(argument);
  }

  @Test
  void anEmptyFilterContainsNothing() {
    F filter = create();
    assertThat(LongStream.range(0, 10_000).filter(answers(filter).asLongPredicate())).isEmpty();
    assertThat(filter.stats().ones()).isIn(null, 0L);
    assertThat(filter.stats().expectedFpp()).isZero();
    assertThat(filter.stats().approximateKeys()).isZero();
  }

  @Test
  void batchesAnswerLikeSingleQueries() {
    F batch = create();
    F single = create();
    Membership batchAnswers = answers(batch);
    Membership singleAnswers = answers(single);
    long[] keys = LongStream.range(0, 1037).toArray();
    int changed = batch.putAll(keys);
    int changedSingly = 0;
    for (long key : keys) {
      changedSingly += single.put(key) ? 1 : 0;
    }
    assertThat(changed).isEqualTo(changedSingly);
    assertThat(batch.toBytes()).isEqualTo(single.toBytes());
    long[] asked = LongStream.range(-5000, 1037).toArray();
    boolean[] hits = new boolean[asked.length];
    int count = batchAnswers.countMightContain(asked, hits);
    int hitsSeen = 0;
    for (int i = 0; i < asked.length; i++) {
      assertThat(hits[i]).isEqualTo(singleAnswers.mightContain(asked[i]));
      hitsSeen += hits[i] ? 1 : 0;
    }
    assertThat(count).isEqualTo(hitsSeen).isGreaterThanOrEqualTo(keys.length);
    String[] texts = {"a", "b", "c"};
    batch.putAll(texts, KeyHasher.TEXT);
    assertThat(batchAnswers.countMightContain(texts, KeyHasher.TEXT, new boolean[3])).isEqualTo(3);
    assertThat(batchAnswers.asPredicate(KeyHasher.TEXT)).accepts("a", "b", "c");
    assertThatThrownBy(() -> batchAnswers.countMightContain(asked, new boolean[3]))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void bytesReadBackAreTheSameFilter(@TempDir Path directory) throws IOException {
    F filter = create();
    assertRoundTrip(filter);
    for (long i = 0; i < 1000; i++) {
      filter.put(i);
    }
    assertRoundTrip(filter);
    Path path = directory.resolve("a filter");
    filter.writeTo(path);
    Filter read = Filters.readFrom(path);
    assertThat(read).isEqualTo(filter);
    assertThat(Files.size(path)).isEqualTo(filter.sizeInBytes());
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(path);
    }
  }

  private static void assertRoundTrip(KeyFilter filter) throws IOException {
    byte[] bytes = filter.toBytes();
    Filter read = Filters.fromBytes(bytes);
    assertThat(read).isEqualTo(filter).hasSameHashCodeAs(filter);
    assertThat(read.toBytes()).isEqualTo(bytes);
    assertThat(read.stats()).isEqualTo(filter.stats());
    assertThat(bytes).hasSize((int) filter.sizeInBytes());
  }

  @Test
  void putsWorkAfterReading() throws IOException {
    F filter = create();
    filter.put(1L);
    KeyFilter read = (KeyFilter) Filters.fromBytes(filter.toBytes());
    read.put(2L);
    filter.put(2L);
    assertThat(read).isEqualTo(filter);
  }

  @Test
  void aSecretKeyNeverReachesTheFileAndAWrongOneIsRefused() throws IOException {
    byte[] secret = "sixteen byte key".getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    F filter = create(HashScheme.sipHash(secret));
    filter.put("attack at dawn");
    byte[] bytes = filter.toBytes();
    assertThat(new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1))
        .doesNotContain("sixteen");
    KeyFilter opened = (KeyFilter) read(bytes, HashScheme.sipHash(secret));
    assertThat(answers(opened).mightContain("attack at dawn")).isTrue();
    secret[0]++;
    assertThatThrownBy(() -> read(bytes, HashScheme.sipHash(secret)))
        .hasMessageContaining("not with the given siphash-2-4");
    assertThatThrownBy(() -> read(bytes, HashScheme.DEFAULT)).hasMessageContaining("xxh3-64");
    KeyFilter sealed = (KeyFilter) Filters.fromBytes(bytes);
    assertThat(sealed.stats().approximateKeys()).isPositive();
    assertThatThrownBy(() -> answers(sealed).mightContain("attack at dawn"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("secret key");
  }

  private static Filter read(byte[] bytes, HashScheme scheme) throws IOException {
    return Filters.fromBytes(bytes, ReadOptions.DEFAULT.withHashScheme(scheme));
  }

  @Test
  void seedsMakeDifferentFilters() {
    F one = create(HashScheme.xxh3(1));
    F two = create(HashScheme.xxh3(2));
    for (long i = 0; i < 100; i++) {
      one.put(i);
      two.put(i);
    }
    assertThat(one).isNotEqualTo(two);
    assertThat(LongStream.range(0, 100))
        .allMatch(answers(one)::mightContain)
        .allMatch(answers(two)::mightContain);
  }

  @Test
  void explainDescribesTheFilter() {
    F filter = create();
    filter.put(1L);
    assertThat(filter.explain()).contains("bits", "false positives", "keys");
    assertThat(filter.toString()).contains("bits");
  }
}
