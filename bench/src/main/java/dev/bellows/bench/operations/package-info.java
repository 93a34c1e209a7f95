/** The operations as JMH runs them; which contender plays is a parameter. */
@org.jspecify.annotations.NullMarked
package dev.bellows.bench.operations;
