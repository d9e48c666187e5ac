package io.weft.simulation;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// One connection of a client. It knows byte by byte what every answer must be, and what the
/// connection has been told: that it began, once, and that it ended, once.
final class Visit implements ChannelHandler {
    /// The ways in which a connection is ended.
    private enum Ending {
        CLOSE,
        ABORT,
        HALF_CLOSE,
        /// The server finds it idle some day.
        NONE,
        /// In the middle of a question, or of its answer.
        ABORT_EARLY,
        CLOSE_EARLY
    }

    private static final long PATIENCE_NANOS = 120_000_000_000L;

    private record Question(long key, int length) {}

    private final Client client;
    private final Dialect.Answers answers;
    private final ArrayDeque<Question> asked = new ArrayDeque<>();
    private final Ending ending;
    private int rounds;
    private boolean ended;
    private int actives;
    private int inactives;
    private @Nullable Timeout patience;

    Visit(Client client) {
        this.client = client;
        answers = client.dialect.answers();
        Ending[] endings = Ending.values();
        ending = endings[client.random.nextInt(endings.length)];
        rounds = 1 + client.random.nextInt(3);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        client.tally.connected++;
        if (++actives > 1) {
            client.tally.broken(client.name + ": active " + actives + " times");
        }
        Channel channel = ctx.channel();
        patience =
                client.schedule(
                        PATIENCE_NANOS,
                        () -> {
                            client.tally.cutShort++;
                            channel.abort();
                        });
        ask(ctx);
    }

    private void ask(ChannelHandlerContext ctx) {
        rounds--;
        int count = 1 + client.random.nextInt(3);
        for (int i = 0; i < count && ctx.channel().isWritable(); i++) {
            Question question = new Question(client.nextKey(), length());
            asked.add(question);
            Promise<Void> sent = ctx.channel().newPromise();
            client.unsent++;
            sent.addListener(_ -> client.unsent--);
            ctx.write(client.dialect.question(question.key, question.length), sent);
        }
        ctx.flush();
        if (rounds == 0 && ending == Ending.CLOSE_EARLY) {
            end(ctx.channel());
        } else if (ending == Ending.ABORT_EARLY) {
            Channel channel = ctx.channel();
            Timeout _ = client.schedule(client.random.nextLong(50_000_000), () -> end(channel));
        }
    }

    /// Mostly small.
    private int length() {
        return switch (client.random.nextInt(40)) {
            case 0 -> 1 + client.random.nextInt(Dialect.MAX);
            case 1, 2, 3, 4 -> 1 + client.random.nextInt(20_000);
            default -> 1 + client.random.nextInt(300);
        };
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        try (Buffer bytes = (Buffer) message) {
            while (bytes.isReadable()) {
                Question question = asked.peek();
                if (question == null) {
                    throw new IllegalStateException("bytes that answer nothing");
                }
                client.tally.bytes += bytes.readableBytes();
                rest(ctx.channel());
                client.simulation.note(1, bytes.readableBytes());
                if (!answers.take(bytes, question.key, question.length)) {
                    return;
                }
                asked.remove();
                client.tally.answers++;
                client.answers++;
            }
        } catch (Dialect.GivenUpException e) {
            client.tally.cutShort++;
            ctx.channel().abort();
        } catch (IllegalStateException e) {
            client.tally.broken(client.name + ": " + e.getMessage());
            ctx.channel().abort();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (!asked.isEmpty() || ended) {
            return;
        }
        if (rounds > 0) {
            ask(ctx);
        } else {
            end(ctx.channel());
        }
    }

    /// Now and then it does not read for a while.
    private void rest(Channel channel) {
        if (client.random.nextInt(50) == 0) {
            channel.autoRead(false);
            Timeout _ =
                    client.schedule(
                            client.random.nextLong(5_000_000_000L), () -> channel.autoRead(true));
        }
    }

    /// On the loop, or as from another thread.
    private void end(Channel channel) {
        if (client.random.nextInt(4) == 0 && ending != Ending.HALF_CLOSE) {
            long nanos = client.random.nextLong(1_000_000);
            client.simulation.after(Duration.ofNanos(nanos), () -> endNow(channel));
        } else {
            endNow(channel);
        }
    }

    private void endNow(Channel channel) {
        if (ended) {
            return;
        }
        ended = true;
        switch (ending) {
            case CLOSE, CLOSE_EARLY -> channel.close();
            case ABORT, ABORT_EARLY -> channel.abort();
            case HALF_CLOSE -> channel.shutdownOutput();
            case NONE -> {}
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        ctx.channel().close();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof java.io.IOException)) {
            client.tally.broken(client.name + ": " + cause);
        }
        ctx.channel().abort();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        if (++inactives > 1 || actives != 1) {
            client.tally.broken(
                    client.name + ": inactive " + inactives + ", active " + actives + " times");
        }
        if (patience != null) {
            patience.cancel();
        }
        client.tally.ends++;
        client.open--;
        client.think();
    }
}
