package io.weft.rivals;

import io.undertow.Undertow;
import io.undertow.util.Headers;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/// Undertow, answering on its I/O thread.
final class UndertowHello implements Hello.Server {
    @Override
    public int start() {
        ByteBuffer hello = ByteBuffer.allocateDirect(Hello.BYTES.length).put(Hello.BYTES).flip();
        Undertow server =
                Undertow.builder()
                        .addHttpListener(0, Hello.HOST)
                        .setIoThreads(1)
                        .setWorkerThreads(1)
                        .setHandler(
                                exchange -> {
                                    exchange.getResponseHeaders()
                                            .put(Headers.CONTENT_TYPE, "text/plain");
                                    exchange.getResponseSender().send(hello.duplicate());
                                })
                        .build();
        server.start();
        return ((InetSocketAddress) server.getListenerInfo().getFirst().getAddress()).getPort();
    }
}
