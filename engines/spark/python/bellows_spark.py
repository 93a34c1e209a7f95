"""A Bloom filter before a join, from PySpark.

Needs a session whose class path has bellows-spark (``spark.jars.packages`` or ``--jars``)::

    from bellows_spark import bloom_join
    joined = bloom_join(sales, vips, on="customer", how="inner")

DataFrames of Spark Connect are refused: there, the SQL functions and the setting
``spark.bellows.join.enabled`` work if the server was started with
``spark.sql.extensions=dev.bellows.spark.BellowsExtensions``.
"""

__all__ = ["bloom_join"]


def bloom_join(df, other, on, how="inner"):
    """Join ``df``, the large side, with ``other`` on equal columns, as ``df.join(other, on, how)``.

    Rows of ``df`` that certainly have no match are dropped before they are shuffled, if the type of
    join drops them anyway; otherwise this is Spark's own join. The result is the same either way.

    :param df: the large side
    :param other: the small side, which is read twice
    :param on: the name of a column that both sides have, or a list of names
    :param how: the type of join, as in ``DataFrame.join``
    """
    names = [on] if isinstance(on, str) else list(on)
    if not names or not all(isinstance(name, str) for name in names):
        raise TypeError(f"on is a column name or a list of names, not {on!r}")
    for side in (df, other):
        if not hasattr(side, "_jdf"):
            raise TypeError(
                "bloom_join needs the driver's own session, not one of Spark Connect: start the"
                " server with spark.sql.extensions=dev.bellows.spark.BellowsExtensions, call the SQL"
                " functions, and set spark.bellows.join.enabled=true to filter joins"
            )
    gateway = df.sparkSession.sparkContext._gateway
    keys = gateway.new_array(gateway.jvm.java.lang.String, len(names))
    for i, name in enumerate(names):
        keys[i] = name
    try:
        join = gateway.jvm.dev.bellows.spark.BloomJoin.join
    except TypeError:
        raise RuntimeError(
            "bellows-spark is not on the class path: start the session with"
            " spark.jars.packages=dev.bellows:bellows-spark_2.13:VERSION"
        ) from None
    return type(df)(join(df._jdf, other._jdf, how, keys), df.sparkSession)
