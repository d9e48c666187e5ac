package io.weft.codec.dns;

import io.weft.codec.dns.rdata.Empty;
import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.rdata.Tsig;
import io.weft.codec.dns.rdata.Unknown;
import io.weft.codec.dns.text.RdataPrinter;

/// A resource record.
///
/// @param ttl seconds for which it may be cached: 0 to 2^31 - 1 (RFC 2181, 8)
public record DnsRecord(DnsName name, RecordClass recordClass, int ttl, Rdata data) {
    /// @throws IllegalArgumentException when the TTL is negative, or class or TTL is not what the
    ///     data has: A, AAAA, SRV, SVCB and HTTPS are of IN, in other classes their data is
    ///     [Unknown]
    public DnsRecord {
        if (ttl < 0) {
            throw new IllegalArgumentException("ttl: " + ttl + " (expected: >= 0)");
        }
        if (data instanceof Empty
                && !recordClass.equals(RecordClass.ANY)
                && !recordClass.equals(RecordClass.NONE)) {
            throw new IllegalArgumentException(
                    "no data in class " + recordClass + " (expected: ANY or NONE)");
        }
        boolean internet = recordClass.equals(RecordClass.IN);
        if (RdataReader.isInternetAlone(data.type())
                && internet == data instanceof Unknown
                && !recordClass.equals(RecordClass.ANY)
                && !recordClass.equals(RecordClass.NONE)) {
            throw new IllegalArgumentException(
                    data.type()
                            + " in class "
                            + recordClass
                            + (internet ? ": unknown data" : ": data of IN")
                            + (internet ? " (expected: data of IN)" : " (expected: Unknown)"));
        }
        if (data instanceof Tsig && (!recordClass.equals(RecordClass.ANY) || ttl != 0)) {
            throw new IllegalArgumentException(
                    "TSIG: class " + recordClass + ", ttl " + ttl + " (expected: ANY, 0)");
        }
    }

    /// Of the class IN.
    public DnsRecord(DnsName name, int ttl, Rdata data) {
        this(name, RecordClass.IN, ttl, data);
    }

    /// The type of the data.
    public RecordType type() {
        return data.type();
    }

    /// The record as master files have it, on one line.
    public String text() {
        return name + " " + ttl + " " + recordClass + " " + type() + " " + RdataPrinter.print(data);
    }

    /// Tells if both are of one set: name, class and type are the same.
    boolean isOfSetOf(DnsRecord other) {
        return data.type().number() == other.data.type().number()
                && recordClass.number() == other.recordClass.number()
                && name.equals(other.name);
    }

    /// The same as [#text()].
    @Override
    public String toString() {
        return text();
    }
}
