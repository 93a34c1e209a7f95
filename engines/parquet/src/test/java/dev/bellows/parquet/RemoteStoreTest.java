package dev.bellows.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Without the module that opens stores. */
class RemoteStoreTest {
  @Test
  void anAddressNeedsTheModuleThatOpensIt() {
    assertThatThrownBy(() -> RemoteStore.path("s3a://bucket/f"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("s3a://bucket/f")
        .hasMessageContaining("bellows-parquet-java");
  }

  @Test
  void pathsAreNotAddresses() {
    assertThat(new String[] {"hdfs://h/x", "s3a://b", "file:///x"})
        .allMatch(RemoteStore::isAddress);
    assertThat(new String[] {"", "x", "/x", "C:/x", "C://x", "s3a:/b/x", "a/b://c", "://x"})
        .noneMatch(RemoteStore::isAddress);
  }
}
