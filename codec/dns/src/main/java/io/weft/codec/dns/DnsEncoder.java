package io.weft.codec.dns;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Ns;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Tsig;
import java.util.List;

/// Encodes messages, names compressed, into datagrams or onto a connection, with two octets of
/// length before each (RFC 1035, 4.2.2). For clients and servers: queries and responses.
///
/// **Truncation.** A response that is too long for its datagram loses whole sets of records from
/// its end on. If answers, records of the authority section or the addresses of a delegation are
/// among them, it has the flag TC, so that the client asks again over TCP; other additional records
/// are just left out (RFC 2181, 9; RFC 9471). Its EDNS stays.
///
/// **Errors.** A query that is too long, a response with a TSIG record that is, and one that is too
/// long for a connection are an [IllegalArgumentException]; nothing is written then.
public final class DnsEncoder implements Encoder<DnsMessage> {
    /// Octets of a datagram that every receiver takes.
    public static final int MIN_DATAGRAM = 512;

    private static final int MAX = 65_535;
    private static final int TC = 0x0200;

    private final WireWriter out = new WireWriter();
    private final boolean stream;
    private final int limit;

    // Of the current message.
    private int end;
    private boolean truncated;

    private DnsEncoder(boolean stream, int limit) {
        this.stream = stream;
        this.limit = limit;
    }

    /// @param limit octets of a datagram, 512 to 65535; of a response to one query, see
    ///     [#encode(DnsMessage, int, Output)]
    public static DnsEncoder datagrams(int limit) {
        return new DnsEncoder(false, requireDatagram(limit));
    }

    /// Puts the length before each message.
    public static DnsEncoder stream() {
        return new DnsEncoder(true, MAX);
    }

    private static int requireDatagram(int limit) {
        if (limit < MIN_DATAGRAM || limit > MAX) {
            throw new IllegalArgumentException("limit: " + limit + " (expected: 512 to 65535)");
        }
        return limit;
    }

    @Override
    public void encode(DnsMessage message, Output to) {
        var _ = encode(message, limit, to);
    }

    /// Encodes a message that may have `limit` octets: a response as many as
    /// [DnsMessage#maxResponse()] of its query says, and the network takes.
    ///
    /// @return whether it was cut off, and has TC for that
    /// @throws IllegalArgumentException when it is too long and cannot be cut off
    public boolean encode(DnsMessage message, int limit, Output to) {
        requireDatagram(limit);
        write(message, limit);
        int length = out.at();
        Buffer buffer = to.buffer(length + 2);
        if (stream) {
            buffer.writeShort(length);
        }
        buffer.writeBytes(out.array(), 0, length);
        return truncated;
    }

    private void write(DnsMessage message, int limit) {
        Edns edns = message.edns();
        out.begin();
        truncated = false;
        end = limit - (edns == null ? 0 : edns.length());
        int word =
                message.flags().bits()
                        | (message.opcode().number() << 11)
                        | (message.code().number() & 15);
        out.i64(
                (long) message.id() << 48
                        | (long) word << 32
                        | (long) message.questions().size() << 16);
        out.i32(0);
        boolean alone = isQuestionAlone(message);
        for (DnsQuestion question : message.questions()) {
            if (alone) {
                out.plainName(question.name()); // to which nothing could point
            } else {
                out.name(question.name());
            }
            out.u16(question.type().number());
            out.u16(question.recordClass().number());
        }
        if (out.at() > end) {
            throw tooLong(limit, "questions");
        }
        List<DnsRecord> additionals = message.additionals();
        DnsRecord last = additionals.isEmpty() ? null : additionals.getLast();
        boolean signed = last != null && last.data() instanceof Tsig;
        int count = section(message.answers(), message.answers().size(), 6);
        boolean whole = count == message.answers().size();
        if (whole) {
            count = section(message.authorities(), message.authorities().size(), 8);
            whole = count == message.authorities().size();
        }
        boolean needed = !whole;
        int written = 0;
        if (whole) {
            int all = additionals.size() - (signed ? 1 : 0);
            written = section(additionals, all, 10);
            whole = written == all;
            needed = !whole && isGlue(message, additionals.get(written));
        }
        if (edns != null) {
            EdnsWire.write(out, edns, message.code().number());
            out.set16(10, ++written);
        }
        if (signed && last != null) {
            record(last);
            out.set16(10, ++written);
        }
        if ((!whole && (signed || !message.flags().isResponse())) || out.at() > limit) {
            throw tooLong(limit, signed ? "TSIG" : "what is no response");
        }
        if (needed) {
            truncated = true;
            out.set16(2, word | TC);
        }
    }

    private static boolean isQuestionAlone(DnsMessage message) {
        return message.questions().size() == 1
                && message.answers().isEmpty()
                && message.authorities().isEmpty()
                && message.additionals().isEmpty();
    }

    private static IllegalArgumentException tooLong(int limit, String what) {
        return new IllegalArgumentException(
                "message octets: above "
                        + limit
                        + " (expected: at most, as "
                        + what
                        + " cannot be cut off)");
    }

    /// Writes the first `count` records as far as whole sets fit, and how many they are at `at`.
    private int section(List<DnsRecord> records, int count, int at) {
        int set = 0; // where the current set begins
        int setAt = out.at();
        for (int i = 0; i < count; i++) {
            DnsRecord record = records.get(i);
            if (i > 0 && !record.isOfSetOf(records.get(i - 1))) {
                set = i;
                setAt = out.at();
            }
            record(record);
            if (out.at() > end) {
                out.truncate(setAt);
                out.set16(at, set);
                return set;
            }
        }
        out.set16(at, count);
        return count;
    }

    private void record(DnsRecord record) {
        Rdata data = record.data();
        out.name(record.name());
        out.u16(data.type().number());
        out.u16(record.recordClass().number());
        out.i32(record.ttl());
        int length = out.reserve();
        RdataWriter.write(out, data);
        out.lengthSince(length);
    }

    /// Tells if an omitted address is glue: if the response is a delegation, and the address
    /// belongs to a name below its zone.
    private static boolean isGlue(DnsMessage message, DnsRecord record) {
        if (!message.answers().isEmpty()
                || !(record.data() instanceof A || record.data() instanceof Aaaa)) {
            return false;
        }
        for (DnsRecord authority : message.authorities()) {
            if (authority.data() instanceof Ns && record.name().isWithin(authority.name())) {
                return true;
            }
        }
        return false;
    }
}
