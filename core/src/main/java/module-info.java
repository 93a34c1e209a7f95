/** Elastic Bloom filters: they fold, unfold, merge across sizes and keep their promises. */
@SuppressWarnings("module") // the vector module is optional, and built later
module dev.bellows {
  requires static transitive org.jspecify;
  requires com.dynatrace.hash4j;
  requires org.apache.commons.statistics.distribution;
  requires roaringbitmap;

  exports dev.bellows;
  exports dev.bellows.autoscale;
  exports dev.bellows.elastic;
  exports dev.bellows.foreign;
  exports dev.bellows.growth;
  exports dev.bellows.io;
  exports dev.bellows.plan;
  exports dev.bellows.range;
  exports dev.bellows.internal.store to
      dev.bellows.vector;

  uses dev.bellows.internal.store.BlockKernel;
}
