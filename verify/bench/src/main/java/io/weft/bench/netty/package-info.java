/// Netty's side of the comparisons.
@NullMarked
package io.weft.bench.netty;

import org.jspecify.annotations.NullMarked;
