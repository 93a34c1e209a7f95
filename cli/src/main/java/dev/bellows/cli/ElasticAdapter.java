package dev.bellows.cli;

import dev.bellows.HashScheme;
import dev.bellows.elastic.ElasticBloomFilter;

/** Kind elastic. */
final class ElasticAdapter extends KindAdapter<ElasticBloomFilter> {
  ElasticAdapter(ElasticBloomFilter filter) {
    super(filter);
  }

  @Override
  HashScheme hashScheme() {
    return filter.hashScheme();
  }

  @Override
  CodedKeys keys(boolean longs) {
    return CodedKeys.ofHashes(hashScheme(), filter::countMightContainHashes)
        .putting(filter::putHashes)
        .removing(GroupChange.each(filter::removeHash));
  }
}
