package io.weft.examples;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.PassedDescriptor;
import io.weft.engine.PeerCredentials;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Passes listening sockets from a process to its successor, over a Unix socket; both are of the
/// same user. The successor says `take` and its transport; the sockets come with `sockets`; it says
/// `serving` when it accepts from them, and the old process stops to.
///
/// Both accept from the same queues in between: clients that connect meanwhile wait there, and none
/// is refused.
final class Takeover {
    private static final long PATIENCE_SECONDS = 30;

    private Takeover() {}

    /// Takes the sockets of the process that offers them at `path`.
    ///
    /// @return its connection, to say `serving` on, and the sockets; null when there is no such
    ///     process
    static @Nullable Taken take(EventLoopGroup group, Path path) throws IOException {
        if (!Files.exists(path)) {
            return null;
        }
        CompletableFuture<List<PassedDescriptor>> sockets = new CompletableFuture<>();
        int own = uid();
        Channel old;
        try {
            old =
                    new Bootstrap(group)
                            .option(ChannelOption.RECEIVE_DESCRIPTORS, true)
                            .handler(
                                    channel ->
                                            channel.pipeline()
                                                    .addLast(
                                                            new Taking(
                                                                    own,
                                                                    group.transport(),
                                                                    path,
                                                                    sockets)))
                            .connect(UnixDomainSocketAddress.of(path))
                            .join();
        } catch (RuntimeException e) {
            return null; // the file is left from a process that has ended
        }
        return new Taken(old, sockets.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join());
    }

    /// Sockets of another process.
    record Taken(Channel from, List<PassedDescriptor> sockets) {
        /// Says that they are accepted from.
        void serving() {
            say(from, "serving");
        }
    }

    private static final class Taking extends Lines {
        private final int own;
        private final String transport;
        private final Path path;
        private final CompletableFuture<List<PassedDescriptor>> sockets;

        Taking(
                int own,
                String transport,
                Path path,
                CompletableFuture<List<PassedDescriptor>> sockets) {
            this.own = own;
            this.transport = transport;
            this.path = path;
            this.sockets = sockets;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) throws IOException {
            if (isOf(own, ctx.channel())) {
                say(ctx.channel(), "take " + transport);
                return;
            }
            sockets.completeExceptionally(
                    new IOException(path + ": of another user (expected: a process of this one)"));
            ctx.channel().abort();
        }

        @Override
        void descriptors(List<PassedDescriptor> passed) {
            if (!sockets.complete(passed)) {
                passed.forEach(PassedDescriptor::close);
            }
        }

        @Override
        void line(ChannelHandlerContext ctx, String text) {
            sockets.completeExceptionally(new IOException("the other process says: " + text));
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            sockets.completeExceptionally(new IOException("the other process has ended"));
        }
    }

    /// Offers sockets at `path`, whose file is replaced.
    ///
    /// @param taken runs, on a loop, when a successor serves
    static ServerChannel offer(
            EventLoopGroup group, Path path, List<ServerChannel> listeners, Runnable taken)
            throws IOException {
        List<PassedDescriptor> sockets =
                listeners.stream()
                        .map(one -> one.eventLoop().submit(one::descriptor).join())
                        .map(PassedDescriptor::borrowed)
                        .toList();
        deleteSocket(path);
        int own = uid();
        return new ServerBootstrap(group)
                .childHandler(
                        channel ->
                                channel.pipeline()
                                        .addLast(
                                                new Offering(
                                                        own, group.transport(), sockets, taken)))
                .bind(UnixDomainSocketAddress.of(path))
                .join();
    }

    /// Deletes what a process before has left, and nothing else that a path may lead to by mistake.
    private static void deleteSocket(Path path) throws IOException {
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
                .isOther()) {
            throw new FileAlreadyExistsException(
                    path.toString(), null, "no socket (expected: a socket, or no file)");
        }
        Files.delete(path);
    }

    /// The user that this process runs as: of the files that it makes.
    private static int uid() throws IOException {
        Path file = Files.createTempFile("weft", null);
        try {
            return (int) Files.getAttribute(file, "unix:uid");
        } finally {
            Files.delete(file);
        }
    }

    /// Tells if the process at the other end is of the user `own`, or the superuser's: whoever can
    /// write to a socket's file, as with another umask many can, is not yet one to pass sockets to,
    /// and whoever has made the file is not one to take them from.
    private static boolean isOf(int own, Channel channel) throws IOException {
        PeerCredentials peer = channel.getOption(ChannelOption.SO_PEERCRED);
        return peer != null && (peer.uid() == own || peer.uid() == 0);
    }

    private static final class Offering extends Lines {
        private final int own;
        private final String transport;
        private final List<PassedDescriptor> sockets;
        private final Runnable taken;
        private boolean passed;

        Offering(int own, String transport, List<PassedDescriptor> sockets, Runnable taken) {
            this.own = own;
            this.transport = transport;
            this.sockets = sockets;
            this.taken = taken;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) throws IOException {
            if (!isOf(own, ctx.channel())) {
                ctx.channel().abort();
            }
        }

        @Override
        void descriptors(List<PassedDescriptor> received) {
            received.forEach(PassedDescriptor::close);
        }

        @Override
        void line(ChannelHandlerContext ctx, String text) {
            if (text.equals("take " + transport)) {
                passed = true;
                ctx.writeAndFlush(new DescriptorMessage(bytes("sockets"), sockets));
            } else if (text.equals("serving") && passed) {
                taken.run();
            } else if (text.equals("serving")) {
                ctx.channel().abort(); // from what? Nobody would be left that serves
            } else {
                say(ctx.channel(), "this process has the transport " + transport);
            }
        }
    }

    /// Lines of text, and descriptors between them.
    private abstract static class Lines implements ChannelHandler {
        private static final int MAX = 200;
        private final StringBuilder text = new StringBuilder();

        abstract void descriptors(List<PassedDescriptor> passed);

        abstract void line(ChannelHandlerContext ctx, String text);

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            if (message instanceof DescriptorMessage passed) {
                descriptors(passed.descriptors());
                passed.content().release(); // "sockets"
                return;
            }
            try (Buffer bytes = (Buffer) Objects.requireNonNull(message)) {
                text.append(bytes.readString(StandardCharsets.US_ASCII));
            }
            for (int end; (end = text.indexOf("\n")) >= 0; ) {
                String one = text.substring(0, end);
                text.delete(0, end + 1);
                line(ctx, one);
            }
            if (text.length() > MAX) {
                ctx.channel().abort();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.channel().abort();
        }
    }

    private static void say(Channel to, String text) {
        to.writeAndFlush(bytes(text));
    }

    private static Buffer bytes(String text) {
        Buffer bytes = BufferAllocator.pooled().allocate(text.length() + 1);
        bytes.writeBytes((text + "\n").getBytes(StandardCharsets.US_ASCII));
        return bytes;
    }
}
