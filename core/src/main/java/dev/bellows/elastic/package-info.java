/** Document 000 online: a filter that folds and unfolds to hold its rate while keys come and go. */
@NullMarked
package dev.bellows.elastic;

import org.jspecify.annotations.NullMarked;
