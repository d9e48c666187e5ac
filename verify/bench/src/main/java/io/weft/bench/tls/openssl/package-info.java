/// TLS beside Netty's engines: each engine as a machine, without channels, both ends on one thread.
@NullMarked
package io.weft.bench.tls.openssl;

import org.jspecify.annotations.NullMarked;
