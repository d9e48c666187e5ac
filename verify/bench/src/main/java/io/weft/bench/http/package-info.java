/// HTTP/1.1 beside Netty's: messages, header sections, and the texts in them.
@NullMarked
package io.weft.bench.http;

import org.jspecify.annotations.NullMarked;
