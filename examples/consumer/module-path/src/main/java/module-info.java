/** The program as a module. */
module shop {
  requires dev.bellows;
  requires dev.bellows.metrics;
  requires dev.bellows.parquet;
  requires dev.bellows.redis;
}
