package dev.bellows.cli.kinds;

import dev.bellows.window.WindowFilter;

/** Kind window-prefixes: a window without a number of keys. */
final class WindowPrefixesAdapter extends WindowAdapter {
  WindowPrefixesAdapter(WindowFilter filter) {
    super(filter);
  }

  @Override
  public boolean statesBound() {
    return true;
  }

  @Override
  public String rateRemark() {
    return "the sum over its prefixes";
  }

  @Override
  public long foldedBy(long resultBits) {
    return 1;
  }
}
