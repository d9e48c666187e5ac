/// TLS in memory beside Netty's, over the JDK and over BoringSSL: both sides of a connection on one thread, tasks run by it.
@NullMarked
package io.weft.bench.tls;

import org.jspecify.annotations.NullMarked;
