/** Dynamic partition Bloom filters. */
module dev.bellows.partition {
  requires transitive dev.bellows;
  requires static transitive org.jspecify;
  requires static roaringbitmap;

  exports dev.bellows.partition;

  provides dev.bellows.io.FilterFormat.Provider with
      dev.bellows.partition.PartitionFormats;
}
