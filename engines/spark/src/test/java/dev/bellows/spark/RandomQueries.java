package dev.bellows.spark;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Queries from a seed, over tables with the columns k INT, s STRING, v BIGINT and d DOUBLE. Each
 * has one result: what is not deterministic for Spark's analysis gives the same values here.
 */
final class RandomQueries {
  private final SplittableRandom random;
  private final int depth;
  private final List<String> tables;
  private int aliases;

  RandomQueries(long seed, int depth, List<String> tables) {
    this.random = new SplittableRandom(seed);
    this.depth = depth;
    this.tables = tables;
  }

  private String oneOf(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  private String alias() {
    return "t" + aliases++;
  }

  private String table() {
    return tables.get(random.nextInt(tables.size()));
  }

  /** A query whose rows are counted and hashed. */
  String query() {
    String rows =
        "SELECT count(*) n, sum(hash(k, s, v, d)) h, max(k) m FROM " + relation(depth) + " q";
    return switch (random.nextInt(6)) {
      case 0 ->
          "SELECT k, count(*) n, min(s), max(v), min(d) FROM " + relation(depth) + " q GROUP BY k";
      case 1 -> common(rows);
      case 2 -> rows + " WHERE " + predicate("q", depth - 1);
      default -> rows;
    };
  }

  private String common(String rows) {
    String shared = relation(depth - 1);
    String left = alias();
    String right = alias();
    return "WITH c AS (SELECT * FROM %s x), e AS (%s) SELECT n, h, m, (SELECT count(*) FROM c %s JOIN %s %s ON %s) j FROM e"
        .formatted(shared, rows, left, oneIn(2) ? "c" : table(), right, condition(left, right));
  }

  /** A table or a query in parentheses. */
  private String relation(int depth) {
    if (depth == 0) {
      return table();
    }
    return switch (random.nextInt(16)) {
      case 0 -> "(SELECT * FROM %s x WHERE x.k > %d)".formatted(relation(depth - 1), number());
      case 1 -> {
        String of = alias();
        yield "(SELECT %s.* FROM %s %s WHERE %s)"
            .formatted(of, relation(depth - 1), of, predicate(of, depth));
      }
      case 2 ->
          "(SELECT k, min(s) s, sum(v) v, max(d) d FROM %s x GROUP BY k)"
              .formatted(relation(depth - 1));
      case 3 ->
          "(SELECT * FROM %s x %s SELECT * FROM %s y)"
              .formatted(
                  relation(depth - 1),
                  oneOf("UNION ALL", "UNION", "EXCEPT", "INTERSECT"),
                  relation(depth - 1));
      case 4 ->
          "(SELECT * FROM %s x ORDER BY k, s, v, d LIMIT %d)"
              .formatted(relation(depth - 1), 1 + random.nextInt(200));
      case 5 ->
          "(SELECT k, s, v, CAST(row_number() OVER (PARTITION BY k ORDER BY v, s, d) AS DOUBLE) d FROM %s x)"
              .formatted(relation(depth - 1));
      case 6 ->
          oneOf(
                  "(SELECT * FROM %s x WHERE rand() < 2)",
                  "(SELECT k + CAST(rand() AS INT) k, s, v, d FROM %s x)",
                  "(SELECT k, s, v + CAST(rand(3) AS INT) v, d FROM %s x)",
                  "(SELECT same(k) k, s, v, d FROM %s x)",
                  "(SELECT k, s, v, d FROM %s x LIMIT 1000000)",
                  "(SELECT DISTINCT k, s, v, d FROM %s x)",
                  "(SELECT plus_one(k) k, s, v, d FROM %s x)",
                  "(SELECT CAST(s AS INT) k, s, v, d FROM %s x WHERE s RLIKE '^[0-9]+$')")
              .formatted(relation(depth - 1));
      case 7 ->
          oneIn(2)
              ? table()
              : "(SELECT * FROM %s TABLESAMPLE (%d PERCENT) REPEATABLE (%d))"
                  .formatted(table(), oneIn(2) ? 100 : 40, number());
      case 8 -> oneOf("joined_view", "limited_view", "filtered_view");
      default -> joined(depth);
    };
  }

  private String joined(int depth) {
    String a = alias();
    String b = alias();
    String left = relation(depth - 1) + " " + a;
    String right = relation(depth - 1) + " " + b;
    String where = oneIn(2) ? " WHERE " + predicate(oneOf(a, b), depth) : "";
    String columns =
        oneOf(
                "%1$s.k, %2$s.s, %1$s.v, %2$s.d",
                "%2$s.k, %2$s.s, %1$s.v, %1$s.d",
                "%1$s.k, %1$s.s, %1$s.v, greatest(%1$s.d, %2$s.d) d")
            .formatted(a, b);
    return switch (random.nextInt(9)) {
      case 0, 1 ->
          "(SELECT %s.* FROM %s LEFT %s JOIN %s ON %s%s)"
              .formatted(
                  a,
                  left,
                  oneOf("SEMI", "SEMI", "ANTI"),
                  right,
                  condition(a, b),
                  oneIn(2) ? " WHERE " + predicate(a, depth) : "");
      case 2 ->
          "(SELECT %s FROM %s, %s WHERE %s%s)"
              .formatted(columns, left, right, condition(a, b), where.replace("WHERE", "AND"));
      case 3 ->
          "(SELECT %s FROM %s, LATERAL (SELECT * FROM %s x WHERE %s) %s%s)"
              .formatted(columns, left, table(), condition(a, "x"), b, where);
      default ->
          "(SELECT %s FROM %s %s JOIN %s ON %s%s)"
              .formatted(
                  columns,
                  left,
                  oneOf("INNER", "INNER", "LEFT", "RIGHT", "FULL"),
                  right,
                  condition(a, b),
                  where);
    };
  }

  private String condition(String a, String b) {
    return oneOf(
            "%1$s.k = %2$s.k",
            "%1$s.k = %2$s.k",
            "%1$s.k = %2$s.k",
            "%1$s.k = %2$s.v",
            "%1$s.s = %2$s.s",
            "%1$s.s = %2$s.k",
            "%1$s.d = %2$s.k",
            "%1$s.k = %2$s.k AND %1$s.s = %2$s.s",
            "%1$s.k = %2$s.k AND %1$s.v >= %2$s.v",
            "%1$s.k + 1 = %2$s.k",
            "plus_one(%1$s.k) = %2$s.k",
            "%1$s.k <=> %2$s.k AND %1$s.v = %2$s.v")
        .formatted(a, b);
  }

  private String predicate(String of, int depth) {
    String y = alias();
    String from = (depth > 1 && oneIn(2) ? relation(depth - 2) : table()) + " " + y;
    String simple = of + "." + oneOf("k > ", "v < ", "d >= ", "k = 3 * ") + number();
    return switch (random.nextInt(12)) {
      case 0 -> "%s.k IN (SELECT %s.k FROM %s)".formatted(of, y, from);
      case 1 ->
          "%s.k %s (SELECT %s.k FROM %s WHERE %s)"
              .formatted(of, oneOf("IN", "IN", "NOT IN"), y, from, correlation(of, y));
      case 2, 3 ->
          "%s (SELECT 1 FROM %s WHERE %s)"
              .formatted(oneOf("EXISTS", "NOT EXISTS"), from, correlation(of, y));
      case 4 -> {
        String z = alias();
        yield "%s (SELECT 1 FROM %s JOIN %s %s ON %s WHERE %s)"
            .formatted(
                oneOf("EXISTS", "NOT EXISTS"),
                from,
                table(),
                z,
                condition(y, z),
                correlation(of, y));
      }
      case 5 -> "%s.v > (SELECT avg(%s.v) FROM %s)".formatted(of, y, from);
      case 6 ->
          "%s.v >= (SELECT max(%s.v) FROM %s WHERE %s.k = %s.k)".formatted(of, y, from, y, of);
      case 7 ->
          "(%s OR EXISTS (SELECT 1 FROM %s WHERE %s))".formatted(simple, from, correlation(of, y));
      case 8 -> "(%s.s RLIKE '^[0-9]+$' AND %s)".formatted(of, simple);
      default -> simple;
    };
  }

  private String correlation(String outer, String inner) {
    return oneOf("%2$s.k = %1$s.k", "%2$s.v = %1$s.v", "%2$s.k = %1$s.k AND %2$s.d <= %1$s.d")
        .formatted(outer, inner);
  }

  private int number() {
    return random.nextInt(300);
  }

  /** Commands that fill, change and read an Iceberg table; the last one is a query. */
  List<String> change(String target) {
    List<String> commands = new ArrayList<>();
    commands.add(
        """
        CREATE OR REPLACE TABLE %s USING iceberg TBLPROPERTIES ('format-version' = '2',
          'write.merge.mode' = '%s', 'write.update.mode' = '%s', 'write.delete.mode' = '%s')
        AS SELECT * FROM %s\
        """
            .formatted(target, mode(), mode(), mode(), table()));
    String source = relation(1);
    String unique =
        "(SELECT k, min(s) s, max(v) v, max(d) d FROM %s x GROUP BY k)".formatted(source);
    commands.add(
        switch (random.nextInt(5)) {
          case 0 -> "DELETE FROM %s t WHERE %s".formatted(target, predicate("t", 1));
          case 1 -> "UPDATE %s t SET v = t.v + 1000 WHERE %s".formatted(target, predicate("t", 1));
          default ->
              "MERGE INTO %s t USING %s u ON t.k = u.k%s%s%s%s"
                  .formatted(
                      target,
                      unique,
                      oneIn(2) ? " WHEN MATCHED AND t.v % 3 = 0 THEN DELETE" : "",
                      " WHEN MATCHED THEN UPDATE SET v = u.v",
                      oneIn(2) ? " WHEN NOT MATCHED THEN INSERT *" : "",
                      oneIn(2) ? " WHEN NOT MATCHED BY SOURCE AND t.v < 50 THEN DELETE" : "");
        });
    commands.add("SELECT count(*), sum(hash(k, s, v, d)) FROM " + target);
    return commands;
  }

  private String mode() {
    return oneOf("copy-on-write", "merge-on-read");
  }
}
