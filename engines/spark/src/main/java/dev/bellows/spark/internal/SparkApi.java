package dev.bellows.spark.internal;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.ExperimentalMethods;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry;
import org.apache.spark.sql.catalyst.analysis.FunctionRegistry$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.internal.SessionState;
import org.apache.spark.sql.types.StringType;
import org.jspecify.annotations.Nullable;
import scala.None$;
import scala.collection.JavaConverters;
import scala.collection.immutable.Seq;

/**
 * API that differs between the supported versions of Spark, found by name when it is called, but
 * never per row. Everything else is the same bytecode on all of them.
 */
public final class SparkApi {
  /** The versions that this library is tested with. */
  static final String SUPPORTED = "Spark 3.5 (Scala 2.12 and 2.13), 4.1 and 4.2";

  private static final List<String> VERSIONS = List.of("3.5.", "4.1.", "4.2.");

  /** The Scala that these classes were compiled for. */
  private static final String SCALA = "2.13";

  private SparkApi() {}

  /** Refuses versions of Spark and Scala on which these classes do not work, in one sentence. */
  public static void requireSupported() {
    String problem =
        problemWith(
            org.apache.spark.package$.MODULE$.SPARK_VERSION(),
            scala.util.Properties$.MODULE$.versionNumberString());
    if (problem != null) {
      throw new UnsupportedOperationException(problem);
    }
  }

  static @Nullable String problemWith(String spark, String scala) {
    if (VERSIONS.stream().noneMatch(spark::startsWith)) {
      return "Bellows runs on %s, not on Spark %s".formatted(SUPPORTED, spark);
    }
    return scala.startsWith(SCALA + ".")
        ? null
        : "this is bellows-spark_%s, and Spark %s here runs on Scala %s: use bellows-spark_%s"
            .formatted(SCALA, spark, scala, scala.substring(0, scala.lastIndexOf('.')));
  }

  static <T> Seq<T> seq(List<T> elements) {
    return JavaConverters.asScalaBuffer(elements).toSeq();
  }

  static <T> List<T> list(scala.collection.Seq<T> elements) {
    return JavaConverters.seqAsJavaList(elements);
  }

  /** Returns a node of a plan; the options that a version of Spark adds at the end are not set. */
  static <T> T create(Class<T> type, Object... first) {
    Constructor<?> constructor = type.getConstructors()[0];
    Object[] arguments = Arrays.copyOf(first, constructor.getParameterCount());
    Arrays.fill(arguments, first.length, arguments.length, None$.MODULE$);
    try {
      return type.cast(constructor.newInstance(arguments));
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      throw unsupported(e.toString());
    }
  }

  /** Returns the expression of a column. */
  static Expression expression(Column column) {
    Method ofVersion4 = columnsOfVersion4("expression");
    return (Expression)
        (ofVersion4 == null
            ? call(column, require(Column.class, "expr"))
            : call(null, ofVersion4, column));
  }

  /** Returns an expression as a column. */
  static Column column(Expression expression) {
    Method ofVersion4 = columnsOfVersion4("column");
    if (ofVersion4 != null) {
      return (Column) call(null, ofVersion4, expression);
    }
    try {
      return Column.class.getConstructor(Expression.class).newInstance(expression);
    } catch (ReflectiveOperationException e) {
      throw unsupported(e.toString());
    }
  }

  private static @Nullable Method columnsOfVersion4(String name) {
    try {
      return find(Class.forName("org.apache.spark.sql.classic.ExpressionUtils"), name);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  /** Returns how Spark runs a query. */
  static QueryExecution queryExecution(Dataset<?> rows) {
    return (QueryExecution) call(rows, require(rows.getClass(), "queryExecution"));
  }

  /** Returns the functions of a session. */
  static FunctionRegistry functions(SparkSession session) {
    return ((SessionState) call(session, require(session.getClass(), "sessionState")))
        .functionRegistry();
  }

  /** Returns the rules that a session has in addition to Spark's. */
  static ExperimentalMethods rules(SparkSession session) {
    return (ExperimentalMethods) call(session, require(session.getClass(), "experimental"));
  }

  /** Returns what a session was extended with; sessions that begin later share it. */
  static SparkSessionExtensions extensions(SparkSession session) {
    return (SparkSessionExtensions) call(session, require(session.getClass(), "extensions"));
  }

  /** Returns the name under which registries keep a function of every session. */
  static FunctionIdentifier identifier(String name) {
    FunctionRegistry$ registry = FunctionRegistry$.MODULE$;
    Method qualified = find(registry.getClass(), "builtinFunctionIdentifier"); // since 4.2
    return qualified == null
        ? new FunctionIdentifier(name)
        : (FunctionIdentifier) call(registry, qualified, name);
  }

  /**
   * Returns whether texts of the type are equal only if their bytes are; since 4.0 some are not.
   */
  static boolean comparesBytes(StringType type) {
    Method asked = find(StringType.class, "supportsBinaryEquality");
    return asked == null || (Boolean) call(type, asked);
  }

  /** Returns the public method of a name that the type has once, or null. */
  private static @Nullable Method find(Class<?> type, String name) {
    for (Method method : type.getMethods()) {
      if (method.getName().equals(name)) {
        return method;
      }
    }
    return null;
  }

  private static Method require(Class<?> type, String name) {
    Method method = find(type, name);
    if (method == null) {
      throw unsupported("%s has no %s".formatted(type.getName(), name));
    }
    return method;
  }

  private static Object call(@Nullable Object target, Method method, Object... arguments) {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : unsupported(e.toString());
    } catch (IllegalAccessException e) {
      throw unsupported(e.toString());
    }
  }

  private static UnsupportedOperationException unsupported(String reason) {
    return new UnsupportedOperationException("Bellows runs on " + SUPPORTED + ": " + reason);
  }
}
