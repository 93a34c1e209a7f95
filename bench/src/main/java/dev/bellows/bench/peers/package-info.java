/**
 * The contenders: one file per library, and in it a class for the plain filter and one for each
 * other role that the library can play.
 *
 * <p>A fork measures one contender in one role and loads no class of another contender, so that the
 * compiler sees one implementation behind each call and inlines it, for all contenders alike.
 */
@org.jspecify.annotations.NullMarked
package dev.bellows.bench.peers;
