/// Buffers beside Netty's: each benchmark is named after Netty's of the same subject.
@NullMarked
package io.weft.bench.buffer;

import org.jspecify.annotations.NullMarked;
