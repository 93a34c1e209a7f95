/** Hash functions, layouts, stores and fold kernels; not exported. */
@NullMarked
package dev.bellows.internal;

import org.jspecify.annotations.NullMarked;
