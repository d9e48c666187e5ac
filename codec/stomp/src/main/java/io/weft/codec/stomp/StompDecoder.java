package io.weft.codec.stomp;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the frames of one connection of STOMP, on the server's or on the client's side.
///
/// **Version.** A server tells it when it has negotiated, a client's decoder takes it from
/// CONNECTED. Until then lines end with LF or CR LF and headers are not escaped, but those of STOMP
/// and ERROR as in 1.2.
///
/// **Messages.** Frames come whole, but one whose body is longer than [StompLimits#wholeBody] comes
/// as a [StompFrameStart] and [StompBodyPart]s, whether its length was declared or it ends with
/// NUL. Ends of line between frames are [StompHeartBeat]s.
///
/// **Errors.** A frame that breaks the protocol or a limit is a [StompException]. Of repeated
/// headers the first one counts, `content-length` too.
public final class StompDecoder extends StepDecoder<StompMessage> {
    private static final byte LF = '\n';
    private static final byte CR = '\r';
    private static final byte NUL = 0;
    private static final long UNKNOWN = -1;

    private enum State {
        COMMAND,
        HEADERS,
        BODY,
        /// In a body that comes in parts.
        PARTS
    }

    private final boolean ofClient;
    private final StompLimits limits;
    private @Nullable StompVersion version;
    private boolean begun;

    private State state = State.COMMAND;

    /// Bytes from the read offset on that are known to hold no end.
    private int looked;

    // Of the current frame.
    private StompCommand command = StompCommand.ERROR;
    private final HeaderList pairs = new HeaderList();
    private int headerBytes;
    private StompHeaders headers = StompHeaders.NONE;

    /// Bytes of the body that are declared and have not come, or [#UNKNOWN].
    private long left;

    /// Bytes of the body that have come in parts.
    private long taken;

    private StompDecoder(boolean ofClient, StompLimits limits) {
        this.ofClient = ofClient;
        this.limits = limits;
    }

    /// Decodes what clients send.
    public static StompDecoder server() {
        return server(StompLimits.DEFAULT);
    }

    /// As above.
    public static StompDecoder server(StompLimits limits) {
        return new StompDecoder(true, limits);
    }

    /// Decodes what servers send.
    public static StompDecoder client() {
        return client(StompLimits.DEFAULT);
    }

    /// As above.
    public static StompDecoder client(StompLimits limits) {
        return new StompDecoder(false, limits);
    }

    /// Sets the version of the frames from now on.
    public void version(StompVersion version) {
        this.version = version;
    }

    private StompException fault(String message) {
        return new StompException(message, ofClient);
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super StompMessage> out) {
        return switch (state) {
            case COMMAND, HEADERS -> line(in, out);
            case BODY -> left == UNKNOWN ? untilNul(in, out) : declared(in, out);
            case PARTS -> left == UNKNOWN ? partUntilNul(in, out) : part(in, out);
        };
    }

    private boolean line(Buffer in, Consumer<? super StompMessage> out) {
        int start = in.readOffset();
        int last = start + Math.min(limits.lineBytes() + 1, in.readableBytes() - 1);
        int lf = in.indexOf(LF, start + looked, last + 1);
        if (lf < 0) {
            looked = last + 1 - start;
            if (looked > limits.lineBytes() + 1) {
                throw tooLongLine();
            }
            return false;
        }
        looked = 0;
        boolean mayHaveCr = version == null || version == StompVersion.V1_2;
        int end = mayHaveCr && lf > start && in.getByte(lf - 1) == CR ? lf - 1 : lf;
        if (end - start > limits.lineBytes()) {
            throw tooLongLine();
        }
        if (state == State.COMMAND) {
            if (end == start) {
                in.readOffset(lf + 1);
                out.accept(StompHeartBeat.INSTANCE);
                return true;
            }
            command(in, start, end);
            state = State.HEADERS;
        } else if (end == start) {
            endOfHeaders();
        } else {
            header(in, start, end);
        }
        in.readOffset(lf + 1);
        return true;
    }

    private StompException tooLongLine() {
        return fault(
                "line bytes: more than "
                        + limits.lineBytes()
                        + " (expected: at most "
                        + limits.lineBytes()
                        + ")");
    }

    private void command(Buffer in, int from, int to) {
        for (StompCommand candidate : StompCommand.ALL) {
            int length = candidate.bytes.length;
            if (length == to - from && in.contentEquals(from, candidate.bytes, 0, length)) {
                requireRole(candidate);
                command = candidate;
                pairs.clear();
                headerBytes = 0;
                return;
            }
        }
        throw fault(
                "command: " + DecoderException.quote(in, from, to) + " (expected: one of STOMP)");
    }

    private void requireRole(StompCommand candidate) {
        if (candidate.isOfClient() != ofClient) {
            throw fault("command: " + candidate + " (expected: one of the peer's role)");
        }
        boolean opens =
                switch (candidate) {
                    case CONNECT, STOMP, CONNECTED -> true;
                    default -> false;
                };
        if (opens == begun && candidate != StompCommand.ERROR) {
            throw fault(
                    "command: "
                            + candidate
                            + (begun ? " (expected: once)" : " (expected: first CONNECT)"));
        }
        if (candidate == StompCommand.NACK && version == StompVersion.V1_0) {
            throw fault("command: NACK (expected: from 1.1 on)");
        }
    }

    private StompVersion escapes() {
        if (command.isPlain()) {
            return StompVersion.V1_0;
        }
        return version == null ? StompVersion.V1_2 : version;
    }

    private void header(Buffer in, int from, int to) {
        headerBytes += to - from;
        if (pairs.size() == limits.headers() || headerBytes > limits.headerBytes()) {
            throw fault(
                    "headers: more than "
                            + limits.headers()
                            + ", or of more than "
                            + limits.headerBytes()
                            + " bytes (expected: at most so many)");
        }
        int colon = in.indexOf((byte) ':', from, to);
        if (colon <= from) {
            throw fault(
                    "header: "
                            + DecoderException.quote(in, from, to)
                            + " (expected: a name and a colon)");
        }
        try {
            pairs.add(in, from, colon, to, escapes());
        } catch (IllegalArgumentException e) {
            throw fault(String.valueOf(e.getMessage()));
        }
    }

    private void endOfHeaders() {
        headers = pairs.headers();
        if (command == StompCommand.CONNECTED) {
            String text = headers.get("version");
            StompVersion chosen = text == null ? StompVersion.V1_0 : StompVersion.of(text);
            if (chosen == null) {
                throw fault("version: unknown (expected: 1.0, 1.1 or 1.2)");
            }
            version = chosen;
        }
        String missing =
                FrameRules.missing(command, headers, version == null ? StompVersion.V1_0 : version);
        if (missing != null) {
            throw fault(command + ": without " + missing + " (expected: with it)");
        }
        left = length();
        begun = true;
        state = State.BODY;
    }

    private long length() {
        String text = headers.get("content-length");
        if (text == null) {
            return UNKNOWN;
        }
        long length = FrameRules.contentLength(text);
        if (length < 0) {
            throw fault("content-length: no number of up to 18 digits (expected: one)");
        }
        requireBody(length);
        return length;
    }

    private void requireBody(long length) {
        if (length > limits.bodyBytes()) {
            throw tooLongBody();
        }
        // STOMP 1.1 and 1.2, Frames and Body; 1.0 says nothing.
        if (length > 0 && !command.mayHaveBody() && version != StompVersion.V1_0) {
            throw fault("body of " + command + ": some bytes (expected: none)");
        }
    }

    private StompException tooLongBody() {
        return fault(
                "body bytes: more than "
                        + limits.bodyBytes()
                        + " (expected: at most "
                        + limits.bodyBytes()
                        + ")");
    }

    private void begin() {
        state = State.PARTS;
        taken = 0;
        looked = 0;
    }

    private boolean declared(Buffer in, Consumer<? super StompMessage> out) {
        if (left > limits.wholeBody()) {
            begin();
            emitted();
            out.accept(new StompFrameStart(command, headers));
            return true;
        }
        int length = (int) left;
        if (in.readableBytes() <= length) {
            return false;
        }
        requireNul(in, in.readOffset() + length);
        return whole(in, length, out);
    }

    private boolean whole(Buffer in, int length, Consumer<? super StompMessage> out) {
        Buffer body = in.split(length);
        in.skipReadable(1);
        state = State.COMMAND;
        looked = 0;
        out.accept(new StompFrame(command, headers, body));
        return true;
    }

    private void requireNul(Buffer in, int at) {
        if (in.getByte(at) != NUL) {
            throw fault(
                    "byte behind the body: 0x%02x (expected: NUL)"
                            .formatted(in.getUnsignedByte(at)));
        }
    }

    private boolean untilNul(Buffer in, Consumer<? super StompMessage> out) {
        int start = in.readOffset();
        int last = start + Math.min(limits.wholeBody(), in.readableBytes() - 1);
        int nul = in.indexOf(NUL, start + looked, last + 1);
        if (nul >= 0) {
            requireBody(nul - start);
            return whole(in, nul - start, out);
        }
        looked = last + 1 - start;
        if (looked > 0) {
            requireBody(looked);
        }
        if (looked <= limits.wholeBody()) {
            return false;
        }
        begin();
        emitted();
        out.accept(new StompFrameStart(command, headers));
        return true;
    }

    private boolean part(Buffer in, Consumer<? super StompMessage> out) {
        if (!in.isReadable()) {
            return false;
        }
        if (left > 0) {
            int length = (int) Math.min(left, in.readableBytes());
            Buffer bytes = in.split(length);
            left -= length;
            out.accept(new StompBodyPart(bytes, false));
            return true;
        }
        requireNul(in, in.readOffset());
        return lastPart(in, 0, out);
    }

    private boolean lastPart(Buffer in, int length, Consumer<? super StompMessage> out) {
        Buffer bytes = in.split(length);
        in.skipReadable(1);
        state = State.COMMAND;
        out.accept(new StompBodyPart(bytes, true));
        return true;
    }

    private boolean partUntilNul(Buffer in, Consumer<? super StompMessage> out) {
        int readable = in.readableBytes();
        if (readable == 0) {
            return false;
        }
        int nul = in.indexOf(NUL);
        int length = nul < 0 ? readable : nul - in.readOffset();
        long room = limits.bodyBytes() - taken;
        if (length > room) {
            if (room == 0) {
                throw tooLongBody();
            }
            // All that the limit allows comes before the error, however the bytes arrive.
            nul = -1;
            length = (int) room;
        }
        taken += length;
        if (nul >= 0) {
            return lastPart(in, length, out);
        }
        out.accept(new StompBodyPart(in.split(length), false));
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super StompMessage> out) {
        if (state != State.COMMAND) {
            throw new PrematureEndException("a frame");
        }
        super.finish(unread, out);
    }
}
