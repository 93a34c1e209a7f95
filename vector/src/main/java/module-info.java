/** Optional: BLOCKED filters test and load their blocks with jdk.incubator.vector. */
module dev.bellows.vector {
  requires dev.bellows;
  requires jdk.incubator.vector;
  requires static org.jspecify;

  provides dev.bellows.internal.store.BlockKernel with
      dev.bellows.vector.VectorBlocks;
}
