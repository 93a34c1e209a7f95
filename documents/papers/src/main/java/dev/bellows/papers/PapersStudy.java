package dev.bellows.papers;

import dev.bellows.cli.verbs.Study;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Recomputes the items, two at a time; those that measure time come last and alone. */
public final class PapersStudy implements Study {
  @Override
  public String verb() {
    return "papers";
  }

  @Override
  public Report run(Request request, Steps steps) throws IOException {
    List<Item> items = Catalogue.named(request.only());
    Path folder = Objects.requireNonNull(request.out(), "out");
    steps.total(items.size());
    Map<Item, Outcome> outcomes = compute(items, steps);
    PaperPages pages = PaperPages.of(folder);
    for (Item item : items) {
      pages.add(item, Objects.requireNonNull(outcomes.get(item)));
    }
    pages.finish();
    List<Result> results = outcomes.values().stream().flatMap(o -> o.results().stream()).toList();
    return report(folder, items, results);
  }

  private static Map<Item, Outcome> compute(List<Item> items, Steps steps) {
    Map<Item, Future<Outcome>> tasks = new LinkedHashMap<>();
    ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    ExecutorService alone = Executors.newSingleThreadExecutor();
    try {
      for (Item item : items) {
        if (!item.timed()) {
          tasks.put(item, pool.submit(() -> step(item, steps)));
        }
      }
      Map<Item, Outcome> outcomes = new LinkedHashMap<>();
      items.forEach(item -> outcomes.put(item, new Outcome()));
      tasks.forEach((item, task) -> outcomes.put(item, get(item, task)));
      for (Item item : items) {
        if (item.timed()) {
          outcomes.put(item, get(item, alone.submit(() -> step(item, steps))));
        }
      }
      return outcomes;
    } finally {
      pool.shutdownNow();
      alone.shutdownNow();
    }
  }

  private static Outcome step(Item item, Steps steps) {
    Outcome outcome = item.compute();
    steps.done(item.id());
    return outcome;
  }

  private static Outcome get(Item item, Future<Outcome> task) {
    try {
      return task.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted in " + item.id(), e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(item.id() + " failed: " + e.getCause(), e.getCause());
    }
  }

  private static Report report(Path folder, List<Item> items, List<Result> results) {
    List<Map<String, ?>> list = new ArrayList<>();
    results.forEach(result -> list.add(result.fields()));
    List<Result> unexplained = results.stream().filter(Result::unexplained).toList();
    StringBuilder text = new StringBuilder();
    text.append("%d tables and figures. %s%n".formatted(items.size(), Verdicts.sentence(results)));
    unexplained.forEach(result -> text.append("  disagrees: ").append(result.id()).append('\n'));
    text.append("Read ").append(folder.resolve("index.md")).append('\n');
    return new Report(Map.of("results", list), text.toString(), unexplained.isEmpty());
  }
}
