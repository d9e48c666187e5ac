package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.codec.stomp.HeartBeats;
import io.weft.codec.stomp.StompCommand;
import io.weft.codec.stomp.StompDecoder;
import io.weft.codec.stomp.StompEncoder;
import io.weft.codec.stomp.StompException;
import io.weft.codec.stomp.StompFrame;
import io.weft.codec.stomp.StompHeaders;
import io.weft.codec.stomp.StompMessage;
import io.weft.codec.stomp.StompVersion;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One connection of a server.
final class StompConnection implements MessageHandler<StompMessage> {
    private static final int CONNECT_SECONDS = 10;
    private static final int MAX_SUBSCRIPTIONS = 1_024;

    /// Transactions of a connection, frames in all of them, and bytes of those.
    private static final int MAX_IN_TRANSACTIONS = 1_000;

    private static final int MAX_TRANSACTION_BYTES = 4 << 20;

    /// Bytes under way to the client above which it does not keep up.
    private static final int MAX_UNSENT = 256 << 10;

    private static final String NO_VERSION =
            "version: none that is known (expected: 1.0, 1.1 or 1.2)";

    private final StompDestinations destinations;
    private final StompDecoder decoder;
    private final StompEncoder encoder;
    private final StompBeats beats;
    private final Map<String, StompSubscription> subscriptions = new LinkedHashMap<>();
    private final Map<String, List<StompFrame>> transactions = new LinkedHashMap<>();
    private int inTransactions;
    private int transactionBytes;
    private StompVersion version = StompVersion.V1_2;
    private @Nullable Channel channel;

    /// Until the client has connected.
    private @Nullable Timeout timer;

    private boolean over;

    /// Bytes of messages that were not sent yet; the monitor of `destinations` guards it.
    private long unsent;

    StompConnection(
            StompDestinations destinations,
            StompDecoder decoder,
            StompEncoder encoder,
            StompBeats beats) {
        this.destinations = destinations;
        this.decoder = decoder;
        this.encoder = encoder;
        this.beats = beats;
    }

    @Override
    public Class<StompMessage> messageType() {
        return StompMessage.class;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        channel = ctx.channel();
        timer = ctx.eventLoop().schedule(ctx::close, CONNECT_SECONDS, TimeUnit.SECONDS);
    }

    private void cancelTimer() {
        if (timer != null) {
            var _ = timer.cancel();
            timer = null;
        }
    }

    // ---- messages to the client, with the monitor of the destinations ----

    boolean keepsUp() {
        return unsent < MAX_UNSENT;
    }

    /// Sends a message, which becomes the channel's.
    void send(StompSubscription to, String messageId, StompDelivery delivery) {
        Channel target = channel;
        if (target == null) {
            throw new IllegalStateException("no channel (expected: added to a pipeline)");
        }
        int size = delivery.size();
        unsent += size;
        Promise<Void> sent = target.newPromise();
        sent.addListener(
                _ -> {
                    synchronized (destinations) {
                        boolean before = keepsUp();
                        unsent -= size;
                        if (!before && keepsUp()) {
                            destinations.resume(List.copyOf(subscriptions.values()));
                        }
                    }
                });
        StompHeaders headers = delivery.told(to, messageId, version);
        target.writeAndFlush(new StompFrame(StompCommand.MESSAGE, headers, delivery.body()), sent);
    }

    // ---- frames of the client ----

    @Override
    public void messageRead(ChannelHandlerContext ctx, StompMessage message) {
        if (over || !(message instanceof StompFrame frame)) {
            return; // a heart-beat: bodies come whole here
        }
        StompHeaders headers = frame.headers();
        String problem =
                switch (frame.command()) {
                    case CONNECT, STOMP -> connect(ctx, headers);
                    case SEND -> inTransaction(frame) ? keep(frame) : send(List.of(frame));
                    case ACK, NACK -> inTransaction(frame) ? keep(frame) : acknowledge(frame);
                    case SUBSCRIBE -> subscribe(headers);
                    case UNSUBSCRIBE -> unsubscribe(key(headers));
                    case BEGIN -> begin(value(headers, "transaction"));
                    case COMMIT -> commit(value(headers, "transaction"));
                    case ABORT -> abort(value(headers, "transaction"));
                    default -> null;
                };
        String receipt = headers.get("receipt");
        if (problem != null) {
            fail(ctx, frame, problem, receipt);
        } else if (receipt != null) {
            ctx.writeAndFlush(StompFrame.of(StompCommand.RECEIPT, "receipt-id", receipt));
        }
        if (problem != null || frame.command() == StompCommand.DISCONNECT) {
            end();
            ctx.close();
        }
    }

    private static void fail(
            ChannelHandlerContext ctx, StompFrame frame, String problem, @Nullable String receipt) {
        List<String> headers = new ArrayList<>();
        headers.addAll(List.of("message", frame.command() + ": " + problem));
        if (receipt != null) {
            headers.addAll(List.of("receipt-id", receipt));
        }
        if (problem.equals(NO_VERSION)) {
            headers.addAll(List.of("version", "1.0,1.1,1.2"));
        }
        ctx.writeAndFlush(StompFrame.of(StompCommand.ERROR, headers.toArray(new String[0])));
    }

    private static String value(StompHeaders headers, String name) {
        String value = headers.get(name);
        return value == null ? "" : value;
    }

    private @Nullable String connect(ChannelHandlerContext ctx, StompHeaders headers) {
        StompVersion chosen = StompVersion.negotiate(headers.get("accept-version"));
        if (chosen == null) {
            return NO_VERSION;
        }
        HeartBeats theirs;
        try {
            theirs = HeartBeats.parse(headers.get("heart-beat"));
        } catch (IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
        cancelTimer();
        version = chosen;
        decoder.version(chosen);
        encoder.version(chosen);
        ctx.writeAndFlush(
                StompFrame.of(
                        StompCommand.CONNECTED,
                        "version",
                        chosen.text(),
                        "heart-beat",
                        StompBeats.OFFER.text(),
                        "server",
                        "weft"));
        beats.begin(ctx, theirs);
        return null;
    }

    private @Nullable String send(List<StompFrame> frames) {
        return destinations.send(frames) ? null : "a queue is full";
    }

    private @Nullable String acknowledge(StompFrame frame) {
        String id = messageId(frame.headers());
        boolean accepted = frame.command() == StompCommand.ACK;
        return destinations.acknowledge(List.copyOf(subscriptions.values()), id, accepted)
                ? null
                : "message " + id + ": not under way (expected: one to acknowledge)";
    }

    private String messageId(StompHeaders headers) {
        return value(headers, version == StompVersion.V1_2 ? "id" : "message-id");
    }

    // ---- subscriptions ----

    /// The identifier of a subscription, which in 1.0 may be its destination.
    private static String key(StompHeaders headers) {
        String id = headers.get("id");
        return id == null ? value(headers, "destination") : id;
    }

    private @Nullable String subscribe(StompHeaders headers) {
        StompSubscription.Mode mode = StompSubscription.Mode.of(headers.get("ack"));
        if (mode == null) {
            return "ack: unknown (expected: auto, client or client-individual)";
        }
        String id = key(headers);
        if (subscriptions.size() == MAX_SUBSCRIPTIONS || subscriptions.containsKey(id)) {
            return "subscription: in use, or too many (expected: another identifier)";
        }
        StompSubscription made =
                new StompSubscription(this, id, value(headers, "destination"), mode);
        subscriptions.put(id, made);
        return destinations.subscribe(made) ? null : "too many queues";
    }

    private @Nullable String unsubscribe(String id) {
        StompSubscription subscription = subscriptions.remove(id);
        if (subscription == null) {
            return "subscription: none of this identifier (expected: one)";
        }
        destinations.unsubscribe(subscription);
        return null;
    }

    // ---- transactions ----

    private static boolean inTransaction(StompFrame frame) {
        return frame.headers().contains("transaction");
    }

    private @Nullable String keep(StompFrame frame) {
        List<StompFrame> waiting = transactions.get(value(frame.headers(), "transaction"));
        int size = StompDelivery.size(frame.headers(), frame.body());
        if (waiting == null) {
            return "transaction: not begun (expected: begun)";
        }
        if (inTransactions == MAX_IN_TRANSACTIONS
                || transactionBytes + size > MAX_TRANSACTION_BYTES) {
            return "transaction: too large";
        }
        inTransactions++;
        transactionBytes += size;
        Buffer body = frame.body();
        Buffer mine = body.copy(body.readOffset(), body.readableBytes());
        waiting.add(new StompFrame(frame.command(), frame.headers(), mine));
        return null;
    }

    private @Nullable String begin(String transaction) {
        boolean good =
                transactions.size() < MAX_IN_TRANSACTIONS
                        && transactions.putIfAbsent(transaction, new ArrayList<>()) == null;
        return good ? null : "transaction: begun before, or too many";
    }

    private @Nullable List<StompFrame> take(String transaction) {
        List<StompFrame> frames = transactions.remove(transaction);
        if (frames != null) {
            inTransactions -= frames.size();
            frames.forEach(f -> transactionBytes -= StompDelivery.size(f.headers(), f.body()));
        }
        return frames;
    }

    private @Nullable String commit(String transaction) {
        List<StompFrame> frames = take(transaction);
        if (frames == null) {
            return "transaction: not begun (expected: begun)";
        }
        List<StompFrame> sends =
                frames.stream().filter(f -> f.command() == StompCommand.SEND).toList();
        String problem = send(sends);
        for (StompFrame frame : frames) {
            if (problem == null && frame.command() != StompCommand.SEND) {
                problem = acknowledge(frame);
            }
        }
        frames.forEach(StompFrame::close);
        return problem;
    }

    private @Nullable String abort(String transaction) {
        List<StompFrame> frames = take(transaction);
        if (frames == null) {
            return "transaction: not begun (expected: begun)";
        }
        frames.forEach(StompFrame::close);
        return null;
    }

    // ---- the end ----

    /// Ends subscriptions and transactions; frames that still come are ignored.
    private void end() {
        over = true;
        cancelTimer();
        List.copyOf(subscriptions.keySet()).forEach(this::unsubscribe);
        List.copyOf(transactions.keySet()).forEach(this::abort);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        end();
        StompFrame reply = cause instanceof StompException e ? e.reply() : null;
        if (reply != null) {
            ctx.writeAndFlush(reply);
        }
        ctx.close();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        end();
        ctx.fireChannelInactive();
    }
}
