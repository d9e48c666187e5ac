/// Messages of DNS beside Netty's codec, decoded and encoded without a channel, and names that are
/// in the cache beside its resolver.
@NullMarked
package io.weft.bench.dns;

import org.jspecify.annotations.NullMarked;
