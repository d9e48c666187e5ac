package io.weft.ffi.openssl;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.weft.ffi.call.IntFunction;
import io.weft.ffi.call.LongFunction;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/// `SSL_CTX`: what connections have in common. Set up by one thread; then any thread may make
/// connections of it.
public final class SslCtx {
    public static final int TLS1_2_VERSION = 0x0303;
    public static final int TLS1_3_VERSION = 0x0304;

    public static final long SSL_OP_NO_TICKET = 1 << 14;
    public static final long SSL_OP_NO_COMPRESSION = 1 << 17;
    public static final long SSL_OP_CIPHER_SERVER_PREFERENCE = 1 << 22;
    public static final long SSL_OP_NO_RENEGOTIATION = 1 << 30;

    public static final int SSL_MODE_RELEASE_BUFFERS = 0x10;

    public static final int SSL_SESS_CACHE_OFF = 0;
    public static final int SSL_SESS_CACHE_CLIENT = 1;
    public static final int SSL_SESS_CACHE_SERVER = 2;
    public static final int SSL_SESS_CACHE_NO_INTERNAL = 0x300;

    public static final int SSL_VERIFY_NONE = 0;
    public static final int SSL_VERIFY_PEER = 1;
    public static final int SSL_VERIFY_FAIL_IF_NO_PEER_CERT = 2;

    static final int SSL_CTRL_MODE = 33;
    static final int SSL_CTRL_SET_SESS_CACHE_SIZE = 42;
    static final int SSL_CTRL_SET_SESS_CACHE_MODE = 44;
    static final int SSL_CTRL_SET_TLSEXT_TICKET_KEYS = 59;
    static final int SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB = 63;
    static final int SSL_CTRL_SET_GROUPS_LIST = 92;
    static final int SSL_CTRL_SET_SIGALGS_LIST = 98;
    static final int SSL_CTRL_SET_MIN_PROTO_VERSION = 123;
    static final int SSL_CTRL_SET_MAX_PROTO_VERSION = 124;

    private static final LongFunction CLIENT = OpenSsl.ofLong("TLS_client_method", 0);
    private static final LongFunction SERVER = OpenSsl.ofLong("TLS_server_method", 0);
    private static final LongFunction NEW = OpenSsl.ofLong("SSL_CTX_new", 1);
    private static final IntFunction FREE = OpenSsl.ofVoid("SSL_CTX_free", 1);
    private static final LongFunction CTRL = OpenSsl.ofLong("SSL_CTX_ctrl", 4);
    private static final LongFunction CALLBACK_CTRL = OpenSsl.ofLong("SSL_CTX_callback_ctrl", 3);
    private static final LongFunction SET_OPTIONS = OpenSsl.ofLong("SSL_CTX_set_options", 2);
    private static final IntFunction CIPHER_LIST = OpenSsl.ofInt("SSL_CTX_set_cipher_list", 2);
    private static final IntFunction CIPHERSUITES = OpenSsl.ofInt("SSL_CTX_set_ciphersuites", 2);
    private static final LongFunction GET_CIPHERS = OpenSsl.ofLong("SSL_CTX_get_ciphers", 1);
    private static final IntFunction SK_NUM = OpenSsl.ofInt("OPENSSL_sk_num", 1);
    private static final LongFunction SK_VALUE = OpenSsl.ofLong("OPENSSL_sk_value", 2);
    private static final LongFunction STANDARD_NAME = OpenSsl.ofLong("SSL_CIPHER_standard_name", 1);
    private static final LongFunction OWN_NAME = OpenSsl.ofLong("SSL_CIPHER_get_name", 1);
    private static final IntFunction USE = OpenSsl.ofInt("SSL_CTX_use_cert_and_key", 5);
    private static final LongFunction STORE = OpenSsl.ofLong("SSL_CTX_get_cert_store", 1);
    private static final IntFunction ADD_CERT = OpenSsl.ofInt("X509_STORE_add_cert", 2);
    private static final IntFunction DEFAULT_PATHS =
            OpenSsl.ofInt("SSL_CTX_set_default_verify_paths", 1);
    private static final IntFunction ADD_CLIENT_CA = OpenSsl.ofInt("SSL_CTX_add_client_CA", 2);
    private static final IntFunction SET_VERIFY = OpenSsl.ofVoid("SSL_CTX_set_verify", 3);
    private static final IntFunction CERT_VERIFY =
            OpenSsl.ofVoid("SSL_CTX_set_cert_verify_callback", 3);
    private static final IntFunction ALPN_PROTOS = OpenSsl.ofInt("SSL_CTX_set_alpn_protos", 3);
    private static final IntFunction ALPN_SELECT = OpenSsl.ofVoid("SSL_CTX_set_alpn_select_cb", 3);
    private static final IntFunction KEYLOG = OpenSsl.ofVoid("SSL_CTX_set_keylog_callback", 2);
    private static final IntFunction NEW_SESSION = OpenSsl.ofVoid("SSL_CTX_sess_set_new_cb", 2);
    private static final IntFunction ID_CONTEXT =
            OpenSsl.ofInt("SSL_CTX_set_session_id_context", 3);
    private static final LongFunction TIMEOUT = OpenSsl.ofLong("SSL_CTX_set_timeout", 2);
    private static final IntFunction NUM_TICKETS = OpenSsl.ofInt("SSL_CTX_set_num_tickets", 2);

    private static final LongAdder OPEN = new LongAdder();

    private SslCtx() {}

    /// A new context for clients.
    public static long client() {
        return create(CLIENT.call());
    }

    /// A new context for servers.
    public static long server() {
        return create(SERVER.call());
    }

    private static long create(long method) {
        long context = SslErrors.notNull(NEW.call(method), "SSL_CTX_new");
        OPEN.increment();
        return context;
    }

    /// Gives up a context; connections made of it keep it alive.
    public static void free(long context) {
        FREE.call(context);
        OPEN.decrement();
    }

    /// Returns the number of contexts of this process that have not been freed.
    public static long open() {
        return OPEN.sum();
    }

    private static void ctrl(long context, int command, long argument, long pointer, String what) {
        if (CTRL.call(context, command, argument, pointer) <= 0) {
            throw new SslException(what, SslErrors.take());
        }
    }

    // ---- what is spoken ----

    /// The lowest and the highest version, as [#TLS1_2_VERSION].
    public static void versions(long context, int lowest, int highest) {
        ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, lowest, 0, "lowest version: " + lowest);
        ctrl(context, SSL_CTRL_SET_MAX_PROTO_VERSION, highest, 0, "highest version: " + highest);
    }

    /// Sets options, which are bits; none is cleared.
    public static void options(long context, long options) {
        SET_OPTIONS.call(context, options);
    }

    /// Sets modes, which are bits; none is cleared.
    public static void modes(long context, int modes) {
        CTRL.call(context, SSL_CTRL_MODE, modes, 0);
    }

    /// The cipher suites up to TLS 1.2 that there are at all: the standard's name, and OpenSSL's
    /// for [#ciphers].
    public static Map<String, String> knownCiphers(long context) {
        ciphers(context, "ALL");
        Map<String, String> names = new LinkedHashMap<>();
        long stack = GET_CIPHERS.call(context);
        int count = SK_NUM.call(stack);
        for (int i = 0; i < count; i++) {
            long cipher = SK_VALUE.call(stack, i);
            names.put(
                    CString.read(STANDARD_NAME.call(cipher)), CString.read(OWN_NAME.call(cipher)));
        }
        return names;
    }

    /// Cipher suites up to TLS 1.2, in OpenSSL's language for them.
    public static void ciphers(long context, String list) {
        text(list, address -> CIPHER_LIST.call(context, address), "ciphers of TLS 1.2");
    }

    /// Cipher suites of TLS 1.3, with colons between them.
    public static void ciphers13(long context, String list) {
        text(list, address -> CIPHERSUITES.call(context, address), "ciphers of TLS 1.3");
    }

    /// Groups for key exchange, with colons between them, the best first.
    public static void groups(long context, String list) {
        text(list, at -> (int) CTRL.call(context, SSL_CTRL_SET_GROUPS_LIST, 0, at), "groups");
    }

    /// Signature algorithms, with colons between them, the best first.
    public static void signatureAlgorithms(long context, String list) {
        text(
                list,
                at -> (int) CTRL.call(context, SSL_CTRL_SET_SIGALGS_LIST, 0, at),
                "signature algorithms");
    }

    private interface TextCall {
        int call(long address);
    }

    private static void text(String text, TextCall call, String what) {
        try (Arena arena = Arena.ofConfined()) {
            SslErrors.positive(call.call(arena.allocateFrom(text).address()), what + ": " + text);
        }
    }

    // ---- who one is, and whom one trusts ----

    /// Presents this certificate, with the chain behind it, and uses the key; all stay the
    /// caller's.
    ///
    /// @throws SslException also when the key is not the certificate's
    public static void identity(long context, long certificate, long key, List<Long> chain) {
        long stack = X509.newStack();
        try {
            chain.forEach(one -> X509.push(stack, one));
            SslErrors.positive(
                    USE.call(context, certificate, key, stack, 1), "SSL_CTX_use_cert_and_key");
        } finally {
            X509.freeStack(stack);
        }
    }

    /// Trusts what this certificate has signed; it stays the caller's.
    public static void trust(long context, long certificate) {
        SslErrors.positive(ADD_CERT.call(STORE.call(context), certificate), "X509_STORE_add_cert");
    }

    /// Trusts the authorities that the system's OpenSSL trusts.
    public static void trustDefaults(long context) {
        SslErrors.positive(DEFAULT_PATHS.call(context), "SSL_CTX_set_default_verify_paths");
    }

    /// Names this certificate's subject to clients that are asked for certificates; it stays the
    /// caller's.
    public static void addClientCa(long context, long certificate) {
        SslErrors.positive(ADD_CLIENT_CA.call(context, certificate), "SSL_CTX_add_client_CA");
    }

    /// Sets the way in which peers are verified: bits of `SSL_VERIFY_`.
    public static void verify(long context, int mode) {
        SET_VERIFY.call(context, mode, 0);
    }

    /// Has [SslEvents#verify] decide on peers' certificates.
    public static void verifyByEvent(long context) {
        CERT_VERIFY.call(context, SslUpcalls.VERIFY, 0);
    }

    /// Has a server ask [SslEvents#ocspResponse] when a client asks for a response.
    public static void statusByEvent(long context) {
        CALLBACK_CTRL.call(context, SSL_CTRL_SET_TLSEXT_STATUS_REQ_CB, SslUpcalls.STATUS);
    }

    // ---- application protocols ----

    /// Has clients offer these protocols, the best first.
    public static void offerProtocols(long context, List<String> protocols) {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        for (String protocol : protocols) {
            byte[] name = protocol.getBytes(StandardCharsets.ISO_8859_1);
            if (name.length == 0 || name.length > 255) {
                throw new IllegalArgumentException(
                        "protocol: '" + protocol + "' (expected: 1 to 255 bytes)");
            }
            wire.write(name.length);
            wire.writeBytes(name);
        }
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocateFrom(JAVA_BYTE, wire.toByteArray()).address();
            // It returns 0 for success.
            SslErrors.positive(
                    ALPN_PROTOS.call(context, at, wire.size()) == 0 ? 1 : 0,
                    "protocols: " + protocols);
        }
    }

    /// Has a server ask [SslEvents#selectProtocol].
    public static void selectProtocolByEvent(long context) {
        ALPN_SELECT.call(context, SslUpcalls.SELECT_PROTOCOL, 0);
    }

    // ---- sessions and secrets ----

    /// Tells secrets to [SslEvents#keyLog].
    public static void keyLogByEvent(long context) {
        KEYLOG.call(context, SslUpcalls.KEY_LOG);
    }

    /// Tells sessions to [SslEvents#newSession], if the cache mode says that this side has any.
    public static void newSessionByEvent(long context) {
        NEW_SESSION.call(context, SslUpcalls.NEW_SESSION);
    }

    /// Which side keeps sessions, and whether in the context: bits of `SSL_SESS_CACHE_`.
    public static void cacheMode(long context, int mode) {
        CTRL.call(context, SSL_CTRL_SET_SESS_CACHE_MODE, mode, 0);
    }

    /// Sets the largest number of sessions that the context keeps; never 0, which is without limit.
    public static void cacheSize(long context, int sessions) {
        if (sessions < 1) {
            throw new IllegalArgumentException("sessions: " + sessions + " (expected: >= 1)");
        }
        CTRL.call(context, SSL_CTRL_SET_SESS_CACHE_SIZE, sessions, 0);
    }

    /// For how many seconds a session may be resumed.
    public static void sessionTimeout(long context, int seconds) {
        TIMEOUT.call(context, seconds);
    }

    /// Sets the number of tickets that a server sends after a full handshake of TLS 1.3.
    public static void tickets(long context, int number) {
        SslErrors.positive(NUM_TICKETS.call(context, number), "tickets: " + number);
    }

    /// Sets the id that tells sessions of this server from others': without it, those with client
    /// certificates are not resumed.
    public static void sessionIdContext(long context, byte[] id) {
        try (Arena arena = Arena.ofConfined()) {
            long at = arena.allocateFrom(JAVA_BYTE, id).address();
            SslErrors.positive(
                    ID_CONTEXT.call(context, at, id.length),
                    "session id context of " + id.length + " bytes (expected: at most 32)");
        }
    }

    /// The secret of session tickets: 80 bytes, a name and two keys. Servers that share it resume
    /// each other's sessions.
    public static void ticketKeys(long context, byte[] keys) {
        try (Arena arena = Arena.ofConfined()) {
            var secret = arena.allocateFrom(JAVA_BYTE, keys);
            ctrl(
                    context,
                    SSL_CTRL_SET_TLSEXT_TICKET_KEYS,
                    keys.length,
                    secret.address(),
                    "ticket keys of " + keys.length + " bytes (expected: 80)");
            secret.fill((byte) 0);
        }
    }
}
