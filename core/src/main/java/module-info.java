/**
 * Elastic Bloom filters: they fold, unfold, merge across sizes and keep their false positive rate.
 */
@SuppressWarnings("module") // the modules of the qualified exports are compiled after this one
module dev.bellows {
  requires static transitive org.jspecify;
  requires com.dynatrace.hash4j;

  exports dev.bellows;
  exports dev.bellows.elastic;
  exports dev.bellows.foreign;
  exports dev.bellows.frozen;
  exports dev.bellows.growth;
  exports dev.bellows.io;
  exports dev.bellows.plan;
  exports dev.bellows.window;
  exports dev.bellows.internal.base to
      dev.bellows.autoscale,
      dev.bellows.durable,
      dev.bellows.parquet,
      dev.bellows.partition,
      dev.bellows.range,
      dev.bellows.redis,
      dev.bellows.scalable;
  exports dev.bellows.internal.bits to
      dev.bellows.autoscale,
      dev.bellows.parquet,
      dev.bellows.partition,
      dev.bellows.range,
      dev.bellows.redis,
      dev.bellows.scalable;
  exports dev.bellows.internal.counters to
      dev.bellows.autoscale;
  exports dev.bellows.internal.files to
      dev.bellows.autoscale,
      dev.bellows.durable,
      dev.bellows.parquet,
      dev.bellows.partition,
      dev.bellows.range,
      dev.bellows.redis,
      dev.bellows.scalable;
  exports dev.bellows.internal.layout to
      dev.bellows.autoscale,
      dev.bellows.durable,
      dev.bellows.parquet,
      dev.bellows.partition,
      dev.bellows.range,
      dev.bellows.redis,
      dev.bellows.scalable;
  exports dev.bellows.internal.math to
      dev.bellows.autoscale,
      dev.bellows.partition,
      dev.bellows.redis,
      dev.bellows.scalable;

  uses dev.bellows.io.FilterFormat.Provider;
}
