package dev.bellows.spark.internal;

import java.util.List;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

/** The SQL functions: their names, what DESCRIBE FUNCTION says, and what they become. */
public enum SqlFunctions {
  AGG(
      "bellows_agg",
      BuildAggregate.class,
      List.of(2, 3),
      "(key, fpp [, keys]) - Returns a Bloom filter of all values of key that are not null, of the size"
          + " they need at the rate fpp; with keys, of the size that at least so many keys need.",
      arguments -> new BuildAggregate(arguments, maxKeys(), 0, 0)),
  UNION_AGG(
      "bellows_union_agg",
      UnionAggregate.class,
      List.of(1),
      "(filter) - Returns a filter of every key of all filters, null if there is none.",
      arguments -> new UnionAggregate(arguments, 0, 0)),
  MIGHT_CONTAIN(
      "bellows_might_contain",
      MightContain.class,
      List.of(2),
      "(filter, value) - Returns false if value is surely not in the filter, else true.",
      MightContain::new),
  FOLD(
      "bellows_fold",
      FoldFilter.class,
      List.of(2),
      "(filter, fpp) - Returns the smallest folding of the filter whose rate is at most fpp.",
      FoldFilter::new),
  INFO(
      "bellows_info",
      DescribeFilter.class,
      List.of(1),
      "(filter) - Returns the size, fill, number of keys and rate of the filter as a struct.",
      DescribeFilter::new);

  private final String sqlName;
  private final Class<?> expression;
  private final List<Integer> arities;
  private final String usage;
  private final Function<Seq<Expression>, Expression> builder;

  SqlFunctions(
      String sqlName,
      Class<?> expression,
      List<Integer> arities,
      String usage,
      Function<Seq<Expression>, Expression> builder) {
    this.sqlName = sqlName;
    this.expression = expression;
    this.arities = arities;
    this.usage = usage;
    this.builder = builder;
  }

  public FunctionIdentifier identifier() {
    return new FunctionIdentifier(sqlName);
  }

  public ExpressionInfo info() {
    return new ExpressionInfo(
        expression.getName(),
        "",
        sqlName,
        "_FUNC_" + usage,
        "",
        "",
        "",
        "misc_funcs",
        "0.1.0",
        "",
        "");
  }

  public Expression build(Seq<Expression> arguments) {
    if (!arities.contains(arguments.size())) {
      throw new IllegalArgumentException(
          "%s takes %s arguments, not %d: %s%s"
              .formatted(
                  sqlName,
                  arities.size() == 1 ? arities.get(0) : "2 or 3",
                  arguments.size(),
                  sqlName,
                  usage.substring(0, usage.indexOf(')') + 1)));
    }
    return builder.apply(arguments);
  }

  /** The session's limit: a conf, not an argument, since it is about memory and not about keys. */
  private static long maxKeys() {
    String text =
        SQLConf.get()
            .getConfString(FilterSize.MAX_KEYS, Long.toString(FilterSize.DEFAULT_MAX_KEYS));
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "%s is a number of keys such as %d, not %s"
              .formatted(FilterSize.MAX_KEYS, FilterSize.DEFAULT_MAX_KEYS, text),
          e);
    }
  }
}
