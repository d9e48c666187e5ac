package io.weft.ffi.openssl;

import org.jspecify.annotations.Nullable;

/// Questions and news of OpenSSL in the middle of a call: on the thread that makes the call, see
/// [SslCall]. A method here may call no function of the same `SSL` but getters. If it throws, the
/// call throws the same after it has ended; for the handshake the method then counts as failed.
public interface SslEvents {
    /// The result by which [#verify] is asked again when the handshake goes on: see
    /// [Ssl#SSL_ERROR_WANT_RETRY_VERIFY].
    int LATER = -1;

    /// Takes records for the peer: `length` bytes at `address`, which are OpenSSL's and gone when
    /// this returns. To throw is to fail the call.
    default void written(long address, int length) {
        throw new IllegalStateException("written: " + length + " bytes (expected: none)");
    }

    /// The server's choice among what the client offers: an index into `offered`, or -1, which ends
    /// the handshake with the alert `no_application_protocol`, or -2 to go on without one.
    default int selectProtocol(String[] offered) {
        return -2;
    }

    /// A line for a key log file, without its end.
    default void keyLog(String line) {}

    /// A session that may be resumed. To keep it, return true; it is to be freed by
    /// [Ssl#freeSession] then.
    default boolean newSession(long session) {
        return false;
    }

    /// The response to staple to the server's certificate, in DER; null: none.
    default byte @Nullable [] ocspResponse() {
        return null;
    }

    /// Decides on the peer's certificate in place of OpenSSL, given a `STACK_OF(X509)` with the
    /// peer's own first: [X509#X509_V_OK], or why not, or at a client [#LATER].
    default int verify(long chain) {
        return X509.X509_V_ERR_APPLICATION_VERIFICATION;
    }
}
