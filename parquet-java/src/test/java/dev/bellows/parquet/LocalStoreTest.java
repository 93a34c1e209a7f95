package dev.bellows.parquet;

import org.apache.hadoop.conf.Configuration;

/** Files of this machine by their addresses, replaced by renaming. */
class LocalStoreTest extends StoreContract {
  private final Configuration settings = new Configuration();

  @Override
  String address() {
    return "file://" + local + "/store";
  }

  @Override
  Configuration settings() {
    return settings;
  }
}
