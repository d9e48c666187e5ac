package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Utf8Check;

/// A frame (RFC 6455, 5.2). A message is one [Text] or [Binary] and the [Continuation]s behind it,
/// the last of which is final; control frames may come between.
///
/// Mask and length are the wire's: payloads are as the application means them.
///
/// **Ownership.** Who has a frame owns its payload; [#close] releases it.
public sealed interface WebSocketFrame extends AutoCloseable {
    /// The longest payload of a control frame (RFC 6455, 5.5).
    int MAX_CONTROL = 125;

    /// The first reserved bit, which says that a message is compressed (RFC 7692, 6).
    int RSV1 = 4;

    /// Frames of messages.
    sealed interface Data extends WebSocketFrame {
        Buffer payload();

        /// Tells if this is the last frame of its message.
        boolean fin();

        /// The reserved bits: RSV1 is 4, RSV2 2, RSV3 1.
        int reserved();

        @Override
        default void close() {
            payload().release();
        }
    }

    /// Frames about the connection. They are never fragmented.
    sealed interface Control extends WebSocketFrame {}

    /// The first frame of a text in UTF-8, of which any frame may end within a character.
    record Text(Buffer payload, boolean fin, int reserved) implements Data {
        /// @throws IllegalArgumentException unless `reserved` is from 0 to 7
        public Text {
            checkReserved(reserved);
        }
    }

    /// The first frame of bytes.
    record Binary(Buffer payload, boolean fin, int reserved) implements Data {
        /// @throws IllegalArgumentException unless `reserved` is from 0 to 7
        public Binary {
            checkReserved(reserved);
        }
    }

    /// A further frame of a message.
    record Continuation(Buffer payload, boolean fin, int reserved) implements Data {
        /// @throws IllegalArgumentException unless `reserved` is from 0 to 7
        public Continuation {
            checkReserved(reserved);
        }
    }

    /// The last frame of a direction.
    ///
    /// @param status [CloseStatus#NO_STATUS] where there is none
    record Close(CloseStatus status) implements Control {
        @Override
        public void close() {}
    }

    /// A question that a [Pong] with the same payload answers.
    ///
    /// @param payload at most 125 bytes
    record Ping(Buffer payload) implements Control {
        @Override
        public void close() {
            payload.release();
        }
    }

    /// An answer to a [Ping], or a sign of life that nobody asked for.
    ///
    /// @param payload at most 125 bytes
    record Pong(Buffer payload) implements Control {
        @Override
        public void close() {
            payload.release();
        }
    }

    /// A message of text. A surrogate without its other half becomes '?'.
    static Text text(CharSequence text) {
        Buffer payload = BufferAllocator.pooled().allocate(Math.max(16, text.length()));
        boolean done = false;
        try {
            payload.writeUtf8(text);
            done = true;
            return new Text(payload, true, 0);
        } finally {
            if (!done) {
                payload.release();
            }
        }
    }

    /// A message of bytes, which the frame owns.
    static Binary binary(Buffer payload) {
        return new Binary(payload, true, 0);
    }

    /// A message of text where the bytes are UTF-8, else one of bytes. The frame owns them.
    static Data textOrBinary(Buffer payload) {
        Utf8Check check = new Utf8Check();
        int from = payload.readOffset();
        boolean text = check.check(payload, from, payload.writeOffset()) < 0 && check.isWhole();
        return text ? new Text(payload, true, 0) : binary(payload);
    }

    /// Releases the payload.
    @Override
    void close();

    private static void checkReserved(int reserved) {
        if (reserved < 0 || reserved > 7) {
            throw new IllegalArgumentException("reserved: " + reserved + " (expected: 0 to 7)");
        }
    }
}
