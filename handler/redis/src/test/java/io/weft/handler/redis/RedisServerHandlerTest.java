package io.weft.handler.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespPart;
import io.weft.codec.redis.RespType;
import io.weft.codec.redis.RespValue.Array;
import io.weft.codec.redis.RespValue.Bulk;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Map;
import io.weft.codec.redis.RespValue.Push;
import io.weft.codec.redis.RespValue.SimpleString;
import io.weft.codec.redis.RespVersion;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RedisServerHandlerTest {
    private final List<RedisSession> sessions = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private boolean closed;
    private int large;
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    ChannelOptions.DEFAULT,
                    c ->
                            RedisServerHandler.addTo(
                                    c.pipeline(),
                                    session -> {
                                        sessions.add(session);
                                        return new Service(session);
                                    }));

    private final class Service implements RedisService {
        private final RedisSession session;

        Service(RedisSession session) {
            this.session = session;
        }

        @Override
        public void handle(Command command) {
            switch (command.name()) {
                case "PING" -> session.reply(SimpleString.PONG);
                case "ECHO" -> session.reply(new Bulk(command.argument(1)));
                case "NUMBER" -> session.reply(Bulk.of(String.valueOf(command.number(1))));
                case "HELLO" -> {
                    session.version(RespVersion.RESP3);
                    session.reply(new Map(List.of(Bulk.of("proto"), Bulk.of("3"))));
                }
                case "PARTS" -> {
                    session.reply(new RespPart.BulkStart(RespType.BULK, 2));
                    session.reply(new RespPart.BulkChunk(command.argument(1)));
                    session.reply(RespPart.BulkEnd.END);
                }
                case "PART" -> {
                    session.reply(new RespPart.AggregateStart(RespType.ARRAY, 2));
                    session.reply(SimpleString.OK);
                    throw failure(command);
                }
                case "WHOLE" -> {
                    session.reply(SimpleString.OK);
                    throw failure(command);
                }
                case "FAIL" -> throw failure(command);
                case "MEMORY" -> {
                    Array array = new Array(List.of(new Int(1), Bulk.of("x".repeat(300))));
                    refuseMemory();
                    session.reply(array);
                }
                case "LARGE" -> {
                    large++;
                    session.reply(Bulk.of("x".repeat(5 << 20)));
                }
                case "QUIT" -> {
                    session.reply(SimpleString.OK);
                    session.close();
                }
                default -> throw new IllegalStateException(command.name());
            }
        }

        private RuntimeException failure(Command command) {
            String message;
            try (Buffer argument = command.argument(1)) {
                message = argument.readString(ISO_8859_1);
            }
            return message.equals("argument")
                    ? new IllegalArgumentException(message)
                    : new IllegalStateException(message);
        }

        @Override
        public void closed() {
            closed = true;
        }
    }

    /// As an application has it that goes on behind failures.
    private void catchFailures() {
        channel.pipeline()
                .addLast(
                        new ChannelHandler() {
                            @Override
                            public void exceptionCaught(
                                    ChannelHandlerContext ctx, Throwable cause) {
                                AllocationTap.set(null);
                                failures.add(cause);
                            }
                        });
    }

    private static void refuseMemory() {
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
    }

    @AfterEach
    void close() {
        AllocationTap.set(null);
        channel.close();
    }

    @Test
    void pipelinedCommandsAreAnsweredInOrder() {
        channel.receive(
                "*1\r\n$4\r\nPING\r\n*2\r\n$4\r\nECHO\r\n$2\r\nab\r\nping\r\n*1\r\n$4\r\nPI");
        assertThat(channel.takeOutboundText()).isEqualTo("+PONG\r\n$2\r\nab\r\n+PONG\r\n");
        channel.receive("NG\r\n");
        assertThat(channel.takeOutboundText()).isEqualTo("+PONG\r\n");
    }

    @Test
    void versionsChangeWithHello() {
        channel.receive("HELLO 3\r\n");
        assertThat(channel.takeOutboundText()).isEqualTo("%1\r\n$5\r\nproto\r\n$1\r\n3\r\n");
    }

    @Test
    void repliesInPartsAreSent() {
        channel.receive("PARTS ab\r\n");
        assertThat(channel.takeOutboundText()).isEqualTo("$2\r\nab\r\n");
    }

    @Test
    void brokenCommandsAreAnsweredAndEndTheConnection() {
        channel.receive("PING\r\n*1\r\n:1\r\nPING\r\n");
        assertThat(channel.takeOutboundText()).startsWith("+PONG\r\n-ERR Protocol error: expected");
        assertThat(channel.isOutputShutdown() || channel.isClosed()).isTrue();
    }

    @Test
    void illegalArgumentsAreAnsweredAndTheConnectionGoesOn() {
        channel.receive("NUMBER x\r\nPING\r\n");
        assertThat(channel.takeOutboundText())
                .isEqualTo("-ERR value is not an integer or out of range\r\n+PONG\r\n");
    }

    @Test
    void failureWithoutAReplyIsAnsweredAndTheConnectionGoesOn() {
        catchFailures();
        channel.receive("FAIL state\r\nFAIL argument\r\nPING\r\n");
        assertThat(channel.takeOutboundText())
                .isEqualTo("-ERR internal error\r\n-ERR argument\r\n+PONG\r\n");
        assertThat(failures).hasSize(1);
    }

    /// An error behind it would be taken for an element, or for the reply to another command.
    @Test
    void failureBehindAReplyOrPartOfOneEndsTheConnection() {
        for (String failure : new String[] {"state", "argument"}) {
            for (String command : new String[] {"PART", "WHOLE"}) {
                RedisServerHandlerTest each = new RedisServerHandlerTest();
                each.catchFailures();
                each.channel.receive("PING\r\n" + command + " " + failure + "\r\nPING\r\n");
                assertThat(each.channel.takeOutboundText())
                        .isEqualTo(
                                "+PONG\r\n"
                                        + (command.equals("PART") ? "*2\r\n+OK\r\n" : "+OK\r\n"));
                assertThat(each.channel.isClosed() || each.channel.isOutputShutdown()).isTrue();
                assertThat(each.failures).hasSize(1);
                each.close();
            }
        }
    }

    @Test
    void replyThatFindsNoMemoryLeavesNoPartOfIt() {
        catchFailures();
        channel.receive("PING\r\nMEMORY\r\nPING\r\n");
        assertThat(channel.takeOutboundText())
                .isEqualTo("+PONG\r\n-ERR internal error\r\n+PONG\r\n");
    }

    @Test
    void connectionEndsWhenThereIsNoMemoryForAnError() {
        catchFailures();
        channel.receive("MEMORY\r\nPING\r\n");
        assertThat(channel.takeOutboundText()).isEmpty();
        assertThat(channel.isClosed() || channel.isOutputShutdown()).isTrue();
    }

    @Test
    void pushThatFindsNoMemoryLeavesNoPartOfIt() {
        catchFailures();
        RedisSession session = sessions.getFirst();
        session.push(Bulk.of("a"));
        Push large = new Push(List.of(Bulk.of("b"), Bulk.of("x".repeat(300))));
        refuseMemory();
        assertThatThrownBy(() -> session.push(large)).isInstanceOf(MemoryLimitException.class);
        AllocationTap.set(null);
        session.push(Bulk.of("c"));
        channel.runPending();
        assertThat(channel.takeOutboundText()).isEqualTo("$1\r\na\r\n$1\r\nc\r\n");
    }

    /// A subscriber that misses a message in silence would believe that there was none.
    @Test
    void pushOfAnotherThreadThatFindsNoMemoryEndsTheConnection() throws Exception {
        RedisSession session = sessions.getFirst();
        Push large = new Push(List.of(Bulk.of("b"), Bulk.of("x".repeat(300))));
        Thread.ofVirtual().start(() -> session.push(large)).join();
        refuseMemory();
        channel.runPending();
        AllocationTap.set(null);
        assertThat(channel.isReset()).isTrue();
    }

    @Test
    void pushesAreSentBetweenReplies() {
        sessions.getFirst().push(new Push(List.of(Bulk.of("a"))));
        sessions.getFirst().push(new Push(List.of(Bulk.of("b"))));
        channel.runPending();
        assertThat(channel.takeOutboundText()).isEqualTo("*1\r\n$1\r\na\r\n*1\r\n$1\r\nb\r\n");
    }

    @Test
    void largeRepliesWaitForThePeerAndReadingStops() {
        channel.limitWindow(100_000);
        channel.receive("LARGE\r\n");
        channel.receive("PING\r\nQUIT\r\n");
        channel.runPending();
        assertThat(channel.takeOutbound()).hasSize(100_000);
        channel.openWindow(Long.MAX_VALUE >> 1);
        channel.runPending();
        byte[] rest = channel.takeOutbound();
        assertThat(new String(rest, rest.length - 14, 14, ISO_8859_1))
                .isEqualTo("\r\n+PONG\r\n+OK\r\n");
        assertThat(channel.isClosed()).isTrue();
    }

    @Test
    void pipelinedCommandsWaitForThePeerToTakeReplies() {
        int commands = 40; // whose replies together are above what is held
        channel.limitWindow(100_000);
        channel.receive("LARGE\r\n".repeat(commands) + "PING\r\n*1\r\n:1\r\n");
        assertThat(large).isEqualTo(1);
        String end = channel.takeOutboundText();
        long length = end.length();
        while (!channel.isClosed()) {
            channel.openWindow(5 << 20);
            byte[] some = channel.takeOutbound();
            length += some.length;
            int last = Math.min(200, some.length);
            end = new String(some, some.length - last, last, ISO_8859_1);
        }
        assertThat(large).isEqualTo(commands);
        assertThat(length).isGreaterThan(commands * (5L << 20));
        assertThat(end).contains("x\r\n+PONG\r\n-ERR Protocol error: expected");
    }

    /// Ends the input in the batch of the first bytes, and closes, as TLS does with a close_notify.
    private static final class Ending implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
            ctx.fireChannelReadComplete();
            ctx.fireChannelInputClosed();
            ctx.channel().close();
        }
    }

    @Test
    void commandsThatWaitForThePeerAreAnsweredBeforeAnEndInTheirBatch() {
        channel.pipeline().addFirst("ending", new Ending());
        channel.limitWindow(100_000);
        channel.receive("LARGE\r\nLARGE\r\nPING\r\n");
        assertThat(channel.isClosed()).isFalse();
        channel.openWindow(Long.MAX_VALUE >> 1);
        channel.runPending();
        byte[] sent = channel.takeOutbound();
        assertThat(sent.length).isEqualTo(2 * (10 + (5 << 20) + 2) + 7);
        assertThat(new String(sent, sent.length - 7, 7, ISO_8859_1)).isEqualTo("+PONG\r\n");
        assertThat(channel.isClosed()).isTrue();
        assertThat(closed).isTrue();
    }

    @Test
    void endOfThePeerIsToldBehindCommandsThatWait() throws IOException {
        List<String> events = new ArrayList<>();
        channel.channel().setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline()
                .addFirst("ending", new HalfEnding())
                .addLast(
                        new ChannelHandler() {
                            @Override
                            public void channelInputClosed(ChannelHandlerContext ctx) {
                                events.add("end behind " + large);
                            }
                        });
        channel.limitWindow(100_000);
        channel.receive("LARGE\r\nLARGE\r\nLARGE\r\n");
        assertThat(events).isEmpty();
        channel.openWindow(Long.MAX_VALUE >> 1);
        channel.runPending();
        assertThat(events).containsExactly("end behind 3");
    }

    private static final class HalfEnding implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
            ctx.fireChannelReadComplete();
            ctx.fireChannelInputClosed();
        }
    }

    @Test
    void secondCloseDoesNotWaitForCommands() {
        channel.pipeline().addFirst("ending", new Ending());
        channel.limitWindow(100_000);
        channel.receive("LARGE\r\nLARGE\r\n");
        assertThat(channel.channel().isOpen()).isTrue();
        channel.channel().close();
        assertThat(channel.channel().isOpen()).isFalse();
        assertThat(large).isEqualTo(1);
    }

    @Test
    void closeDropsCommandsThatWait() {
        channel.limitWindow(100_000);
        channel.receive("LARGE\r\nLARGE\r\n");
        channel.channel().close();
        channel.openWindow(Long.MAX_VALUE >> 1);
        channel.runPending();
        assertThat(large).isEqualTo(1);
        assertThat(channel.isClosed()).isTrue();
    }

    @Test
    void quitEndsTheConnectionBehindItsReply() {
        channel.receive("QUIT\r\nPING\r\n");
        channel.runPending();
        assertThat(channel.takeOutboundText()).isEqualTo("+OK\r\n");
        assertThat(channel.isClosed()).isTrue();
        assertThat(closed).isTrue();
    }

    @Test
    void pushesToClosedConnectionsAreReleased() {
        channel.close();
        sessions.getFirst().push(Bulk.of("late"));
    }
}
