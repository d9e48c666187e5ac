package io.weft.examples;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.LocalAddress;
import io.weft.eventloop.EventLoopGroup;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/// Sends lines to a server in the same JVM and prints what comes back. Channels within the JVM have
/// pipelines, loops and back-pressure as those of TCP, and no socket.
public final class LocalEcho implements AutoCloseable {
    private final EventLoopGroup group;
    private final Channel channel;

    private LocalEcho(EventLoopGroup group, Channel channel) {
        this.group = group;
        this.channel = channel;
    }

    public static void main(String[] args) throws IOException {
        if (List.of(args).contains("--help") || List.of(args).contains("-h")) {
            System.out.println("usage: local-echo, then lines until the end of the input");
            return;
        }
        if (args.length > 0) {
            new Failure(args[0] + ": unknown option (expected: none)", Failure.USAGE).exit();
        }
        var input = new InputStreamReader(System.in, StandardCharsets.UTF_8);
        var lines = new BufferedReader(input);
        try (LocalEcho echo = start(LocalEcho::show)) {
            for (String line; (line = lines.readLine()) != null; ) {
                echo.send(line + "\n");
            }
            echo.end();
        }
    }

    private static void show(String text) {
        System.out.print(text);
    }

    /// Listens at an address of its own and connects to it.
    static LocalEcho start(Consumer<String> heard) {
        EventLoopGroup group = EventLoopGroup.create(2);
        try {
            LocalAddress address = LocalAddress.unique();
            var _ =
                    new ServerBootstrap(group)
                            .childHandler(c -> c.pipeline().addLast(new Echo.EchoHandler()))
                            .bind(address)
                            .join();
            Channel channel =
                    new Bootstrap(group)
                            .handler(c -> c.pipeline().addLast(new PrintHandler(heard)))
                            .connect(address)
                            .join();
            return new LocalEcho(group, channel);
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    void send(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        channel.writeAndFlush(channel.allocator().allocate(bytes.length).writeBytes(bytes));
    }

    /// Waits until everything has come back.
    void end() {
        channel.shutdownOutput();
        var _ = channel.closeFuture().join();
    }

    @Override
    public void close() {
        group.close();
    }

    private record PrintHandler(Consumer<String> heard) implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                byte[] text = new byte[bytes.readableBytes()];
                bytes.readBytes(text);
                heard.accept(new String(text, StandardCharsets.UTF_8));
            }
        }
    }
}
