package io.weft.ffi.openssl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.weft.ffi.Memory;
import io.weft.ffi.call.CallState;
import io.weft.ffi.call.IntFunction;
import io.weft.ffi.call.LongFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/// `SSL`: one side of one connection.
///
/// [#handshake], [#read], [#write] and [#shutdown] are called between [SslCall#enter] and
/// [SslCall#exit], because they may write and may have questions; their result is OpenSSL's, to be
/// given to [#error] when it is 0 or less.
public final class Ssl {
    public static final int SSL_ERROR_NONE = 0;
    public static final int SSL_ERROR_SSL = 1;
    public static final int SSL_ERROR_WANT_READ = 2;
    public static final int SSL_ERROR_WANT_WRITE = 3;
    public static final int SSL_ERROR_SYSCALL = 5;
    public static final int SSL_ERROR_ZERO_RETURN = 6;

    /// A client's [SslEvents#verify] said [SslEvents#LATER]: it is asked again by the next
    /// [#handshake].
    public static final int SSL_ERROR_WANT_RETRY_VERIFY = 12;

    public static final int SSL_SENT_SHUTDOWN = 1;
    public static final int SSL_RECEIVED_SHUTDOWN = 2;

    static final int SSL_CTRL_SET_TLSEXT_HOSTNAME = 55;
    static final int SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE = 65;
    static final int SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP = 70;
    static final int SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP = 71;
    static final int SSL_CTRL_SET_RETRY_VERIFY = 136;
    static final int TLSEXT_STATUSTYPE_ocsp = 1;
    static final int X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS = 4;
    static final int X509_CHECK_FLAG_NEVER_CHECK_SUBJECT = 0x20;

    private static final Linker.Option TRIVIAL = Linker.Option.critical(false);

    private static final LongFunction NEW = OpenSsl.ofLong("SSL_new", 1);
    private static final IntFunction FREE = OpenSsl.ofVoid("SSL_free", 1);
    private static final IntFunction SET_BIO = OpenSsl.ofVoid("SSL_set_bio", 3);
    private static final IntFunction CONNECT = OpenSsl.ofVoid("SSL_set_connect_state", 1);
    private static final IntFunction ACCEPT = OpenSsl.ofVoid("SSL_set_accept_state", 1);
    private static final IntFunction HANDSHAKE = OpenSsl.ofInt("SSL_do_handshake", 1);
    private static final IntFunction READ = OpenSsl.ofInt("SSL_read", 3);
    private static final IntFunction WRITE = OpenSsl.ofInt("SSL_write", 3);
    private static final IntFunction SHUTDOWN = OpenSsl.ofInt("SSL_shutdown", 1);
    private static final IntFunction GET_SHUTDOWN = OpenSsl.ofInt("SSL_get_shutdown", 1, TRIVIAL);
    private static final IntFunction GET_ERROR = OpenSsl.ofInt("SSL_get_error", 2, TRIVIAL);
    private static final IntFunction INIT_FINISHED =
            OpenSsl.ofInt("SSL_is_init_finished", 1, TRIVIAL);
    private static final LongFunction CTRL = OpenSsl.ofLong("SSL_ctrl", 4);
    private static final LongFunction PARAM = OpenSsl.ofLong("SSL_get0_param", 1);
    private static final IntFunction SET_HOST = OpenSsl.ofInt("X509_VERIFY_PARAM_set1_host", 3);
    private static final IntFunction SET_IP = OpenSsl.ofInt("X509_VERIFY_PARAM_set1_ip_asc", 2);
    private static final IntFunction HOST_FLAGS =
            OpenSsl.ofVoid("X509_VERIFY_PARAM_set_hostflags", 2);
    private static final LongFunction VERIFY_RESULT = OpenSsl.ofLong("SSL_get_verify_result", 1);
    private static final LongFunction VERSION = OpenSsl.ofLong("SSL_get_version", 1);
    private static final LongFunction CIPHER = OpenSsl.ofLong("SSL_get_current_cipher", 1);
    private static final LongFunction PENDING_CIPHER = OpenSsl.ofLong("SSL_get_pending_cipher", 1);
    private static final LongFunction CIPHER_NAME = OpenSsl.ofLong("SSL_CIPHER_standard_name", 1);
    private static final IntFunction ALPN = OpenSsl.ofVoid("SSL_get0_alpn_selected", 3);
    private static final LongFunction SERVERNAME = OpenSsl.ofLong("SSL_get_servername", 2);
    private static final LongFunction PEER = OpenSsl.ofLong("SSL_get1_peer_certificate", 1);
    private static final LongFunction PEER_CHAIN = OpenSsl.ofLong("SSL_get_peer_cert_chain", 1);
    private static final LongFunction OWN = OpenSsl.ofLong("SSL_get_certificate", 1);
    private static final IntFunction SIGNATURE = OpenSsl.ofInt("SSL_get_signature_type_nid", 2);
    private static final IntFunction EXPORT = OpenSsl.ofInt("SSL_export_keying_material", 8);
    private static final IntFunction REUSED = OpenSsl.ofInt("SSL_session_reused", 1);
    private static final IntFunction SET_SESSION = OpenSsl.ofInt("SSL_set_session", 2);
    private static final LongFunction GET_SESSION = OpenSsl.ofLong("SSL_get1_session", 1);
    private static final IntFunction FREE_SESSION = OpenSsl.ofVoid("SSL_SESSION_free", 1);
    private static final IntFunction RESUMABLE = OpenSsl.ofInt("SSL_SESSION_is_resumable", 1);
    private static final IntFunction SESSION_VERSION =
            OpenSsl.ofInt("SSL_SESSION_get_protocol_version", 1);
    private static final LongFunction MALLOC = OpenSsl.ofLong("CRYPTO_malloc", 3);

    private static final LongAdder OPEN = new LongAdder();

    private Ssl() {}

    /// A client's side, which reads from `source` and writes to `sink` and owns both from now on.
    public static long client(long context, long source, long sink) {
        long ssl = create(context, source, sink);
        CONNECT.call(ssl);
        return ssl;
    }

    /// A server's side, as [#client].
    public static long server(long context, long source, long sink) {
        long ssl = create(context, source, sink);
        ACCEPT.call(ssl);
        return ssl;
    }

    private static long create(long context, long source, long sink) {
        long ssl = SslErrors.notNull(NEW.call(context), "SSL_new");
        OPEN.increment();
        SET_BIO.call(ssl, source, sink);
        return ssl;
    }

    /// Frees the connection and its BIOs.
    public static void free(long ssl) {
        FREE.call(ssl);
        OPEN.decrement();
    }

    /// Returns the number of connections of this process that have not been freed.
    public static long open() {
        return OPEN.sum();
    }

    // ---- before the handshake ----

    /// Has a client name the server that it wants (SNI).
    public static void serverName(long ssl, String host) {
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(host).address();
            // TLSEXT_NAMETYPE_host_name is 0
            if (CTRL.call(ssl, SSL_CTRL_SET_TLSEXT_HOSTNAME, 0, name) != 1) {
                throw new SslException("server name: " + host, SslErrors.take());
            }
        }
    }

    /// Has the peer's certificate be refused unless it is one of `host`, by its alternative names
    /// alone.
    public static void expectHost(long ssl, String host) {
        long param = PARAM.call(ssl);
        HOST_FLAGS.call(
                param, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
        try (Arena arena = Arena.ofConfined()) {
            long name = arena.allocateFrom(host).address();
            SslErrors.positive(SET_HOST.call(param, name, 0), "host to expect: " + host);
        }
    }

    /// As [#expectHost], with an IP address as text.
    public static void expectAddress(long ssl, String address) {
        try (Arena arena = Arena.ofConfined()) {
            long text = arena.allocateFrom(address).address();
            SslErrors.positive(SET_IP.call(PARAM.call(ssl), text), "address to expect: " + address);
        }
    }

    /// Has a client ask for a stapled response.
    public static void requestStatus(long ssl) {
        CTRL.call(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_TYPE, TLSEXT_STATUSTYPE_ocsp, 0);
    }

    /// Has a client try to resume a session, which stays the caller's.
    public static void resume(long ssl, long session) {
        SslErrors.positive(SET_SESSION.call(ssl, session), "SSL_set_session");
    }

    // ---- at work ----

    public static int handshake(long ssl) {
        return HANDSHAKE.call(ssl);
    }

    /// Reads up to `length` bytes of plaintext, of one record.
    public static int read(long ssl, long address, int length) {
        return READ.call(ssl, address, length);
    }

    /// Writes `length` bytes of plaintext, not 0, in records of up to 16 KiB.
    public static int write(long ssl, long address, int length) {
        return WRITE.call(ssl, address, length);
    }

    static boolean retryVerify(long ssl) {
        return CTRL.call(ssl, SSL_CTRL_SET_RETRY_VERIFY, 0, 0) > 0;
    }

    public static int shutdown(long ssl) {
        return SHUTDOWN.call(ssl);
    }

    /// Returns the meaning of a result of 0 or less: `SSL_ERROR_`.
    public static int error(long ssl, int result) {
        return GET_ERROR.call(ssl, result);
    }

    /// Bits of `SSL_SENT_SHUTDOWN` and `SSL_RECEIVED_SHUTDOWN`.
    public static int shutdowns(long ssl) {
        return GET_SHUTDOWN.call(ssl);
    }

    public static boolean handshakeFinished(long ssl) {
        return INIT_FINISHED.call(ssl) == 1;
    }

    // ---- after the handshake ----

    /// Why the peer's certificate was not accepted, for [X509#verifyError]; 0 if it was.
    public static int verifyResult(long ssl) {
        return (int) VERIFY_RESULT.call(ssl);
    }

    /// As `TLSv1.3`.
    public static String version(long ssl) {
        return CString.read(VERSION.call(ssl));
    }

    /// The cipher suite's name in the standard, as `TLS_AES_128_GCM_SHA256`; empty before one is
    /// agreed on.
    public static String cipher(long ssl) {
        long cipher = CIPHER.call(ssl);
        if (cipher == 0) {
            cipher = PENDING_CIPHER.call(ssl);
        }
        return cipher == 0 ? "" : CString.read(CIPHER_NAME.call(cipher));
    }

    /// The application protocol agreed on; null: none.
    public static @Nullable String protocol(long ssl) {
        long data = CallState.current().scratch;
        long length = data + Long.BYTES;
        ALPN.call(ssl, data, length);
        int bytes = Memory.getInt(length);
        return bytes == 0 ? null : CString.read(Memory.getLong(data), bytes);
    }

    /// The server name that the client asked for; null: none.
    public static @Nullable String serverName(long ssl) {
        long name = SERVERNAME.call(ssl, 0);
        return name == 0 ? null : CString.read(name);
    }

    /// The peer's certificates in DER, its own first; none when it showed none.
    public static List<byte[]> peerCertificates(long ssl) {
        List<byte[]> chain = X509.encodedStack(PEER_CHAIN.call(ssl));
        long own = PEER.call(ssl);
        if (own == 0) {
            return List.of();
        }
        try {
            byte[] first = X509.encoded(own);
            // On servers the chain lacks the peer's own.
            if (chain.isEmpty() || !java.util.Arrays.equals(chain.getFirst(), first)) {
                chain.addFirst(first);
            }
            return chain;
        } finally {
            X509.free(own);
        }
    }

    /// The certificate that this side uses, or would if it were asked, in DER; null: none.
    public static byte @Nullable [] ownCertificate(long ssl) {
        long own = OWN.call(ssl);
        return own == 0 ? null : X509.encoded(own);
    }

    /// Tells if this side has proved in this handshake that it has the key of its certificate.
    public static boolean signed(long ssl) {
        return SIGNATURE.call(ssl, CallState.current().scratch) == 1;
    }

    /// Bytes derived from the keys of the session (RFC 5705); null when there are none yet.
    public static byte @Nullable [] export(
            long ssl, String label, byte @Nullable [] context, int length) {
        try (Arena arena = Arena.ofConfined()) {
            var out = arena.allocate(Math.max(1, length));
            var name = arena.allocateFrom(label);
            long bytes = context == null ? 0 : arena.allocateFrom(JAVA_BYTE, context).address();
            int done =
                    EXPORT.call(
                            ssl,
                            out.address(),
                            length,
                            name.address(),
                            name.byteSize() - 1,
                            bytes,
                            context == null ? 0 : context.length,
                            context == null ? 0 : 1);
            SslErrors.clear();
            return done == 1 ? out.asSlice(0, length).toArray(JAVA_BYTE) : null;
        }
    }

    public static boolean resumed(long ssl) {
        return REUSED.call(ssl) == 1;
    }

    /// The session that this connection has, which is the caller's to free; 0: none.
    public static long session(long ssl) {
        return GET_SESSION.call(ssl);
    }

    public static void freeSession(long session) {
        FREE_SESSION.call(session);
    }

    /// Tells if a session is one of TLS 1.3, whose tickets are for one connection each.
    public static boolean usedOnce(long session) {
        return SESSION_VERSION.call(session) == SslCtx.TLS1_3_VERSION;
    }

    public static boolean resumable(long session) {
        return RESUMABLE.call(session) == 1;
    }

    // ---- stapling ----

    /// The response that the server stapled, in DER; null: none.
    public static byte @Nullable [] stapled(long ssl) {
        long out = CallState.current().scratch;
        int length = (int) CTRL.call(ssl, SSL_CTRL_GET_TLSEXT_STATUS_REQ_OCSP_RESP, 0, out);
        if (length <= 0) {
            return null;
        }
        byte[] response = new byte[length];
        Memory.copy(Memory.getLong(out), response, 0, length);
        return response;
    }

    /// SAFETY: the response is in OpenSSL's own heap, because the `SSL` owns and frees it.
    static void staple(long ssl, byte[] response) {
        long copy = SslErrors.notNull(MALLOC.call(response.length, 0, 0), "CRYPTO_malloc");
        Memory.copy(response, 0, copy, response.length);
        CTRL.call(ssl, SSL_CTRL_SET_TLSEXT_STATUS_REQ_OCSP_RESP, response.length, copy);
    }
}
