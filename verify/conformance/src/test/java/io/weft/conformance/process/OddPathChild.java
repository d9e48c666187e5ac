package io.weft.conformance.process;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.ServerBootstrap;
import io.weft.conformance.rig.Rig;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoopGroup;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.SockAddrUn;
import io.weft.ffi.Sockets;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// Serves Unix sockets whose peers have bound theirs to paths with bytes that no character of the
/// locale has. Prints what it sees of each.
final class OddPathChild {
    private OddPathChild() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createTempDirectory("odd");
        try (EventLoopGroup group = EventLoopGroup.create(args[0], 1)) {
            Path streams = directory.resolve("streams");
            new ServerBootstrap(group)
                    .childHandler(ch -> ch.pipeline().addLast(new Curious()))
                    .bind(UnixDomainSocketAddress.of(streams))
                    .join();
            for (String name : new String[] {"odd\u00ff", "plain"}) {
                int peer = peer(directory, name, Sockets.SOCK_STREAM);
                System.out.println("connect " + name.length() + " " + connect(peer, streams));
                if (!(args[0].equals("nio") && name.startsWith("odd"))) {
                    System.out.println("echo " + echo(peer));
                }
                Libc.close(peer);
            }
            if (!args[0].equals("nio")) {
                datagrams(group, directory);
            }
        }
        System.out.println("done");
    }

    private static void datagrams(EventLoopGroup group, Path directory) throws Exception {
        Path path = directory.resolve("datagrams");
        BlockingQueue<String> received = new LinkedBlockingQueue<>();
        Channel channel =
                new DatagramBootstrap(group)
                        .handler(
                                ch ->
                                        ch.pipeline()
                                                .addLast(
                                                        new ChannelHandler() {
                                                            @Override
                                                            public void channelRead(
                                                                    ChannelHandlerContext ctx,
                                                                    Object message) {
                                                                Datagram datagram =
                                                                        (Datagram) message;
                                                                received.add(
                                                                        "from "
                                                                                + datagram
                                                                                        .address());
                                                                datagram.close();
                                                            }
                                                        }))
                        .bind(UnixDomainSocketAddress.of(path))
                        .join();
        for (String name : new String[] {"sender\u00ff", "sender"}) {
            int peer = peer(directory, name, Sockets.SOCK_DGRAM);
            connect(peer, path);
            send(peer);
            String from = String.valueOf(received.poll(60, TimeUnit.SECONDS));
            System.out.println(from.replace(directory.toString(), ""));
            Libc.close(peer);
        }
        channel.close().join();
    }

    /// Asks for addresses, and echoes.
    private static final class Curious implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            String address = String.valueOf(ctx.channel().remoteAddress());
            System.out.println("active " + (address.equals("null") ? address : "address"));
            boolean _ = ctx.channel().toString().isEmpty();
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }

    private static int peer(Path directory, String name, int type) {
        int fd = Sockets.socket(Sockets.AF_UNIX, type | Sockets.SOCK_CLOEXEC, 0);
        long at = Memory.allocate(SockAddrUn.SIZE, 8);
        String path = directory + "/" + name;
        int length = SockAddrUn.writePath(path.getBytes(StandardCharsets.ISO_8859_1), at);
        int result = Sockets.bind(fd, at, length);
        if (result < 0) {
            throw new IllegalStateException("bind: " + result);
        }
        return fd;
    }

    private static int connect(int fd, Path to) {
        long at = Memory.allocate(SockAddrUn.SIZE, 8);
        byte[] path = to.toString().getBytes(StandardCharsets.ISO_8859_1);
        return Sockets.connect(fd, at, SockAddrUn.writePath(path, at));
    }

    private static int send(int fd) {
        try (Buffer bytes = Rig.buffer("x")) {
            return Sockets.send(fd, bytes.address(), 1, Sockets.MSG_NOSIGNAL);
        }
    }

    /// Counts the bytes that came back.
    private static int echo(int fd) {
        send(fd);
        try (Buffer bytes = Rig.buffer("y")) {
            return Sockets.recv(fd, bytes.address(), 1, 0);
        }
    }
}
