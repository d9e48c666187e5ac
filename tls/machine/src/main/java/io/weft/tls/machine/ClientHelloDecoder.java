package io.weft.tls.machine;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Reads the ClientHello that a connection begins with, in however many records and pieces it
/// comes, and nothing behind it.
///
/// Memory is taken for bytes that have come, never for a claimed length.
public final class ClientHelloDecoder extends StepDecoder<ClientHello> {
    /// Of the message; one with post-quantum keys has 2 KiB.
    public static final int DEFAULT_MAX_LENGTH = Records.MAX_PLAINTEXT;

    private static final int CLIENT_HELLO = 1;
    private static final int MESSAGE_HEADER = 4;

    private final int maxLength;

    /// A record that grows, where the message is spread over several; else it is read in its own.
    private @Nullable Buffer whole;

    private boolean done;

    public ClientHelloDecoder() {
        this(DEFAULT_MAX_LENGTH);
    }

    /// @param maxLength of the message in bytes
    /// @throws IllegalArgumentException unless it is between 256 and 16,384
    public ClientHelloDecoder(int maxLength) {
        if (maxLength < 256 || maxLength > Records.MAX_PLAINTEXT) {
            throw new IllegalArgumentException(
                    "maxLength: " + maxLength + " (expected: 256-16384)");
        }
        this.maxLength = maxLength;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super ClientHello> out) {
        int record = done ? -1 : recordLength(in);
        if (record < 0) {
            return false;
        }
        Buffer all = whole;
        if (all == null && isWhole(in, in.readOffset() + Records.HEADER, record - Records.HEADER)) {
            all = in.split(record);
        } else if (all == null) {
            all = append(BufferAllocator.pooled().allocate(record, room()), in, record, 0);
        } else {
            append(all, in, record, Records.HEADER);
        }
        whole = all;
        int length = all.readableBytes() - Records.HEADER;
        int start = all.readOffset() + Records.HEADER;
        if (isWhole(all, start, length)) {
            done = true;
            all.setShort(all.readOffset() + 3, length);
            ClientHello hello =
                    new ClientHelloParser(all, start + MESSAGE_HEADER, start + length).parse(all);
            whole = null; // the hello's
            out.accept(hello);
        }
        return true;
    }

    private int room() {
        return maxLength + Records.HEADER;
    }

    private static Buffer append(Buffer to, Buffer in, int record, int skip) {
        try {
            to.writeBytes(in.byteBuffer(in.readOffset() + skip, record - skip));
        } catch (RuntimeException e) {
            if (skip == 0) {
                to.release();
            }
            throw e;
        }
        in.skipReadable(record);
        return to;
    }

    /// -1 while it is not whole.
    private int recordLength(Buffer in) {
        if (in.isReadable() && in.getUnsignedByte(in.readOffset()) == Records.ALERT) {
            throw malformed("record: an alert (expected: a handshake)");
        }
        int record;
        try {
            record = Records.next(in, true);
        } catch (TlsException e) {
            throw malformed(String.valueOf(e.getMessage()));
        }
        if (in.readableBytes() >= Records.HEADER) {
            int have = whole == null ? 0 : whole.readableBytes() - Records.HEADER;
            checkLength(have + in.getUnsignedShort(in.readOffset() + 3));
        }
        return record;
    }

    private void checkLength(int length) {
        if (length > maxLength) {
            throw new LimitExceededException("ClientHello", length, maxLength);
        }
    }

    private boolean isWhole(Buffer in, int start, int size) {
        int type = in.getUnsignedByte(start);
        if (type != CLIENT_HELLO) {
            throw malformed("message: of type " + type + " (expected: ClientHello)");
        }
        if (size < MESSAGE_HEADER) {
            return false;
        }
        int length = in.getUnsignedMedium(start + 1) + MESSAGE_HEADER;
        checkLength(length);
        if (size > length) {
            throw malformed("ClientHello: with something behind it (expected: it alone)");
        }
        return size == length;
    }

    static CorruptedFrameException malformed(String message) {
        return new CorruptedFrameException(message);
    }

    @Override
    protected void finish(int unread, Consumer<? super ClientHello> out) {
        if (!done) {
            super.finish(unread + (whole == null ? 0 : whole.readableBytes()), out);
        }
    }

    @Override
    public void close() {
        if (whole != null) {
            whole.release();
            whole = null;
        }
    }
}
