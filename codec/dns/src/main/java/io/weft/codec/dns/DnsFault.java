package io.weft.codec.dns;

/// The rule that a message breaks; see [DnsException].
public enum DnsFault {
    /// Octets end before the message does, or it is shorter than a header.
    CUT_OFF,
    /// A section has fewer records than its count, which octets are not there for.
    COUNT,
    /// Octets are left behind the last record.
    TRAILING_BYTES,
    /// A label begins with the bits 01 or 10.
    LABEL_TYPE,
    /// A name is longer than 255 octets.
    NAME_TOO_LONG,
    /// A pointer does not point backwards, points into the header, or is where none may be.
    POINTER,
    /// The data of a record is longer or shorter than its length says.
    DATA_LENGTH,
    /// The data of a record or an option is not what its type has.
    DATA,
    /// The type of a record is for questions only, or its class or TTL is not what the type has.
    RECORD,
    /// An OPT record is there twice, in a wrong section or with a name.
    OPT,
    /// EDNS of a version that is not known.
    EDNS_VERSION,
    /// A TSIG record is not the last one.
    TSIG,
    /// The opcode does not allow so many questions.
    QUESTIONS,
    /// Messages of the opcode are not known here.
    OPCODE,
    /// More than [DnsLimits] allow.
    LIMIT;

    /// Returns the response code that a server answers such a query with.
    public ResponseCode code() {
        return switch (this) {
            case OPCODE -> ResponseCode.NOTIMP;
            case EDNS_VERSION -> ResponseCode.BADVERS;
            default -> ResponseCode.FORMERR;
        };
    }
}
