package io.weft.codec.stomp;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Encodes the frames of one connection of STOMP, on either side.
///
/// **Version.** A client's encoder and a server's are told the one that was negotiated. Until then
/// headers are escaped as in 1.2, but those of CONNECT and CONNECTED never.
///
/// **Bodies.** A body that is not empty gets a `content-length`, unless one is there, which must be
/// true then. A long one may go as a [StompFrameStart] and [StompBodyPart]s: without a
/// `content-length` it must not have NUL.
///
/// **Errors.** An [IllegalArgumentException] where a header cannot be said in the version, or a
/// body is not as it was declared; nothing is written then.
public final class StompEncoder implements Encoder<StompMessage> {
    private static final long NONE = -1;
    private static final long UNKNOWN = -2;

    private StompVersion version = StompVersion.V1_2;

    /// Of a body in parts; [#NONE] outside one, [#UNKNOWN] if it ends with NUL.
    private long left = NONE;

    /// For 1.2 until told otherwise.
    public StompEncoder() {}

    /// Sets the version of the frames from now on.
    public void version(StompVersion version) {
        this.version = version;
    }

    @Override
    public void encode(StompMessage message, Output out) {
        Output.Mark mark = out.mark();
        try {
            if ((left != NONE) != (message instanceof StompBodyPart)) {
                throw new IllegalArgumentException(
                        "message: "
                                + message.getClass().getSimpleName()
                                + " (expected: "
                                + (left == NONE ? "a frame" : "the rest of a body")
                                + ")");
            }
            switch (message) {
                case StompHeartBeat _ -> out.buffer(1).writeByte('\n');
                case StompFrame frame -> frame(frame, out);
                case StompFrameStart start -> start(start, out);
                case StompBodyPart part -> part(part, out);
            }
        } catch (RuntimeException | Error e) {
            out.rollback(mark);
            switch (message) {
                case StompFrame frame when frame.body().references() > 0 -> frame.close();
                case StompBodyPart part when part.bytes().references() > 0 -> part.close();
                default -> {}
            }
            throw e;
        }
    }

    private void frame(StompFrame frame, Output out) {
        int length = frame.body().readableBytes();
        String declared = frame.headers().get("content-length");
        if (declared != null && !says(declared, length)) {
            throw new IllegalArgumentException(
                    "content-length: " + declared + " (expected: " + length + ")");
        }
        if (length > 0 && !frame.command().mayHaveBody()) {
            throw new IllegalArgumentException(
                    "body of " + frame.command() + ": " + length + " bytes (expected: none)");
        }
        head(frame.command(), frame.headers(), declared == null ? length : 0, out);
        Buffer body = frame.body();
        if (length > 0) {
            out.add(body);
        } else {
            body.release();
        }
        out.buffer(1).writeByte(0);
    }

    /// Tells if a text is the number in digits, without making one.
    private static boolean says(String text, int number) {
        int rest = number;
        for (int i = text.length() - 1; i >= 0; i--) {
            if (text.charAt(i) - '0' != rest % 10 || (rest == 0 && i < text.length() - 1)) {
                return false;
            }
            rest /= 10;
        }
        return rest == 0 && !text.isEmpty();
    }

    private void start(StompFrameStart start, Output out) {
        String declared = start.headers().get("content-length");
        long length = UNKNOWN;
        if (declared != null) {
            length = FrameRules.contentLength(declared);
            if (length < 0) {
                throw new IllegalArgumentException(
                        "content-length: " + declared + " (expected: up to 18 digits)");
            }
        }
        if (!start.command().mayHaveBody()) {
            throw new IllegalArgumentException(
                    "body of " + start.command() + ": some (expected: none)");
        }
        head(start.command(), start.headers(), 0, out);
        left = length;
    }

    private void part(StompBodyPart part, Output out) {
        Buffer bytes = part.bytes();
        int length = bytes.readableBytes();
        if (left == UNKNOWN) {
            if (bytes.indexOf((byte) 0) >= 0) {
                throw new IllegalArgumentException(
                        "body: NUL (expected: none without a content-length)");
            }
        } else if (length > left || (part.isLast() && length != left)) {
            throw new IllegalArgumentException(
                    "body bytes: " + length + " (expected: " + left + " in all)");
        }
        long rest = left == UNKNOWN ? UNKNOWN : left - length;
        out.add(bytes);
        if (part.isLast()) {
            out.buffer(1).writeByte(0);
        }
        left = part.isLast() ? NONE : rest;
    }

    private void head(StompCommand command, StompHeaders headers, int contentLength, Output out) {
        StompVersion escapes = command.isPlain() ? StompVersion.V1_0 : version;
        Buffer to = out.buffer(128);
        to.writeBytes(command.bytes).writeByte('\n');
        for (int i = 0; i < headers.size(); i++) {
            HeaderText.encode(to, headers.name(i), true, escapes);
            to.writeByte(':');
            HeaderText.encode(to, headers.value(i), false, escapes);
            to.writeByte('\n');
        }
        if (contentLength > 0) {
            to.writeAscii("content-length:").writeAscii(Integer.toString(contentLength));
            to.writeByte('\n');
        }
        to.writeByte('\n');
    }
}
