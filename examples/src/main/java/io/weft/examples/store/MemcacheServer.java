package io.weft.examples.store;

import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheEncoder;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.memcache.MemcachePart;
import io.weft.examples.Example;
import io.weft.examples.Options;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;

/// A memcached in memory, in the binary protocol and the text protocol, told apart by the first
/// byte. Try it with `memccapable -h 127.0.0.1 -p 11311`, or with
/// `printf 'set a 0 0 2\r\nhi\r\nget a\r\nquit\r\n' | nc 127.0.0.1 11311`.
public final class MemcacheServer {
    /// Values above 1 MiB are refused, as memcached does: they come in chunks, which are dropped.
    private static final MemcacheLimits LIMITS = MemcacheLimits.DEFAULT.wholeBytes(1 << 20);

    private static final MemcacheStore STORE =
            new MemcacheStore(() -> System.currentTimeMillis() / 1000);

    private MemcacheServer() {}

    public static void main(String[] args) {
        Example.main(11311, args, MemcacheServer::start);
    }

    static Example.Running start(Options options) {
        return Example.tcp(
                options,
                channel -> {
                    MemcacheDecoder decoder = MemcacheDecoder.requests(LIMITS);
                    channel.pipeline()
                            .addLast(new DecoderHandler<>(decoder))
                            .addLast(
                                    new EncoderHandler<>(MemcachePart.class, new MemcacheEncoder()))
                            .addLast(new MemcacheConnection(STORE, decoder));
                });
    }
}
