/// TLS in memory beside Netty's, on the engine of the JDK and on a native one: both ends of a
/// connection are handlers of embedded channels on one thread, which runs their tasks too.
@NullMarked
package io.weft.bench.tls;

import org.jspecify.annotations.NullMarked;
