package io.weft.resolver.dns;

import io.weft.buffer.Buffer;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.EdnsOption;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.ResponseCode;
import org.jspecify.annotations.Nullable;

/// A query as it was sent, and the check of what came for it.
///
/// @param message with the name in mixed case
/// @param name as the caller spelled it
/// @param cookie of the client that was sent; null for none
/// @param knownCookie whether the server has sent a cookie before, and so must again
record Query(DnsMessage message, DnsName name, @Nullable Octets cookie, boolean knownCookie) {
    private static final int HEADER = 12;

    /// Puts the caller's spelling in place of that of the query, if the message has the latter in
    /// its question: names elsewhere in it are often pointers to there.
    ///
    /// @return whether it has
    boolean restore(Buffer datagram) {
        Octets sent = message.questions().getFirst().name().octets();
        Octets wanted = name.octets();
        int at = datagram.readOffset() + HEADER;
        if (datagram.readableBytes() < HEADER + sent.length()) {
            return false;
        }
        for (int i = 0; i < sent.length(); i++) {
            if (datagram.getUnsignedByte(at + i) != sent.get(i)) {
                return false;
            }
        }
        for (int i = 0; i < wanted.length(); i++) {
            datagram.setByte(at + i, (byte) wanted.get(i));
        }
        return true;
    }

    /// Checks a message that came over UDP from the right address.
    ///
    /// @param exact whether its question has the letters as they were sent; see [#restore]
    /// @return null for one that fits
    @Nullable Misfit check(DnsMessage response, boolean exact) {
        Misfit misfit = checkStream(response);
        if (misfit != null) {
            return misfit;
        }
        if (response.questions().isEmpty()) {
            return Misfit.QUESTION;
        }
        Octets mine = cookie;
        if (mine != null) {
            EdnsOption.Cookie theirs = cookieOf(response);
            // RFC 7873, 5.3: another cookie, or none of a server that has one, is no response.
            if (theirs == null ? knownCookie : !theirs.client().equals(mine)) {
                return Misfit.COOKIE;
            }
        }
        return exact ? null : Misfit.CASE;
    }

    /// Checks a message that came over a connection: one that nobody else writes to.
    ///
    /// @return null for one that fits
    @Nullable Misfit checkStream(DnsMessage response) {
        if (response.id() != message.id()) {
            return Misfit.ID;
        }
        if (!response.flags().isResponse()) {
            return Misfit.NO_RESPONSE;
        }
        if (!response.opcode().equals(message.opcode())) {
            return Misfit.OPCODE;
        }
        if (response.questions().isEmpty() && refuses(response)) {
            return null; // as servers do that do not understand the query (RFC 6891, 7)
        }
        if (response.questions().size() != 1) {
            return Misfit.QUESTION;
        }
        DnsQuestion asked = message.questions().getFirst();
        DnsQuestion echoed = response.questions().getFirst();
        boolean same =
                echoed.type().equals(asked.type())
                        && echoed.recordClass().equals(asked.recordClass())
                        && echoed.name().equals(asked.name());
        return same ? null : Misfit.QUESTION;
    }

    /// Tells if a response says that there will be no answer.
    static boolean refuses(DnsMessage response) {
        ResponseCode code = response.code();
        return !code.equals(ResponseCode.NOERROR) && !code.equals(ResponseCode.NXDOMAIN);
    }

    /// Tells if a response that has no cookie fits but for that.
    boolean lacksCookie(DnsMessage response) {
        return knownCookie && cookieOf(response) == null;
    }

    static EdnsOption.@Nullable Cookie cookieOf(DnsMessage message) {
        if (message.edns() != null) {
            for (EdnsOption option : message.edns().options()) {
                if (option instanceof EdnsOption.Cookie cookie) {
                    return cookie;
                }
            }
        }
        return null;
    }
}
