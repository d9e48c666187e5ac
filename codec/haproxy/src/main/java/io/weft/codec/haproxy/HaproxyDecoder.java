package io.weft.codec.haproxy;

import io.weft.buffer.Buffer;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the header that a connection begins with, of either version, and leaves all bytes behind
/// it unread. A connection without one is refused at the first byte that shows it: by the
/// protocol's rules a receiver must not guess.
public final class HaproxyDecoder extends StepDecoder<ProxyHeader> {
    /// Bytes of a header of version 2 before its addresses.
    private static final int FIXED = 16;

    private final HaproxyLimits limits;
    private boolean over;

    public HaproxyDecoder() {
        this(HaproxyLimits.DEFAULT);
    }

    public HaproxyDecoder(HaproxyLimits limits) {
        this.limits = limits;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super ProxyHeader> out) {
        if (over || !in.isReadable()) {
            return false;
        }
        ProxyVersion version =
                in.getByte(in.readOffset()) == 'P' ? ProxyVersion.V1 : ProxyVersion.V2;
        String signature = version.signature();
        int there = Math.min(in.readableBytes(), signature.length());
        for (int i = 0; i < there; i++) {
            if (in.getByte(in.readOffset() + i) != signature.charAt(i)) {
                throw new HaproxyException(
                        "signature: another at byte " + i + " (expected: a header of PROXY)");
            }
        }
        if (there < signature.length()) {
            return false;
        }
        ProxyHeader header = version == ProxyVersion.V1 ? line(in) : binary(in);
        if (header == null) {
            return false;
        }
        over = true;
        out.accept(header);
        return true;
    }

    private static @Nullable ProxyHeader line(Buffer in) {
        int length = TextHeader.length(in);
        if (length < 0) {
            return null;
        }
        ProxyHeader header = TextHeader.parse(in, length);
        in.skipReadable(length);
        return header;
    }

    private @Nullable ProxyHeader binary(Buffer in) {
        int at = in.readOffset();
        int there = in.readableBytes();
        if (there < 13) {
            return null;
        }
        int versionAndCommand = in.getByte(at + 12) & 0xFF;
        if (versionAndCommand != 0x20 && versionAndCommand != 0x21) {
            throw new HaproxyException(
                    "version and command: 0x"
                            + Integer.toHexString(versionAndCommand)
                            + " (expected: 0x20 or 0x21)");
        }
        boolean local = versionAndCommand == 0x20;
        if (there < 14) {
            return null;
        }
        int family = in.getByte(at + 13) & 0xFF;
        // LOCAL: the family is ignored, and so is all behind it.
        Transport transport = local ? Transport.UNSPECIFIED : transport(family);
        if (there < FIXED) {
            return null;
        }
        int block = ((in.getByte(at + 14) & 0xFF) << 8) | (in.getByte(at + 15) & 0xFF);
        if (FIXED + block > limits.headerBytes()) {
            throw new HaproxyException(
                    "bytes of the header: "
                            + (FIXED + block)
                            + " (expected: at most "
                            + limits.headerBytes()
                            + ")");
        }
        if (block < transport.blockBytes()) {
            throw new HaproxyException(
                    "bytes of the addresses: "
                            + block
                            + " (expected: at least "
                            + transport.blockBytes()
                            + ")");
        }
        if (there < FIXED + block) {
            return null;
        }
        ProxyHeader header =
                local ? ProxyHeader.local() : BinaryHeader.parse(in, transport, block, limits);
        in.skipReadable(FIXED + block);
        return header;
    }

    private static Transport transport(int code) {
        for (Transport transport : Transport.values()) {
            if (transport.code() == code) {
                return transport;
            }
        }
        throw new HaproxyException(
                "family and transport: 0x"
                        + Integer.toHexString(code)
                        + " (expected: one of "
                        + Arrays.toString(Transport.values())
                        + ")");
    }

    @Override
    protected void finish(int unread, Consumer<? super ProxyHeader> out) {
        if (!over && unread > 0) {
            throw new PrematureEndException("a header of PROXY, after " + unread + " bytes");
        }
    }
}
