/// Messages of brokers and stores, beside Netty's codecs.
@NullMarked
package io.weft.bench.protocols;

import org.jspecify.annotations.NullMarked;
