import org.jspecify.annotations.NullMarked;

/// Floor 3: messages of DNS as records, on the wire and in text.
///
/// A client over UDP, its server's answers in datagrams:
///
/// ```java
/// DnsMessage query = DnsMessage.query(id, DnsName.parse("example.com."), RecordType.AAAA);
/// encoder.encode(query, out); // a DnsEncoder.datagrams(512)
/// DnsMessage answer = decoder.message(datagram); // a DnsDecoder.datagrams()
/// for (DnsRecord record : answer.answers()) {
///     if (record.data() instanceof Aaaa aaaa) {
///         connect(aaaa.inetAddress());
///     }
/// }
/// ```
///
/// Over TCP and TLS, [io.weft.codec.dns.DnsDecoder#stream()] and
/// [io.weft.codec.dns.DnsEncoder#stream()] put two octets of length before each message. A server
/// answers what is no message with [io.weft.codec.dns.DnsException#reply()].
/// [io.weft.codec.dns.ZoneDecoder] reads master files, and [io.weft.codec.dns.RdataFormat] the data
/// of one record.
@NullMarked
module io.weft.codec.dns {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.dns;
    // The data of records, one record for each type: with them the package above would have seventy
    // files.
    exports io.weft.codec.dns.rdata;
}
