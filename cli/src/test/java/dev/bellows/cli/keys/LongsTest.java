package dev.bellows.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongsTest {
  @Test
  void readsWhatJavaWrites() {
    Random random = new Random(3);
    for (int i = 0; i < 10_000; i++) {
      long value = random.nextLong() >> random.nextInt(64);
      assertThat(parse(Long.toString(value))).isEqualTo(value);
    }
    assertThat(parse("9223372036854775807")).isEqualTo(Long.MAX_VALUE);
    assertThat(parse("-9223372036854775808")).isEqualTo(Long.MIN_VALUE);
    assertThat(parse("+7")).isEqualTo(7);
    assertThat(parse(" 007 ")).isEqualTo(7);
    assertThat(parse("-0")).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-",
        "+",
        "+-1",
        "1.0",
        "1e3",
        "abc",
        "1 2",
        "0x1",
        "9223372036854775808",
        "-9223372036854775809",
        "99999999999999999999",
        "١"
      })
  void refusesTheRest(String text) {
    assertThatThrownBy(() -> parse(text))
        .isInstanceOf(NumberFormatException.class)
        .hasMessageContaining("'" + text + "'");
  }

  private static long parse(String text) {
    byte[] padded = ("<<" + text + ">>").getBytes(StandardCharsets.UTF_8);
    return Lines.parseLong(padded, 2, padded.length - 2);
  }
}
