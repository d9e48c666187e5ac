package io.weft.http.grpc;

import io.weft.buffer.Buffer;

/// One message as it is in the body of a request or a response: the flag and the bytes, behind
/// their length.
///
/// @param compressed whether the bytes have the coding of `grpc-encoding`
/// @param bytes the owner's of the frame
public record GrpcFrame(boolean compressed, Buffer bytes) {
    /// Octets before the bytes: the flag, and the length as 32 bits.
    static final int HEADER = 5;
}
