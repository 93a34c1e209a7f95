"""Run where PySpark is present: python3 -m unittest discover engines/spark/python (needs BELLOWS_SPARK_JAR)."""

import os
import unittest

from bellows_spark import bloom_join

try:
    from pyspark.sql import SparkSession
except ImportError:
    SparkSession = None


class Arguments(unittest.TestCase):
    def test_columns_are_named(self):
        for on in ([], [1], 7):
            with self.assertRaises(TypeError):
                bloom_join(object(), object(), on)

    def test_a_remote_session_is_refused_in_one_sentence(self):
        class Remote:
            """Like a DataFrame of Spark Connect, which raises a subclass of AttributeError."""

            def __getattr__(self, name):
                raise AttributeError(f"[JVM_ATTRIBUTE_NOT_SUPPORTED] {name}")

        class Own:
            _jdf = None

        for sides in ((Remote(), Remote()), (Own(), Remote()), (object(), object())):
            with self.assertRaises(TypeError) as refused:
                bloom_join(*sides, "k")
            self.assertEqual(
                str(refused.exception),
                "bloom_join needs the driver's own session, not one of Spark Connect: start the server with"
                " spark.sql.extensions=dev.bellows.spark.BellowsExtensions, call the SQL functions, and set"
                " spark.bellows.join.enabled=true to filter joins",
            )


@unittest.skipUnless(
    SparkSession and "BELLOWS_SPARK_JAR" in os.environ,
    "needs PySpark, and the jar of bellows-spark in BELLOWS_SPARK_JAR",
)
class Joins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.jars", os.environ["BELLOWS_SPARK_JAR"])
            .config("spark.bellows.join.minRowsPerKey", 0)
            .getOrCreate()
        )

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def test_the_rows_are_those_of_the_plain_join(self):
        large = self.spark.range(10_000).selectExpr("id AS k", "id % 10 AS l")
        small = self.spark.range(0, 20_000, 7).selectExpr("id AS k", "id % 10 AS l")
        for how in ("inner", "left", "right", "outer", "left_semi", "left_anti"):
            for on in ("k", ["k", "l"]):
                ours = bloom_join(large, small, on, how).collect()
                self.assertEqual(sorted(ours, key=str), sorted(large.join(small, on, how).collect(), key=str))


if __name__ == "__main__":
    unittest.main()
