/** Elastic Bloom filters: they fold, unfold, merge across sizes and keep their promises. */
@SuppressWarnings("module") // the vector module is optional, and built later
module dev.bellows {
  requires static transitive org.jspecify;
  requires com.dynatrace.hash4j;
  requires org.apache.commons.statistics.distribution;
  requires roaringbitmap;

  exports dev.bellows;
  exports dev.bellows.io;
  exports dev.bellows.io.foreign;
  exports dev.bellows.plan;
  exports dev.bellows.internal to
      dev.bellows.vector;

  uses dev.bellows.internal.BlockKernel;
}
