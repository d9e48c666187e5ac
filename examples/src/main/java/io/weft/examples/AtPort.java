package io.weft.examples;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.serial.SerialAddress;
import io.weft.transport.serial.SerialLine;
import io.weft.transport.serial.SerialOption;
import java.net.InetSocketAddress;

/// A server's handlers at a serial port, at 115200 baud, in place of connections.
final class AtPort implements Example.Running {
    private final EventLoopGroup group;
    private final Channel port;
    private final String device;
    private volatile boolean closing;

    private AtPort(EventLoopGroup group, Channel port, String device) {
        this.group = group;
        this.port = port;
        this.device = device;
    }

    /// @throws RuntimeException when the port cannot be opened
    static AtPort open(Options options, ChannelInitializer initializer) {
        EventLoopGroup group = EventLoopGroup.create("auto", 1);
        try {
            Channel port =
                    new Bootstrap(group)
                            .option(SerialOption.LINE, SerialLine.parse("115200,8N1"))
                            .handler(initializer)
                            .connect(SerialAddress.of(options.device()))
                            .join();
            return new AtPort(group, port, options.device());
        } catch (RuntimeException e) {
            group.close();
            throw e;
        }
    }

    @Override
    public String place(Options options) {
        return device;
    }

    /// @throws UnsupportedOperationException always: a port has none
    @Override
    public InetSocketAddress address() {
        throw new UnsupportedOperationException("address: of " + device);
    }

    @Override
    public String transport() {
        return "serial over " + group.transport();
    }

    /// A port that hung up does not come back.
    @Override
    public void whenGone(Runnable action) {
        var _ =
                port.closeFuture()
                        .addListener(
                                _ -> {
                                    if (!closing) {
                                        action.run();
                                    }
                                });
    }

    @Override
    public void close() {
        closing = true;
        group.close();
    }
}
