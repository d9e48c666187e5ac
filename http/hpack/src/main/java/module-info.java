import org.jspecify.annotations.NullMarked;

/// Floor 4: HPACK (RFC 7541), the header compression of HTTP/2, as pure machines.
///
/// ```java
/// HpackDecoder decoder = new HpackDecoder(HpackLimits.DEFAULT);
/// decoder.decode(headersFragment, false, field -> {            // HEADERS
///     switch (field.pseudo()) {
///         case PATH -> path = field.value();
///         case null -> wellFormed &= field.addTo(headersBuilder);
///         ...
///     }
/// });
/// decoder.decode(continuationFragment, true, consumer);        // CONTINUATION, END_HEADERS
/// if (decoder.isTruncated()) { ... 431, or RST_STREAM ... }
///
/// HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);
/// encoder.status(200, block);                                  // or encode(PseudoHeader, ...)
/// encoder.encode(headers, block);                              // or field by field
/// ```
///
/// Both belong to one connection and one thread. An [io.weft.http.hpack.HpackException] is a
/// connection error COMPRESSION_ERROR (RFC 9113, 4.3). When the peer has acknowledged a
/// SETTINGS_HEADER_TABLE_SIZE, [io.weft.http.hpack.HpackDecoder#tableSize] is told, and for the
/// peer's own, [io.weft.http.hpack.HpackEncoder#tableSize].
@NullMarked
module io.weft.http.hpack {
    requires static transitive org.jspecify;
    requires transitive io.weft.buffer;
    requires transitive io.weft.codec;
    requires transitive io.weft.http.model;

    exports io.weft.http.hpack;
}
