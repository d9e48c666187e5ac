package io.weft.simulation;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelPipeline;
import io.weft.codec.framing.LengthField;
import io.weft.codec.framing.LengthFieldDecoder;
import io.weft.codec.framing.LengthFieldPrepender;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import java.nio.charset.StandardCharsets;

/// The protocols of a client and its server: each question is a payload, and its answer the same
/// payload.
enum Dialect {
    /// Frames with a length of four bytes before them.
    FRAMES {
        @Override
        void addTo(ChannelPipeline pipeline) {
            pipeline.addLast(
                    new DecoderHandler<>(new LengthFieldDecoder(LengthField.of(4), MAX + 4)));
            pipeline.addLast(new EncoderHandler<>(Buffer.class, new LengthFieldPrepender(4)));
        }

        @Override
        Buffer question(long key, int length) {
            return Payload.of(key, length);
        }

        @Override
        Answers answers() {
            return new FrameAnswers();
        }
    },

    /// HTTP/1.1; the payload is the body.
    HTTP {
        @Override
        void addTo(ChannelPipeline pipeline) {}

        @Override
        Buffer question(long key, int length) {
            String head =
                    "POST / HTTP/1.1\r\nhost: server\r\ncontent-length: " + length + "\r\n\r\n";
            byte[] bytes = head.getBytes(StandardCharsets.US_ASCII);
            try (Buffer body = Payload.of(key, length)) {
                return BufferAllocator.pooled()
                        .allocate(bytes.length + length)
                        .writeBytes(bytes)
                        .writeBytes(body);
            }
        }

        @Override
        Answers answers() {
            return new HttpAnswers();
        }
    };

    /// Bytes of a payload at most.
    static final int MAX = 300_000;

    /// The client's codecs.
    abstract void addTo(ChannelPipeline pipeline);

    abstract Buffer question(long key, int length);

    /// For one connection.
    abstract Answers answers();

    /// Reads the answers of one connection.
    interface Answers {
        /// Takes what belongs to the answer to a question; what is left is the next one's.
        ///
        /// @return true when the answer is complete
        /// @throws GivenUpException when the server did not wait for the whole question
        /// @throws IllegalStateException when it is another one than it must be
        boolean take(Buffer bytes, long key, int length);
    }

    /// The server did not wait for the whole question, which was slow to arrive.
    static final class GivenUpException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static final class FrameAnswers implements Answers {
        @Override
        public boolean take(Buffer bytes, long key, int length) {
            if (bytes.readableBytes() != length || !Payload.matches(bytes, key, 0)) {
                throw new IllegalStateException(
                        "answer: "
                                + bytes.readableBytes()
                                + " bytes (expected: the "
                                + length
                                + " asked)");
            }
            bytes.skipReadable(length);
            return true;
        }
    }

    private static final class HttpAnswers implements Answers {
        private final StringBuilder head = new StringBuilder();
        private boolean inBody;
        private int read;

        @Override
        public boolean take(Buffer bytes, long key, int length) {
            while (!inBody) {
                if (bytes.readableBytes() == 0) {
                    return false;
                }
                head.append((char) bytes.readByte());
                if (head.length() > 4096) {
                    throw new IllegalStateException("head: " + head);
                }
                if (head.indexOf("\r\n\r\n", Math.max(0, head.length() - 4)) >= 0) {
                    check(head.toString(), length);
                    head.setLength(0);
                    inBody = true;
                    read = 0;
                }
            }
            int count = Math.min(bytes.readableBytes(), length - read);
            try (Buffer part = bytes.split(count)) {
                if (!Payload.matches(part, key, read)) {
                    throw new IllegalStateException("body: other bytes from " + read);
                }
            }
            read += count;
            inBody = read < length;
            return !inBody;
        }

        private static void check(String head, int length) {
            if (head.startsWith("HTTP/1.1 408 ")) {
                throw new GivenUpException();
            }
            if (!head.startsWith("HTTP/1.1 200 ")
                    || !head.contains("content-length: " + length + "\r\n")) {
                throw new IllegalStateException(
                        "head: " + head + " (expected: 200, " + length + ")");
            }
        }
    }
}
