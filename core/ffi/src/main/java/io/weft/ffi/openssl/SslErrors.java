package io.weft.ffi.openssl;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.Memory;
import io.weft.ffi.call.IntFunction;
import io.weft.ffi.call.LongFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.util.ArrayList;
import java.util.List;

/// OpenSSL's queue of errors, of which each thread has one.
///
/// `SSL_get_error` looks at it, so it has to be empty before a call that may fail. If a call fails,
/// its caller [takes][#take] what it left.
public final class SslErrors {
    public static final int ERR_LIB_SSL = 20;
    public static final int SSL_R_UNEXPECTED_MESSAGE = 244;
    public static final int SSL_R_UNEXPECTED_RECORD = 245;
    public static final int SSL_R_BAD_RECORD_TYPE = 443;
    public static final int SSL_R_TOO_MANY_KEY_UPDATES = 132;
    public static final int SSL_R_LENGTH_MISMATCH = 159;
    public static final int SSL_R_BAD_LENGTH = 271;
    public static final int SSL_R_DIGEST_CHECK_FAILED = 149;
    public static final int SSL_R_BAD_SIGNATURE = 123;
    public static final int SSL_R_DATA_LENGTH_TOO_LONG = 146;
    public static final int SSL_R_ENCRYPTED_LENGTH_TOO_LONG = 150;
    public static final int SSL_R_PACKET_LENGTH_TOO_LONG = 198;
    public static final int SSL_R_DECRYPTION_FAILED_OR_BAD_RECORD_MAC = 281;
    public static final int SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE = 199;

    static final int ERR_LIB_OFFSET = 23;
    static final int ERR_LIB_MASK = 0xFF;
    static final int ERR_REASON_MASK = 0x7FFFFF;
    static final int SSL_AD_REASON_OFFSET = 1000;

    private static final int ERR_TXT_STRING = 2;

    /// So many the queue of a thread holds.
    private static final int MOST = 16;

    private static final IntFunction CLEAR =
            OpenSsl.ofVoid("ERR_clear_error", 0, Linker.Option.critical(false));
    private static final LongFunction GET_ALL = OpenSsl.ofLong("ERR_get_error_all", 5);
    private static final LongFunction REASON = OpenSsl.ofLong("ERR_reason_error_string", 1);

    private SslErrors() {}

    /// One error: OpenSSL's packed `code`, its reason in words and what more there is to say,
    /// perhaps nothing.
    public record Entry(long code, String reason, String data) {
        /// Which part of OpenSSL complains: 20 is SSL.
        public int library() {
            return code >> 31 != 0 ? 2 : (int) (code >> ERR_LIB_OFFSET) & ERR_LIB_MASK;
        }

        public int reasonCode() {
            return (int) code & ERR_REASON_MASK;
        }

        /// Returns the number of the alert that the peer sent, or -1 if this error does not stand
        /// for one.
        public int alertReceived() {
            int alert = reasonCode() - SSL_AD_REASON_OFFSET;
            return library() == ERR_LIB_SSL && alert >= 0 && alert < 256 ? alert : -1;
        }

        @Override
        public String toString() {
            return data.isEmpty() ? reason : reason + " (" + data + ")";
        }
    }

    /// Empties the current thread's queue.
    public static void clear() {
        CLEAR.call();
    }

    /// Takes the errors of the current thread out of its queue, the oldest first, which is the
    /// cause.
    public static List<Entry> take() {
        List<Entry> entries = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            long data = arena.allocate(JAVA_LONG).address();
            long flags = arena.allocate(JAVA_LONG).address();
            for (int i = 0; i < MOST; i++) {
                long code = GET_ALL.call(0, 0, 0, data, flags);
                if (code == 0) {
                    break;
                }
                boolean text = (Memory.getInt(flags) & ERR_TXT_STRING) != 0;
                String reason = CString.read(REASON.call(code));
                entries.add(
                        new Entry(
                                code,
                                reason.isEmpty() ? "error " + Long.toHexString(code) : reason,
                                text ? CString.read(Memory.getLong(data)) : ""));
            }
        }
        return entries;
    }

    /// For a call that is not supposed to fail: returns its result unless that is 0 or less.
    ///
    /// @throws SslException with what the queue says and `what`
    static int positive(int result, String what) {
        if (result <= 0) {
            throw new SslException(what, take());
        }
        return result;
    }

    /// As [#positive], for pointers.
    static long notNull(long pointer, String what) {
        if (pointer == 0) {
            throw new SslException(what, take());
        }
        return pointer;
    }
}
