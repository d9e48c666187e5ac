package io.weft.codec.dns.rdata;

import io.weft.codec.dns.RecordType;

/// The data of a resource record: a record for each type, and [Unknown] for the types without one
/// (RFC 3597). All are immutable, and none exists that could not be sent.
/// [io.weft.codec.dns.RdataFormat] reads and writes them by themselves.
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
}
