package io.weft.codec.dns;

import io.weft.buffer.Buffer;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Decodes messages of datagrams, or of a connection, where two octets of length are before each
/// (RFC 1035, 4.2.2). For clients and servers: queries and responses.
///
/// **Errors.** A message that is malformed, or costs more than the limits, is a [DnsException],
/// which says what to answer.
///
/// **Memory.** A message holds no part of the buffer. Names and octets of a message up to 512
/// octets share one array of its size.
public final class DnsDecoder extends StepDecoder<DnsMessage> {
    private static final int NO_LENGTH = -1;

    private final MessageReader reader;
    private final DnsLimits limits;
    private final boolean stream;

    /// Of the message that comes.
    private int length = NO_LENGTH;

    private DnsDecoder(boolean stream, DnsLimits limits) {
        this.stream = stream;
        this.limits = limits;
        reader = new MessageReader(limits);
    }

    /// Each input is one message.
    public static DnsDecoder datagrams() {
        return datagrams(DnsLimits.DEFAULT);
    }

    public static DnsDecoder datagrams(DnsLimits limits) {
        return new DnsDecoder(false, limits);
    }

    /// Messages behind their lengths, however their octets arrive.
    public static DnsDecoder stream() {
        return stream(DnsLimits.DEFAULT);
    }

    public static DnsDecoder stream(DnsLimits limits) {
        return new DnsDecoder(true, limits);
    }

    /// Decodes all readable bytes of `in`, which stays the caller's, as one message without a
    /// length before it. An error does not end the decoder: nothing is known of the next message.
    ///
    /// @throws DnsException unless they are a message
    public DnsMessage message(Buffer in) {
        int octets = in.readableBytes();
        requireWithinLimit(octets, octets < 4 ? -1 : in.getUnsignedInt(in.readOffset()));
        return read(in, octets);
    }

    private DnsMessage read(Buffer in, int octets) {
        byte[] message = new byte[octets];
        in.readBytes(message);
        return reader.read(message);
    }

    private void requireWithinLimit(int octets, long header) {
        if (octets > limits.messageBytes()) {
            throw new DnsException(
                    DnsFault.LIMIT,
                    "message octets: "
                            + octets
                            + " (expected: at most "
                            + limits.messageBytes()
                            + ")",
                    header);
        }
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super DnsMessage> out) {
        if (!stream) {
            if (!in.isReadable()) {
                return false;
            }
            out.accept(message(in));
            return true;
        }
        if (length == NO_LENGTH) {
            if (in.readableBytes() < 2) {
                return false;
            }
            int octets = in.readUnsignedShort();
            if (octets < WireReader.HEADER) {
                throw new DnsException(
                        DnsFault.CUT_OFF,
                        "message octets: " + octets + " (expected: at least 12)",
                        -1);
            }
            requireWithinLimit(octets, -1);
            length = octets;
        }
        int octets = length;
        if (in.readableBytes() < octets) {
            return false;
        }
        length = NO_LENGTH;
        out.accept(read(in, octets));
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super DnsMessage> out) {
        super.finish(length == NO_LENGTH ? unread : unread + 2, out);
    }
}
