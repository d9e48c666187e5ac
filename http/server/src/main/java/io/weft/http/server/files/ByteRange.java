package io.weft.http.server.files;

/// A part of a representation (RFC 9110, 14).
///
/// @param first byte
/// @param last byte, which belongs to it
public record ByteRange(long first, long last) {
    public long length() {
        return last - first + 1;
    }

    boolean overlaps(ByteRange other) {
        return first <= other.last && other.first <= last;
    }

    /// Both, and what is between them.
    ByteRange with(ByteRange other) {
        return new ByteRange(Math.min(first, other.first), Math.max(last, other.last));
    }

    /// The value of Content-Range.
    public String of(long size) {
        return "bytes " + first + "-" + last + "/" + size;
    }
}
