/**
 * Elastic Bloom filters: they fold, unfold, merge across sizes and keep their false positive rate.
 */
module dev.bellows {
  requires static transitive org.jspecify;
  requires com.dynatrace.hash4j;
  requires static roaringbitmap;

  exports dev.bellows;
  exports dev.bellows.autoscale;
  exports dev.bellows.elastic;
  exports dev.bellows.foreign;
  exports dev.bellows.growth;
  exports dev.bellows.io;
  exports dev.bellows.plan;
  exports dev.bellows.range;
}
