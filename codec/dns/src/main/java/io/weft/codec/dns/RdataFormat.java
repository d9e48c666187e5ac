package io.weft.codec.dns;

import io.weft.codec.dns.rdata.Rdata;
import io.weft.codec.dns.text.RdataParser;
import io.weft.codec.dns.text.RdataPrinter;
import io.weft.codec.dns.text.Tokens;

/// The two forms of the data of records: octets as in messages, and text as in master files.
public final class RdataFormat {
    private RdataFormat() {}

    /// The data as it is in a message, without compressed names.
    public static Octets encode(Rdata data) {
        WireWriter out = new WireWriter();
        RdataWriter.write(out, data);
        return out.written();
    }

    /// Decodes the data of a record of class IN as it is in a message, but without compressed
    /// names.
    ///
    /// @throws DnsException unless it is data of `type`
    public static Rdata decode(RecordType type, Octets octets) {
        return decode(type, RecordClass.IN, octets);
    }

    private static Rdata decode(RecordType type, RecordClass recordClass, Octets octets) {
        if (octets.length() > Rdata.MAX_LENGTH) {
            throw new DnsException(
                    DnsFault.LIMIT,
                    "data octets: " + octets.length() + " (expected: at most 65535)",
                    -1);
        }
        WireReader in = new WireReader();
        in.beginData(octets.toArray());
        return RdataReader.read(in, type, recordClass.number(), octets.length(), false);
    }

    /// The data as master files have it, on one line and in ASCII.
    public static String text(Rdata data) {
        return RdataPrinter.print(data);
    }

    /// Reads the data of a record of class IN as master files have it: the form of its type, or
    /// `\#`, a length and hexadecimal digits (RFC 3597, 5). Names without a dot at their end are
    /// complete too.
    ///
    /// @throws IllegalArgumentException unless it is data of `type`
    public static Rdata parse(RecordType type, String text) {
        return parse(type, RecordClass.IN, new Tokens(RdataParser.octets(text), DnsName.ROOT));
    }

    /// Takes all words that are left.
    static Rdata parse(RecordType type, RecordClass recordClass, Tokens in) {
        Rdata data;
        if (RdataParser.isGeneric(in)) {
            data = ofText(type, recordClass, RdataParser.generic(in));
        } else if (RdataReader.isKnown(type, recordClass.number())) {
            data = RdataParser.parse(type, in);
        } else {
            throw new IllegalArgumentException(
                    "data of type "
                            + type
                            + " in class "
                            + recordClass
                            + " (expected: \\#, a length and digits)");
        }
        in.end();
        return data;
    }

    private static Rdata ofText(RecordType type, RecordClass recordClass, Octets octets) {
        try {
            return decode(type, recordClass, octets);
        } catch (DnsException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }
}
