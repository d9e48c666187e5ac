package io.weft.transport.sctp;

import static io.weft.transport.sctp.Rig.ascii;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SctpHandlersTest {
    /// Keeps what is written, and lets input in, at the place of the transport.
    private static final class Written implements ChannelHandler {
        final List<String> messages = new ArrayList<>();
        @Nullable ChannelHandlerContext context;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            context = ctx;
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> done) {
            if (message instanceof SctpMessage sctp) {
                try (sctp) {
                    int length = sctp.content().readableBytes();
                    messages.add(sctp.stream() + "/" + sctp.protocolId() + ": " + length);
                }
                if (done != null) {
                    done.setSuccess(null);
                }
            } else {
                ctx.write(message, done);
            }
        }
    }

    private final Written written = new Written();

    private void read(Object message) {
        ChannelHandlerContext context = written.context;
        if (context == null) {
            throw new IllegalStateException("no channel yet");
        }
        context.fireChannelRead(message);
    }

    private static String take(EmbeddedChannel channel) {
        return switch (channel.readInbound()) {
            case null -> "nothing";
            case SctpMessage message -> {
                try (message) {
                    yield message.stream() + " " + Heard.text(message.content());
                }
            }
            case Buffer bytes -> {
                try (bytes) {
                    yield Heard.text(bytes);
                }
            }
            case Object other -> other.toString();
        };
    }

    private static SctpMessage piece(int stream, String text) {
        return SctpMessage.of(ascii(text), stream).withComplete(false);
    }

    private static SctpMessage last(int stream, String text) {
        return SctpMessage.of(ascii(text), stream);
    }

    // ---- bytes ----

    @Test
    void contentOfTheStreamIsReadAsBytes() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpBytes(2, 0))) {
            read(last(2, "mine"));
            read(last(3, "other"));

            assertThat(take(channel)).isEqualTo("mine");
            assertThat(take(channel)).isEqualTo("3 other");
        }
    }

    @Test
    void bytesAreWrittenAsMessagesOfTheStream() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpBytes(2, 46))) {
            Promise<Void> done = channel.channel().newPromise();
            channel.channel().writeAndFlush(ascii("hello"), done);

            assertThat(written.messages).containsExactly("2/46: 5");
            assertThat(done.isSuccess()).isTrue();
        }
    }

    @Test
    void longBufferIsCutIntoMessages() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpBytes(0, 0))) {
            channel.channel().writeAndFlush(ascii("x".repeat(70_000)));

            assertThat(written.messages).containsExactly("0/0: 32768", "0/0: 32768", "0/0: 4464");
        }
    }

    @Test
    void emptyBufferIsNoMessageButSucceeds() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpBytes(0, 0))) {
            Promise<Void> done = channel.channel().newPromise();
            channel.channel().writeAndFlush(ascii(""), done);

            assertThat(written.messages).isEmpty();
            assertThat(done.isSuccess()).isTrue();
        }
    }

    // ---- pieces ----

    @Test
    void piecesAreReadAsOneMessage() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpAssembler(100))) {
            read(piece(1, "one "));
            read(piece(1, "two "));
            assertThat(take(channel)).isEqualTo("nothing");
            read(last(1, "three"));
            read(last(1, "next"));

            assertThat(take(channel)).isEqualTo("1 one two three");
            assertThat(take(channel)).isEqualTo("1 next");
        }
    }

    @Test
    void piecesOfDifferentStreamsAndAssociationsDoNotMix() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpAssembler(100))) {
            read(piece(1, "a"));
            read(piece(2, "x"));
            read(piece(1, "n").withAssociation(9));
            read(last(3, "whole"));
            read(last(2, "y"));
            read(last(1, "o").withAssociation(9));
            read(last(1, "b"));

            assertThat(take(channel)).isEqualTo("3 whole");
            assertThat(take(channel)).isEqualTo("2 xy");
            assertThat(take(channel)).isEqualTo("1 no");
            assertThat(take(channel)).isEqualTo("1 ab");
        }
    }

    @Test
    void messageLongerThanTheLimitFailsTheChannel() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpAssembler(10))) {
            read(piece(1, "12345"));
            read(piece(2, "12345"));
            read(piece(1, "6"));

            assertThat(channel.takeException()).isInstanceOf(SctpMessageTooLongException.class);
            assertThat(channel.channel().isOpen()).isFalse();
        }
    }

    @Test
    void tooManyIncompleteMessagesFailTheChannel() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpAssembler(100_000))) {
            for (int stream = 0; stream <= 256; stream++) {
                read(piece(stream, "x"));
            }

            assertThat(channel.takeException()).isInstanceOf(SctpMessageTooLongException.class);
        }
    }

    @Test
    void abortedPartialDeliveryDropsWhatHadCome() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpAssembler(10))) {
            read(piece(1, "12345678"));
            channel.pipeline()
                    .fireUserEventTriggered(new SctpNotification.PartialDeliveryAborted(0, 1, 0));
            read(piece(1, "abcde"));
            read(last(1, "f"));

            assertThat(take(channel)).isEqualTo("1 abcdef");
        }
    }

    @Test
    void endOfAnAssociationDropsItsPieces() {
        try (EmbeddedChannel channel = new EmbeddedChannel(written, new SctpAssembler(10))) {
            read(piece(1, "1234").withAssociation(4));
            read(piece(1, "5678").withAssociation(5));
            channel.pipeline()
                    .fireUserEventTriggered(
                            new SctpNotification.AssociationChange(
                                    4, SctpNotification.AssociationState.LOST, 0, 0, 0));
            read(last(1, "new").withAssociation(4));
            read(last(1, "9").withAssociation(5));

            assertThat(take(channel)).isEqualTo("1 new");
            assertThat(take(channel)).isEqualTo("1 56789");
        }
    }
}
