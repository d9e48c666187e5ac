/// Messages of brokers, stores, proxies and mail, beside Netty's codecs.
@NullMarked
package io.weft.bench.protocols;

import org.jspecify.annotations.NullMarked;
