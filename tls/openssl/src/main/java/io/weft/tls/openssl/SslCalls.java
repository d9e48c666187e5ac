package io.weft.tls.openssl;

import io.weft.buffer.Buffer;
import io.weft.ffi.openssl.Ssl;
import io.weft.ffi.openssl.SslBio;
import io.weft.ffi.openssl.SslCall;
import io.weft.ffi.openssl.SslErrors;
import io.weft.ffi.openssl.SslEvents;
import io.weft.tls.machine.Records;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.Failed;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The calls of one `SSL`: points it at records, gathers the records that it writes, and says what
/// failed.
///
/// Records are read where they lie and decrypted into the buffer that is emitted; plaintext is
/// encrypted from where it lies, and the records are copied once. Between calls no bytes are held.
final class SslCalls {
    /// Bytes that a record adds to its plaintext at most, with any suite that is negotiated here.
    private static final int OVERHEAD = 64;

    private final NativeSide side;
    private final SslEvents events;

    private List<SslErrors.Entry> errors = List.of();
    private @Nullable Throwable thrown;

    SslCalls(NativeSide side, SslEvents events) {
        this.side = side;
        this.events = events;
    }

    /// Goes on with the handshake, given the first `length` bytes of `records`, as long as it
    /// reads.
    ///
    /// @return `SSL_ERROR_`
    int handshake(@Nullable Buffer records, int length) {
        SslCall call = SslCall.enter(events);
        try {
            if (records != null) {
                offer(records, length);
            }
            int result = Ssl.handshake(side.ssl);
            if (result > 0) {
                return Ssl.SSL_ERROR_NONE;
            }
            return error(call, result);
        } finally {
            call.exit();
            if (records != null) {
                skip(records, length);
            }
        }
    }

    /// Decrypts the first `length` bytes of `records`, which are whole ones, into `plaintext`,
    /// which has that much room.
    ///
    /// @return `SSL_ERROR_`
    int read(Buffer records, int length, Buffer plaintext) {
        SslCall call = SslCall.enter(events);
        try {
            offer(records, length);
            do {
                int result =
                        Ssl.read(
                                side.ssl,
                                plaintext.address() + plaintext.writeOffset(),
                                plaintext.writableBytes());
                if (result <= 0) {
                    return error(call, result);
                }
                plaintext.writeOffset(plaintext.writeOffset() + result);
            } while (SslBio.left(side.incoming) > 0);
            return Ssl.SSL_ERROR_NONE;
        } finally {
            call.exit();
            skip(records, length);
        }
    }

    private void offer(Buffer records, int length) {
        SslBio.set(side.incoming, records.address() + records.readOffset(), length);
    }

    /// Marks as read what OpenSSL has read, and has it forget where they are.
    private void skip(Buffer records, int length) {
        int read = length - (int) SslBio.left(side.incoming);
        SslBio.set(side.incoming, 0, 0);
        records.skipReadable(read);
    }

    /// Encrypts the first `length` bytes of `plaintext`; true when it could.
    boolean write(Buffer plaintext, int length) {
        int records = (length + Records.MAX_PLAINTEXT - 1) / Records.MAX_PLAINTEXT;
        side.expected = length + records * OVERHEAD;
        SslCall call = SslCall.enter(events);
        try {
            // All or nothing: nothing ever makes it wait.
            int result = Ssl.write(side.ssl, plaintext.address() + plaintext.readOffset(), length);
            if (result != length) {
                error(call, Math.min(result, 0));
                return false;
            }
            plaintext.skipReadable(length);
            return true;
        } finally {
            call.exit();
            side.expected = 0;
        }
    }

    /// Says that nothing more comes; true when it could.
    boolean shutdown() {
        SslCall call = SslCall.enter(events);
        try {
            int result = Ssl.shutdown(side.ssl);
            if (result < 0) { // 0: sent, the peer's has not come
                error(call, result);
            }
            return result >= 0;
        } finally {
            call.exit();
        }
    }

    /// Makes it send an alert. It makes its own only, and makes one of a header that no record has;
    /// encrypted if the peer expects that.
    void poison() {
        try (Buffer header = side.allocator.allocate(Records.HEADER)) {
            header.writeByte(Records.APPLICATION_DATA).writeShort(0x0303).writeShort(0xFFFF);
            SslCall call = SslCall.enter(events);
            try {
                offer(header, Records.HEADER);
                Ssl.read(side.ssl, header.address(), 0);
            } finally {
                call.exit();
                SslBio.set(side.incoming, 0, 0);
                SslErrors.clear();
            }
        }
    }

    private int error(SslCall call, int result) {
        int error = Ssl.error(side.ssl, result);
        boolean fatal = error == Ssl.SSL_ERROR_SSL || error == Ssl.SSL_ERROR_SYSCALL;
        errors = fatal ? SslErrors.take() : List.of();
        thrown = call.thrown();
        return error;
    }

    /// Returns the failure that the last error stands for.
    TlsException failure() {
        return switch (thrown) {
            case null -> Failures.of(errors, side.out);
            case TlsException e -> e;
            case Error e -> throw e;
            default -> new Failed(String.valueOf(thrown.getMessage()), thrown);
        };
    }
}
