package io.weft.codec.dns;

/// A question; in updates, the zone.
public record DnsQuestion(DnsName name, RecordType type, RecordClass recordClass) {
    /// Of the class IN.
    public DnsQuestion(DnsName name, RecordType type) {
        this(name, type, RecordClass.IN);
    }

    /// As in `example.com. IN A`.
    @Override
    public String toString() {
        return name + " " + recordClass + " " + type;
    }
}
