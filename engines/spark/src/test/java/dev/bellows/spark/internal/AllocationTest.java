package dev.bellows.spark.internal;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.bellows.BloomFilter;
import dev.bellows.HashScheme;
import java.lang.management.ManagementFactory;
import java.util.function.IntConsumer;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.jupiter.api.Test;

/** Rows make no garbage: what a call allocates is what Spark's own getters do, here nothing. */
class AllocationTest {
  private static final int CALLS = 200_000;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private final byte[] filter = filled().toBytes();
  private boolean answer;

  private static BloomFilter filled() {
    BloomFilter filter = BloomFilter.create(1000, 0.01);
    for (long i = 0; i < 1000; i++) {
      filter.put(i);
    }
    return filter;
  }

  private static void assertNoGarbage(IntConsumer call) {
    for (int i = 0; i < CALLS; i++) {
      call.accept(i);
    }
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < CALLS; i++) {
      call.accept(i);
    }
    long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertThat(allocated).as("bytes in %d calls", CALLS).isLessThan(CALLS / 10);
  }

  private static Probe probe(String ddl) {
    StructType row = StructType.fromDDL("value " + ddl);
    return new Probe(KeyType.of(row.apply(0).dataType()));
  }

  @Test
  void queriesAllocateNothing() {
    Probe longs = probe("BIGINT");
    assertNoGarbage(i -> answer ^= longs.mightContain(filter, (long) i));
    Probe doubles = probe("DOUBLE");
    assertNoGarbage(i -> answer ^= doubles.mightContain(filter, (double) i));
    UTF8String text = UTF8String.fromString("some text that is longer than a word");
    Probe texts = probe("STRING");
    assertNoGarbage(i -> answer ^= texts.mightContain(filter, text));
    Decimal price = Decimal.apply(12_345_600L, 18, 4);
    Probe decimals = probe("DECIMAL(18,4)");
    assertNoGarbage(i -> answer ^= decimals.mightContain(filter, price));
    InternalRow pair = new GenericInternalRow(new Object[] {7L, text, price});
    Probe structs = probe("STRUCT<a: BIGINT, b: STRING, c: DECIMAL(18,4)>");
    assertNoGarbage(i -> answer ^= !structs.hasNull(pair) && structs.mightContain(filter, pair));
  }

  @Test
  void keysThatAreKnownAllocateNothing() {
    KeyBuffer buffer = KeyBuffer.empty(FilterSize.of(0.01, 1000, 0));
    KeyType type = KeyType.of(StructType.fromDDL("value BIGINT").apply(0).dataType());
    InternalRow row = new GenericInternalRow(new Object[] {42L});
    assertNoGarbage(i -> buffer.putHash(type.hash(row, 0, HashScheme.DEFAULT)));
  }
}
