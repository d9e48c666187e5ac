package io.weft.resolver.dns;

import io.weft.codec.Output;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import java.util.ArrayList;
import java.util.List;

/// Padding of messages that are encrypted, so that their lengths tell less (RFC 8467, 4.1): queries
/// to multiples of 128 octets, responses of 468.
public final class Padding {
    private static final int QUERY = 128;
    private static final int RESPONSE = 468;

    private Padding() {}

    /// A query of a multiple of 128 octets. Without EDNS it stays as it is.
    public static DnsMessage query(DnsMessage message) {
        return padded(message, QUERY);
    }

    /// A response of a multiple of 468 octets. Without EDNS it stays as it is; add it only if the
    /// query had padding (RFC 7830, 4).
    public static DnsMessage response(DnsMessage message) {
        return padded(message, RESPONSE);
    }

    private static DnsMessage padded(DnsMessage message, int block) {
        Edns edns = message.edns();
        if (edns == null) {
            return message;
        }
        List<EdnsOption> options = new ArrayList<>(edns.options());
        options.removeIf(EdnsOption.Padding.class::isInstance);
        options.add(new EdnsOption.Padding(0));
        DnsMessage bare = message.edns(new Edns(edns.payloadSize(), edns.dnssecOk(), options));
        int length;
        try (Output out = new Output()) {
            DnsEncoder.stream().encode(bare, out);
            length = (int) out.size() - 2;
        }
        int padding = Math.min(Math.floorMod(-length, block), 0xFFFF - length);
        options.set(options.size() - 1, new EdnsOption.Padding(Math.max(padding, 0)));
        return message.edns(new Edns(edns.payloadSize(), edns.dnssecOk(), options));
    }
}
