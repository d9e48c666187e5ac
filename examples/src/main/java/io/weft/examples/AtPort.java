package io.weft.examples;

import io.weft.channel.Bootstrap;
import io.weft.channel.ChannelInitializer;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.serial.SerialAddress;
import io.weft.transport.serial.SerialLine;
import io.weft.transport.serial.SerialOption;
import java.net.InetSocketAddress;

/// A server's handlers at a serial port, at 115200 baud, in place of connections.
record AtPort(EventLoopGroup group, String device) implements Example.Running {
    /// @throws RuntimeException when the port cannot be opened
    static AtPort open(Options options, ChannelInitializer initializer) {
        EventLoopGroup group = EventLoopGroup.create("auto", 1);
        try {
            var _ =
                    new Bootstrap(group)
                            .option(SerialOption.LINE, SerialLine.parse("115200,8N1"))
                            .handler(initializer)
                            .connect(SerialAddress.of(options.device()))
                            .join();
            return new AtPort(group, options.device());
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

    @Override
    public void close() {
        group.close();
    }
}
