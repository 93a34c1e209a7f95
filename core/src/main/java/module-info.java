/**
 * Elastic Bloom filters: they fold, unfold, merge across sizes and keep their false positive rate.
 */
@SuppressWarnings("module") // the modules of the qualified exports are compiled after this one
module dev.bellows {
  requires static transitive org.jspecify;
  requires com.dynatrace.hash4j;
  requires static roaringbitmap;

  exports dev.bellows;
  exports dev.bellows.autoscale;
  exports dev.bellows.durable;
  exports dev.bellows.elastic;
  exports dev.bellows.foreign;
  exports dev.bellows.frozen;
  exports dev.bellows.growth;
  exports dev.bellows.io;
  exports dev.bellows.partition;
  exports dev.bellows.plan;
  exports dev.bellows.range;
  exports dev.bellows.window;
  exports dev.bellows.internal.answers to
      dev.bellows.redis;
  exports dev.bellows.internal.base to
      dev.bellows.parquet,
      dev.bellows.redis;
  exports dev.bellows.internal.bits to
      dev.bellows.parquet,
      dev.bellows.redis;
  exports dev.bellows.internal.files to
      dev.bellows.parquet,
      dev.bellows.redis;
  exports dev.bellows.internal.layout to
      dev.bellows.parquet,
      dev.bellows.redis;
  exports dev.bellows.internal.math to
      dev.bellows.redis;
}
