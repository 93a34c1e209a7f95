package dev.bellows.spark.internal;

import java.util.function.Function;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;
import org.apache.spark.sql.internal.SQLConf;
import scala.collection.immutable.Seq;

/** The SQL functions: their names, what DESCRIBE FUNCTION says, and what they become. */
@SuppressWarnings("ImmutableEnumChecker") // the builders keep nothing
public enum SqlFunctions {
  AGG(
      "bellows_agg",
      BuildAggregate.class,
      2,
      "(key, fpp [, keys]) - Returns a Bloom filter of all values of key that are not null, of the"
          + " size they need at the rate fpp; with keys, of the size that at least this many keys"
          + " need.",
      arguments -> new BuildAggregate(arguments, maxKeys(), false, 0, 0)),
  FROZEN_AGG(
      "bellows_frozen_agg",
      BuildAggregate.class,
      2,
      "(key, fpp) - Returns a frozen filter of all values of key that are not null, about a third"
          + " smaller than that of bellows_agg: it can be queried and folded, but not united.",
      arguments -> new BuildAggregate(arguments, maxKeys(), true, 0, 0)),
  UNION_AGG(
      "bellows_union_agg",
      UnionAggregate.class,
      1,
      "(filter) - Returns a filter of every key of all filters, null if there is none.",
      arguments -> new UnionAggregate(arguments, 0, 0)),
  MIGHT_CONTAIN(
      "bellows_might_contain",
      MightContain.class,
      2,
      "(filter, value) - Returns false if value is certainly not in the filter, else true. Unlike a"
          + " comparison, it neither casts nor pads value: make it the type of the keys first, and"
          + " apply rtrim to CHAR columns on both sides. Refuses a filter whose no is not certain.",
      MightContain::new),
  FOLD(
      "bellows_fold",
      FoldFilter.class,
      2,
      "(filter, fpp) - Returns the smallest folding of the filter whose rate is at most fpp.",
      FoldFilter::new),
  INFO(
      "bellows_info",
      DescribeFilter.class,
      1,
      "(filter) - Returns the size, fill, number of keys and rate of the filter as a struct.",
      DescribeFilter::new);

  private final String sqlName;
  private final Class<?> expression;
  private final int arguments;
  private final String usage;
  private final Function<Seq<Expression>, Expression> builder;

  SqlFunctions(
      String sqlName,
      Class<?> expression,
      int arguments,
      String usage,
      Function<Seq<Expression>, Expression> builder) {
    this.sqlName = sqlName;
    this.expression = expression;
    this.arguments = arguments;
    this.usage = usage;
    this.builder = builder;
  }

  /**
   * Adds the functions to those that Spark calls built in, in every session from now on: only over
   * these does it create views that outlast a session.
   */
  public static void registerBuiltIn() {
    SparkApi.requireSupported();
    registerIn(FunctionRegistry$.MODULE$.builtin());
  }

  /** Adds the functions to a session, and to those that begin later. */
  public static void registerIn(SparkSession session) {
    registerBuiltIn();
    registerIn(SparkApi.functions(session));
  }

  /** Adds the functions to a registry. */
  private static void registerIn(FunctionRegistry registry) {
    for (SqlFunctions function : values()) {
      FunctionIdentifier name = SparkApi.identifier(function.sqlName);
      if (!registry.functionExists(name)) {
        registry.registerFunction(name, function.info(), function::build);
      }
    }
  }

  private ExpressionInfo info() {
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

  Expression build(Seq<Expression> given) {
    int most = this == AGG ? arguments + 1 : arguments;
    if (given.size() < arguments || given.size() > most) {
      throw new IllegalArgumentException(
          "%s takes %s arguments, not %d: %s%s"
              .formatted(
                  sqlName,
                  most == arguments ? most : arguments + " or " + most,
                  given.size(),
                  sqlName,
                  usage.substring(0, usage.indexOf(')') + 1)));
    }
    return builder.apply(given);
  }

  /**
   * Returns the session's limit: a conf, not an argument, since it is about memory and not about
   * keys.
   */
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
