package io.weft.ffi.openssl;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.weft.ffi.Memory;
import io.weft.ffi.call.IntFunction;
import io.weft.ffi.call.LongFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Functions that OpenSSL calls, each one stub for the whole process: they hand on to the
/// [SslEvents] of the call that is under way on their thread.
///
/// SAFETY: a stub lives for good, so no context can outlive it. None of them lets an exception
/// through, which would end the process. Arguments are read before they return and not kept, but
/// for a session whose ownership they take.
@SuppressWarnings({"UnusedMethod", "UnusedVariable"}) // found by name; parameters are those of C
final class SslUpcalls {
    static final int SSL_TLSEXT_ERR_OK = 0;
    static final int SSL_TLSEXT_ERR_ALERT_FATAL = 2;
    static final int SSL_TLSEXT_ERR_NOACK = 3;

    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    private SslUpcalls() {}

    /// the write function of a BIO
    static final long WRITE =
            stub("write", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT));

    /// `SSL_CTX_alpn_select_cb_func`
    static final long SELECT_PROTOCOL =
            stub(
                    "selectProtocol",
                    FunctionDescriptor.of(
                            JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT,
                            JAVA_LONG));

    /// `SSL_CTX_keylog_cb_func`
    static final long KEY_LOG = stub("keyLog", FunctionDescriptor.ofVoid(JAVA_LONG, JAVA_LONG));

    /// `new_session_cb`
    static final long NEW_SESSION =
            stub("newSession", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    /// the callback of `SSL_CTX_set_tlsext_status_cb`
    static final long STATUS =
            stub("status", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    /// the callback of `SSL_CTX_set_cert_verify_callback`
    static final long VERIFY =
            stub("verify", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));

    @SuppressWarnings("restricted") // see the class
    private static long stub(String method, FunctionDescriptor type) {
        try {
            MethodHandle target = LOOKUP.findStatic(SslUpcalls.class, method, type.toMethodType());
            return Linker.nativeLinker().upcallStub(target, type, Arena.global()).address();
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(method, e);
        }
    }

    private static int write(long bio, long data, int length) {
        try {
            SslCall call = SslCall.current();
            call.events().written(data, length);
            return length;
        } catch (Throwable e) {
            SslCall.caught(e);
            return -1;
        }
    }

    private static int selectProtocol(
            long ssl, long out, long outLength, long in, int inLength, long argument) {
        try {
            SslCall call = SslCall.current();
            // OpenSSL has checked that the lengths add up.
            List<String> offered = new ArrayList<>();
            List<Integer> places = new ArrayList<>();
            for (int at = 0; at < inLength; ) {
                int length = Memory.getByte(in + at) & 0xFF;
                if (at + 1 + length > inLength) {
                    return SSL_TLSEXT_ERR_ALERT_FATAL;
                }
                byte[] name = new byte[length];
                Memory.copy(in + at + 1, name, 0, length);
                offered.add(new String(name, StandardCharsets.ISO_8859_1));
                places.add(at);
                at += 1 + length;
            }
            int chosen = call.events().selectProtocol(offered.toArray(String[]::new));
            if (chosen < 0) {
                return chosen == -1 ? SSL_TLSEXT_ERR_ALERT_FATAL : SSL_TLSEXT_ERR_NOACK;
            }
            long place = in + places.get(chosen);
            Memory.putLong(out, place + 1);
            Memory.putByte(outLength, Memory.getByte(place));
            return SSL_TLSEXT_ERR_OK;
        } catch (Throwable e) {
            SslCall.caught(e);
            return SSL_TLSEXT_ERR_ALERT_FATAL;
        }
    }

    private static void keyLog(long ssl, long line) {
        try {
            SslCall call = SslCall.current();
            call.events().keyLog(CString.read(line));
        } catch (Throwable e) {
            SslCall.caught(e);
        }
    }

    private static int newSession(long ssl, long session) {
        try {
            SslCall call = SslCall.current();
            return call.events().newSession(session) ? 1 : 0;
        } catch (Throwable e) {
            SslCall.caught(e);
            return 0;
        }
    }

    private static int status(long ssl, long argument) {
        try {
            SslCall call = SslCall.current();
            byte[] response = call.events().ocspResponse();
            if (response == null) {
                return SSL_TLSEXT_ERR_NOACK;
            }
            Ssl.staple(ssl, response);
            return SSL_TLSEXT_ERR_OK;
        } catch (Throwable e) {
            SslCall.caught(e);
            return SSL_TLSEXT_ERR_ALERT_FATAL;
        }
    }

    private static int verify(long store, long argument) {
        try {
            // Unless we get to say more.
            StoreContext.error(store, X509.X509_V_ERR_APPLICATION_VERIFICATION);
            int error = SslCall.current().events().verify(StoreContext.chain(store));
            if (error == SslEvents.LATER) {
                return Ssl.retryVerify(StoreContext.ssl(store)) ? 1 : 0;
            }
            StoreContext.error(store, error);
            return error == X509.X509_V_OK ? 1 : 0;
        } catch (Throwable e) {
            SslCall.caught(e);
            return 0;
        }
    }

    /// The accessors of an `X509_STORE_CTX` in a verification.
    private static final class StoreContext {
        private static final IntFunction INDEX =
                OpenSsl.ofInt("SSL_get_ex_data_X509_STORE_CTX_idx", 0);
        private static final LongFunction EX_DATA = OpenSsl.ofLong("X509_STORE_CTX_get_ex_data", 2);
        private static final LongFunction UNTRUSTED =
                OpenSsl.ofLong("X509_STORE_CTX_get0_untrusted", 1);
        private static final IntFunction SET_ERROR = OpenSsl.ofVoid("X509_STORE_CTX_set_error", 2);

        static long chain(long store) {
            return UNTRUSTED.call(store);
        }

        static long ssl(long store) {
            return EX_DATA.call(store, INDEX.call());
        }

        static void error(long store, int error) {
            SET_ERROR.call(store, error);
        }
    }
}
