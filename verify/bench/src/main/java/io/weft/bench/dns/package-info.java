/// Messages of DNS beside Netty's codec, decoded and encoded without a channel.
@NullMarked
package io.weft.bench.dns;

import org.jspecify.annotations.NullMarked;
