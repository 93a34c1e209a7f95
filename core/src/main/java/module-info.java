/** Elastic Bloom filters: they fold, unfold, merge across sizes and keep their promises. */
module dev.bellows {
  requires static transitive org.jspecify;
  requires com.dynatrace.hash4j;
  requires org.apache.commons.statistics.distribution;
  requires roaringbitmap;

  exports dev.bellows;
  exports dev.bellows.io;
  exports dev.bellows.io.foreign;
  exports dev.bellows.plan;
}
