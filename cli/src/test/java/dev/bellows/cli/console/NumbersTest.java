package dev.bellows.cli.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class NumbersTest {
  @ParameterizedTest
  @CsvSource({
    "0,0",
    "10000,10000",
    "10k,10000",
    "10K,10000",
    "1M,1000000",
    "2G,2000000000",
    "1T,1000000000000",
    "1.5M,1500000",
    "1e6,1000000",
    "1E6,1000000",
    "9.6M,9600000",
    "+5,5",
    "9223372036854775807,9223372036854775807"
  })
  void counts(String text, long value) {
    assertThat(Numbers.count(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "-1",
        "-1k",
        "1.5",
        "1e-1",
        "k",
        "ten",
        "1kk",
        "1KiB",
        "0x10",
        "1,000",
        "NaN",
        "Infinity",
        "9223372036854775808",
        "1e999",
        "1e999999999",
        "1e99999999999",
        "1_0"
      })
  void refusedCounts(String text) {
    assertThatThrownBy(() -> Numbers.count(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "65536,65536",
    "64KiB,65536",
    "64kib,65536",
    "1MiB,1048576",
    "2GiB,2147483648",
    "100kB,100000",
    "1M,1000000",
    "0.5KiB,512"
  })
  void sizes(String text, long value) {
    assertThat(new Numbers.Size().convert(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "KiB", "-1KiB", "1.3", "1B", "0.1KiB", "9000000TiB"})
  void refusedSizes(String text) {
    assertThatThrownBy(() -> new Numbers.Size().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "0.01,0.01", "1%,0.01", "1e-2,0.01", "1/100,0.01", "0.1%,0.001", "1/3,0.3333333333333333",
    ".5,0.5", "0,0", "1,1", "100%,1", "1e-9,1e-9", "1 %,0.01"
  })
  void probabilities(String text, double value) {
    assertThat(Numbers.probability(text)).isEqualTo(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "%", "/", "1/0", "0/0", "-0.1", "1.1", "101%", "5", "x", "NaN", "1/-2", "1//2"
      })
  void refusedProbabilities(String text) {
    assertThatThrownBy(() -> Numbers.probability(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageContaining("'" + text + "'")
        .hasMessageContaining("0.01, 1%, 1e-2 or 1/100");
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "42,42",
    "-1,-1",
    "0x5eed,24301",
    "0xffffffffffffffff,-1",
    "-9223372036854775808,-9223372036854775808"
  })
  void seeds(String text, long value) {
    assertThat(new Numbers.Seed().convert(text)).isEqualTo(value);
  }
}
