package io.weft.codec.dns.rdata;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.text.RdataParser;
import io.weft.codec.dns.text.RdataPrinter;

/// The data of a resource record: a record for each type, and [Unknown] for the types without one
/// (RFC 3597). All are immutable, and none exists that could not be sent. [RecordType#decode] reads
/// them.
public sealed interface Rdata
        permits A,
                Aaaa,
                Ns,
                Cname,
                Dname,
                Soa,
                Ptr,
                Mx,
                Txt,
                Srv,
                Naptr,
                Caa,
                Tlsa,
                Smimea,
                Sshfp,
                Openpgpkey,
                Hinfo,
                Loc,
                Uri,
                Svcb,
                Https,
                Ds,
                Dnskey,
                Rrsig,
                Nsec,
                Nsec3,
                Nsec3param,
                Cds,
                Cdnskey,
                Csync,
                Zonemd,
                Tkey,
                Tsig,
                Unknown,
                Empty {
    /// Octets that the data of a record may have.
    int MAX_LENGTH = 65_535;

    /// The type of the record that this is data of.
    RecordType type();

    /// Reads the data of a record as master files have it: the form of its type, or `\#`, a length
    /// and hexadecimal digits (RFC 3597, 5). Names without a dot at their end are complete too.
    ///
    /// @throws IllegalArgumentException unless it is such data
    static Rdata parse(RecordType type, String text) {
        return RdataParser.parse(type, text, DnsName.ROOT);
    }

    /// The data as master files have it.
    default String text() {
        return RdataPrinter.print(this);
    }

    /// The data as it is in a message, without compressed names.
    default Octets octets() {
        return Octets.of(this);
    }
}
