package dev.bellows.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.bellows.AllKinds;
import dev.bellows.BloomFilter;
import dev.bellows.Filter;
import dev.bellows.MappedFilter;
import dev.bellows.io.FilterKind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.NotSerializableException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Filters are serialized as the bytes of their files, and in no other way. */
class SerializationTest {
  static List<AllKinds.Example> examples() {
    return AllKinds.all().toList();
  }

  private static byte[] serialized(Object object) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(object);
    }
    return bytes.toByteArray();
  }

  private static Object read(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void everyKindIsDeserializedUnchanged(AllKinds.Example example) throws Exception {
    Filter filter = example.filter();
    if (example.name().equals("keyed")) {
      assertThatThrownBy(() -> serialized(filter))
          .isInstanceOf(NotSerializableException.class)
          .hasMessageContaining("secret key")
          .hasMessageContaining("toBytes()");
      return;
    }
    Object[] both = (Object[]) read(serialized(new Object[] {filter, "behind it"}));
    assertThat(both[0]).isEqualTo(filter).hasSameClassAs(filter);
    assertThat(both[1]).isEqualTo("behind it");
    assertThat(((Filter) both[0]).toBytes()).isEqualTo(filter.toBytes());
  }

  @Test
  void everyKindHasAnExample() {
    Set<FilterKind> kinds = EnumSet.noneOf(FilterKind.class);
    examples().forEach(example -> kinds.add(example.kind()));
    assertThat(kinds).containsExactly(FilterKind.values());
  }

  @Test
  void aFilterIsSerializedOncePerStream() throws Exception {
    BloomFilter filter = BloomFilter.create(100_000, 0.01);
    Object[] twice = (Object[]) read(serialized(new Object[] {filter, filter}));
    assertThat(twice[0]).isSameAs(twice[1]);
  }

  @Test
  void aMappedFilterIsDeserializedToTheHeap(@TempDir Path folder) throws Exception {
    BloomFilter filter = BloomFilter.create(100_000, 0.01);
    filter.put("alice");
    filter.writeTo(folder.resolve("f"));
    try (MappedFilter<BloomFilter> file = BloomFilter.map(folder.resolve("f"))) {
      BloomFilter mapped = file.filter();
      BloomFilter arrived = (BloomFilter) read(serialized(mapped));
      assertThat(arrived).isEqualTo(filter);
      assertThat(arrived.put("bob")).isTrue();
    }
  }

  @Test
  void everyDamagedFormIsRefused() throws Exception {
    BloomFilter filter = BloomFilter.create(20, 0.01);
    filter.put("alice");
    byte[] good = serialized(filter);
    int from = indexOf(good, Arrays.copyOf(filter.toBytes(), 8));
    assertThat(from).isPositive();
    for (int i = from; i < from + filter.toBytes().length; i++) {
      byte[] bad = good.clone();
      bad[i] ^= 0x10;
      assertThatThrownBy(() -> read(bad)).isInstanceOf(InvalidObjectException.class);
    }
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> read(cut)).isInstanceOf(IOException.class);
    }
  }

  /** A stream that names a filter's class itself, without fields, would give an empty shell. */
  @ParameterizedTest
  @MethodSource("examples")
  void aStreamWithoutTheFormIsRefused(AllKinds.Example example) throws Exception {
    Class<?> type = example.filter().getClass();
    byte[] name = type.getName().getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream forged = new ByteArrayOutputStream();
    forged.writeBytes(new byte[] {(byte) 0xac, (byte) 0xed, 0, 5, 0x73, 0x72});
    forged.write(name.length >> 8);
    forged.write(name.length);
    forged.writeBytes(name);
    long uid = ObjectStreamClass.lookup(type).getSerialVersionUID();
    for (int shift = 56; shift >= 0; shift -= 8) {
      forged.write((int) (uid >>> shift));
    }
    forged.writeBytes(new byte[] {2, 0, 0, 0x78, 0x70});
    assertThatThrownBy(() -> read(forged.toByteArray()))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("bytes of its file");
  }

  private static int indexOf(byte[] bytes, byte[] part) {
    for (int i = 0; i + part.length <= bytes.length; i++) {
      if (Arrays.equals(bytes, i, i + part.length, part, 0, part.length)) {
        return i;
      }
    }
    return -1;
  }
}
