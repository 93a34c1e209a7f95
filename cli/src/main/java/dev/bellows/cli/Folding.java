package dev.bellows.cli;

import dev.bellows.FoldSize;
import dev.bellows.FoldableFilter;
import dev.bellows.io.foreign.ForeignFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** What {@code fold} needs of a filter, ours or another library's. */
interface Folding {
  long bits();

  double expectedFpp();

  long bytes();

  List<FoldSize> ladder();

  Folding foldBy(long factor);

  Folding foldTo(long bits);

  Folding foldToFpp(double fpp);

  void writeTo(OutputStream out) throws IOException;

  /** One of ours. */
  record Own(FoldableFilter<?> filter) implements Folding {
    @Override
    public long bits() {
      return filter.bits();
    }

    @Override
    public double expectedFpp() {
      return filter.expectedFpp();
    }

    @Override
    public long bytes() {
      return filter.stats().bytes();
    }

    @Override
    public List<FoldSize> ladder() {
      return filter.ladder();
    }

    @Override
    public Folding foldBy(long factor) {
      return new Own(filter.foldBy(factor));
    }

    @Override
    public Folding foldTo(long bits) {
      return new Own(filter.foldTo(bits));
    }

    @Override
    public Folding foldToFpp(double fpp) {
      return new Own(filter.foldToFpp(fpp));
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      filter.writeTo(out);
    }
  }

  /** Another library's; it was not built to fold, so a wish may find no size that serves it. */
  record Foreign(ForeignFilter filter) implements Folding {
    @Override
    public long bits() {
      return filter.bits();
    }

    @Override
    public double expectedFpp() {
      return filter.expectedFpp();
    }

    @Override
    public long bytes() {
      return filter.stats().bytes();
    }

    @Override
    public List<FoldSize> ladder() {
      return filter.ladder();
    }

    @Override
    public Folding foldBy(long factor) {
      return new Foreign(filter.foldBy(factor));
    }

    @Override
    public Folding foldTo(long bits) {
      return new Foreign(filter.foldTo(bits));
    }

    @Override
    public Folding foldToFpp(double fpp) {
      ForeignFilter folded = filter.foldToFpp(fpp);
      if (folded.bits() == bits()) {
        throw new CommandFailure(
            "no folding has fpp %s: it has %s%s"
                .formatted(fpp, filter.describeDivisors(), firstStep()));
      }
      return new Foreign(folded);
    }

    /** What the smallest fold gives, if there is one. */
    String firstStep() {
      List<FoldSize> ladder = ladder();
      if (ladder.size() < 2) {
        return "";
      }
      FoldSize first = ladder.get(ladder.size() - 2);
      return ", and folded by %d its fpp is %s".formatted(first.factor(), first.expectedFpp());
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      filter.writeTo(out);
    }
  }
}
