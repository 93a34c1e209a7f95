package dev.bellows.parquet;

import org.apache.hadoop.conf.Configuration;

/** Local files named by address, replaced by renaming. */
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
