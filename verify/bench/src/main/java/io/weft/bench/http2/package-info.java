/// HTTP/2 beside Netty's: header compression, and header fields.
@NullMarked
package io.weft.bench.http2;

import org.jspecify.annotations.NullMarked;
