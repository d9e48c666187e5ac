package io.weft.bench.robustness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.ByteArrayOutputStream;

/// Frames of HTTP/2 as octets (RFC 9113, 6), right or wrong: an attacker's encoder refuses nothing.
final class Http2Frames {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int PRIORITY = 2;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;
    static final int GOAWAY = 7;
    static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;

    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    /// `GET / http`, with the authority `x`: the static table (RFC 7541, Appendix A), and a literal
    /// that is not indexed.
    static final byte[] GET = {(byte) 0x82, (byte) 0x84, (byte) 0x86, 0x01, 1, 'x'};

    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /// The preface of a client, with settings.
    Http2Frames preface(byte... settings) {
        out.writeBytes(PREFACE);
        return frame(SETTINGS, 0, 0, settings);
    }

    Http2Frames frame(int type, int flags, int stream, byte... payload) {
        number(payload.length, 3);
        out.write(type);
        out.write(flags);
        number(stream, Integer.BYTES);
        out.writeBytes(payload);
        return this;
    }

    /// A frame with a number of four octets.
    Http2Frames number(int type, int stream, int value) {
        number(Integer.BYTES, 3);
        out.write(type);
        out.write(0);
        number(stream, Integer.BYTES);
        number(value, Integer.BYTES);
        return this;
    }

    private void number(int value, int octets) {
        for (int shift = 8 * (octets - 1); shift >= 0; shift -= 8) {
            out.write(value >>> shift);
        }
    }

    int size() {
        return out.size();
    }

    /// Returns the frames, and begins anew.
    byte[] take() {
        byte[] all = out.toByteArray();
        out.reset();
        return all;
    }
}
