package io.weft.client.memcache;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.BinaryStatus;
import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheEncoder;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.Opcode;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/// A small memcached on one loop, with keys that tell it to misbehave: `hang`, `drop`, `refuse` and
/// `foreign`.
final class ScriptedServer {
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Stored(byte[] value, int flags, long cas) {}

    private final ServerChannel channel;
    private final Map<String, Stored> items = new HashMap<>();
    private final List<String> users = new ArrayList<>();
    private final AtomicInteger drops = new AtomicInteger();
    private long cas;

    ScriptedServer(EventLoopGroup group) {
        channel =
                new ServerBootstrap(group)
                        .childHandler(
                                c ->
                                        c.pipeline()
                                                .addLast(
                                                        new DecoderHandler<>(
                                                                MemcacheDecoder.requests()))
                                                .addLast(
                                                        new EncoderHandler<>(
                                                                MemcachePart.class,
                                                                new MemcacheEncoder()))
                                                .addLast(new Answers()))
                        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .join();
    }

    int port() {
        return ((InetSocketAddress) channel.localAddress()).getPort();
    }

    List<String> users() {
        synchronized (users) {
            return List.copyOf(users);
        }
    }

    /// Drops so many connections when they tell their user.
    void dropUsers(int connections) {
        drops.set(connections);
    }

    /// Number of keys that are stored.
    int size() {
        synchronized (items) {
            return items.size();
        }
    }

    void close() {
        channel.close().join();
    }

    private final class Answers implements MessageHandler<BinaryMessage> {
        @Override
        public Class<BinaryMessage> messageType() {
            return BinaryMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, BinaryMessage request) {
            switch (request.key()) {
                case "hang" -> {}
                case "drop" -> ctx.close();
                case "refuse" ->
                        ctx.writeAndFlush(answer(request, BinaryStatus.OUT_OF_MEMORY, "no"));
                case "foreign" ->
                        ctx.writeAndFlush(
                                BinaryMessage.response(request.opcode(), 0)
                                        .opaque(~request.opaque())
                                        .build());
                default -> {
                    synchronized (items) {
                        run(ctx, request);
                    }
                }
            }
        }

        private void run(ChannelHandlerContext ctx, BinaryMessage request) {
            String key = request.key();
            Stored before = items.get(key);
            switch (Objects.requireNonNull(Opcode.of(request.opcode()))) {
                case GET -> {
                    if (before == null) {
                        ctx.writeAndFlush(answer(request, BinaryStatus.KEY_NOT_FOUND, "none"));
                    } else {
                        ctx.writeAndFlush(
                                BinaryMessage.response(request.opcode(), 0)
                                        .opaque(request.opaque())
                                        .cas(before.cas)
                                        .extras(before.flags)
                                        .value(before.value)
                                        .build());
                    }
                }
                case SET, ADD -> {
                    boolean taken = request.opcode() == Opcode.ADD.number() && before != null;
                    boolean other =
                            request.cas() != 0 && (before == null || before.cas != request.cas());
                    if (!taken && !other) {
                        items.put(key, new Stored(value(request), request.extra(0), ++cas));
                    }
                    ctx.writeAndFlush(
                            answer(
                                    request,
                                    taken || other ? BinaryStatus.KEY_EXISTS : BinaryStatus.OK,
                                    ""));
                }
                case DELETE ->
                        ctx.writeAndFlush(
                                answer(
                                        request,
                                        items.remove(key) == null
                                                ? BinaryStatus.KEY_NOT_FOUND
                                                : BinaryStatus.OK,
                                        ""));
                case INCREMENT -> {
                    if (before == null && request.extra(16) == -1) {
                        ctx.writeAndFlush(answer(request, BinaryStatus.KEY_NOT_FOUND, ""));
                        return;
                    }
                    long number =
                            before == null
                                    ? request.extraLong(8)
                                    : Long.parseLong(new String(before.value, UTF_8))
                                            + request.extraLong(0);
                    items.put(key, new Stored(Long.toString(number).getBytes(UTF_8), 0, ++cas));
                    ctx.writeAndFlush(
                            BinaryMessage.response(request.opcode(), 0)
                                    .opaque(request.opaque())
                                    .value(ByteBuffer.allocate(8).putLong(number).array())
                                    .build());
                }
                case STAT -> {
                    for (String name : List.of("pid", "items", "")) {
                        ctx.writeAndFlush(
                                BinaryMessage.response(request.opcode(), 0)
                                        .opaque(request.opaque())
                                        .key(name)
                                        .value(name.getBytes(UTF_8))
                                        .build());
                    }
                }
                case SASL_AUTH -> {
                    if (drops.getAndDecrement() > 0) {
                        ctx.close();
                        return;
                    }
                    String said = new String(value(request), UTF_8);
                    boolean known = said.endsWith("secret");
                    if (known) {
                        synchronized (users) {
                            users.add(key + " " + said);
                        }
                    }
                    ctx.writeAndFlush(
                            answer(request, known ? BinaryStatus.OK : BinaryStatus.AUTH_ERROR, ""));
                }
                case VERSION -> ctx.writeAndFlush(answer(request, BinaryStatus.OK, "scripted"));
                default -> ctx.writeAndFlush(answer(request, BinaryStatus.OK, ""));
            }
        }

        private static byte[] value(BinaryMessage request) {
            byte[] value = new byte[request.valueLength()];
            try (Buffer content = request.value()) {
                content.readBytes(value);
            }
            return value;
        }

        private static BinaryMessage answer(
                BinaryMessage request, BinaryStatus status, String text) {
            return BinaryMessage.response(request.opcode(), status.number())
                    .opaque(request.opaque())
                    .value(text.getBytes(UTF_8))
                    .build();
        }
    }
}
