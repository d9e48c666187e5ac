package io.weft.examples;

import io.weft.blocking.Connection;
import io.weft.blocking.Listener;
import io.weft.blocking.Protocol;
import io.weft.codec.Codec;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;

/// Sends back each line it gets, in straight-line code: each connection has a virtual thread. Try
/// it with `telnet 127.0.0.1 8024`.
public final class EchoBlocking {
    private static final int MAX_LINE = 1024;

    private static final Protocol<String, String> LINES =
            Protocol.of(
                    new Codec<>(
                            () -> new LineDecoder(MAX_LINE).then(new StringDecoder()),
                            String.class,
                            LineEncoder::new));

    private EchoBlocking() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8024, args, EchoBlocking::start);
    }

    private static void echo(Connection<String, String> connection) throws Exception {
        for (String line; (line = connection.read()) != null; ) {
            connection.write(line);
            connection.flush();
        }
    }

    static Example.Running start(Options options) {
        EventLoopGroup group = EventLoopGroup.create(options.transport(), options.loops());
        Listener<String, String> listener;
        try {
            Protocol<String, String> lines = LINES.handlers(Example.inTls(options, _ -> {}));
            listener = Listener.bind(group, options.address(), lines);
        } catch (IOException e) {
            group.close();
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            group.close();
            throw new IllegalStateException(e);
        }
        Thread.ofVirtual().start(() -> serve(listener));
        return new Example.Running() {
            @Override
            public InetSocketAddress address() {
                return (InetSocketAddress) listener.localAddress();
            }

            @Override
            public String transport() {
                return group.transport();
            }

            @Override
            public void close() {
                group.close();
            }
        };
    }

    private static void serve(Listener<String, String> listener) {
        try {
            listener.serve(EchoBlocking::echo);
        } catch (InterruptedException e) {
            listener.close();
        }
    }
}
