/// Framing, Base64 and compression beside Netty's, in memory: on the handlers of a channel and,
/// where both have it, without one.
@NullMarked
package io.weft.bench.codec;

import org.jspecify.annotations.NullMarked;
