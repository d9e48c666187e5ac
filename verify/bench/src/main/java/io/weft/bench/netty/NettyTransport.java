package io.weft.bench.netty;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerSocketChannel;

/// Netty's three transports, each as shipped.
enum NettyTransport {
    EPOLL("epoll", EpollServerSocketChannel.class) {
        @Override
        IoHandlerFactory ioHandler() {
            return EpollIoHandler.newFactory();
        }
    },
    IO_URING("io_uring", IoUringServerSocketChannel.class) {
        @Override
        IoHandlerFactory ioHandler() {
            return IoUringIoHandler.newFactory();
        }
    },
    NIO("nio", NioServerSocketChannel.class) {
        @Override
        IoHandlerFactory ioHandler() {
            return NioIoHandler.newFactory();
        }
    };

    final String label;
    final Class<? extends ServerChannel> serverChannel;

    NettyTransport(String label, Class<? extends ServerChannel> serverChannel) {
        this.label = label;
        this.serverChannel = serverChannel;
    }

    abstract IoHandlerFactory ioHandler();

    static NettyTransport named(String label) {
        for (NettyTransport transport : values()) {
            if (transport.label.equals(label)) {
                return transport;
            }
        }
        throw new IllegalArgumentException(
                "transport: " + label + " (expected: epoll, io_uring or nio)");
    }
}
