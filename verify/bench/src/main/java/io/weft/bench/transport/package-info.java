/// Channels, loops and pipelines beside Netty's, each engine a side.
@NullMarked
package io.weft.bench.transport;

import org.jspecify.annotations.NullMarked;
