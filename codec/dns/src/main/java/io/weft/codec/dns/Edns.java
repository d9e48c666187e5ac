package io.weft.codec.dns;

import io.weft.codec.dns.rdata.Rdata;
import java.util.List;

/// The contents of an OPT record, which describes a message and its sender (RFC 6891), version 0.
/// The upper bits of the response code are with the message's [ResponseCode].
///
/// @param payloadSize octets that the sender takes in a datagram; below 512 means 512
/// @param dnssecOk whether signatures are wanted (RFC 3225)
public record Edns(int payloadSize, boolean dnssecOk, List<EdnsOption> options) {
    /// Octets of an OPT record without options.
    static final int FIXED = 11;

    /// A size that goes through most networks in one piece (RFC 9715), without options.
    public static final Edns DEFAULT = new Edns(1232, false, List.of());

    /// @throws IllegalArgumentException when the size is out of its range, or the options are too
    ///     long
    public Edns {
        if (payloadSize < 0 || payloadSize > 0xFFFF) {
            throw new IllegalArgumentException(
                    "payloadSize: " + payloadSize + " (expected: 0 to 65535)");
        }
        options = List.copyOf(options);
        long length = 0;
        for (EdnsOption option : options) {
            length += 4 + option.length();
        }
        if (length > Rdata.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "option octets: " + length + " (expected: at most 65535)");
        }
    }

    /// Octets of the OPT record.
    int length() {
        int length = FIXED;
        for (EdnsOption option : options) {
            length += 4 + option.length();
        }
        return length;
    }

    /// The same with these options.
    public Edns options(EdnsOption... options) {
        return new Edns(payloadSize, dnssecOk, List.of(options));
    }

    public Edns dnssecOk(boolean on) {
        return new Edns(payloadSize, on, options);
    }

    public Edns payloadSize(int octets) {
        return new Edns(octets, dnssecOk, options);
    }
}
