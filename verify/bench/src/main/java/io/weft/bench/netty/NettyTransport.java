package io.weft.bench.netty;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.EpollDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDatagramChannel;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.channel.uring.IoUringDatagramChannel;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.channel.uring.IoUringServerDomainSocketChannel;
import io.netty.channel.uring.IoUringServerSocketChannel;
import io.netty.channel.uring.IoUringSocketChannel;

/// Netty's three transports, each as shipped.
public enum NettyTransport {
    EPOLL("epoll") {
        @Override
        public IoHandlerFactory ioHandler() {
            return EpollIoHandler.newFactory();
        }

        @Override
        public Class<? extends ServerChannel> serverChannel() {
            return EpollServerSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> channel() {
            return EpollSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> datagramChannel() {
            return EpollDatagramChannel.class;
        }

        @Override
        public Class<? extends ServerChannel> unixServerChannel() {
            return EpollServerDomainSocketChannel.class;
        }
    },
    IO_URING("io_uring") {
        @Override
        public IoHandlerFactory ioHandler() {
            return IoUringIoHandler.newFactory();
        }

        @Override
        public Class<? extends ServerChannel> serverChannel() {
            return IoUringServerSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> channel() {
            return IoUringSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> datagramChannel() {
            return IoUringDatagramChannel.class;
        }

        @Override
        public Class<? extends ServerChannel> unixServerChannel() {
            return IoUringServerDomainSocketChannel.class;
        }
    },
    NIO("nio") {
        @Override
        public IoHandlerFactory ioHandler() {
            return NioIoHandler.newFactory();
        }

        @Override
        public Class<? extends ServerChannel> serverChannel() {
            return NioServerSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> channel() {
            return NioSocketChannel.class;
        }

        @Override
        public Class<? extends Channel> datagramChannel() {
            return NioDatagramChannel.class;
        }

        @Override
        public Class<? extends ServerChannel> unixServerChannel() {
            return NioServerDomainSocketChannel.class;
        }
    };

    final String label;

    NettyTransport(String label) {
        this.label = label;
    }

    public abstract IoHandlerFactory ioHandler();

    public abstract Class<? extends ServerChannel> serverChannel();

    public abstract Class<? extends Channel> channel();

    public abstract Class<? extends Channel> datagramChannel();

    public abstract Class<? extends ServerChannel> unixServerChannel();

    /// @param label `epoll`, `io_uring` or `nio`
    public static NettyTransport named(String label) {
        for (NettyTransport transport : values()) {
            if (transport.label.equals(label)) {
                return transport;
            }
        }
        throw new IllegalArgumentException(
                "transport: " + label + " (expected: epoll, io_uring or nio)");
    }
}
