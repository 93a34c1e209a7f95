/**
 * The Folding paper online: a filter that folds and unfolds to keep its rate while keys are put and
 * removed.
 */
@NullMarked
package dev.bellows.elastic;

import org.jspecify.annotations.NullMarked;
