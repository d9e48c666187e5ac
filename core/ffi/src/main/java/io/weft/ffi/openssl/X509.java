package io.weft.ffi.openssl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.weft.ffi.call.IntFunction;
import io.weft.ffi.call.LongFunction;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Certificates, keys and stacks of certificates of `libcrypto`; what each method makes, its caller
/// frees.
public final class X509 {
    public static final int X509_V_OK = 0;
    public static final int X509_V_ERR_CERT_HAS_EXPIRED = 10;
    public static final int X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT = 18;
    public static final int X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY = 20;
    public static final int X509_V_ERR_CERT_REVOKED = 23;
    public static final int X509_V_ERR_INVALID_PURPOSE = 26;
    public static final int X509_V_ERR_CERT_REJECTED = 28;
    public static final int X509_V_ERR_APPLICATION_VERIFICATION = 50;
    public static final int X509_V_ERR_HOSTNAME_MISMATCH = 62;
    public static final int X509_V_ERR_IP_ADDRESS_MISMATCH = 64;

    /// None that OpenSSL knows: it tells the peer `certificate_unknown`.
    public static final int UNKNOWN_RESULT = 1 << 20;

    private static final LongFunction D2I_X509 = OpenSsl.ofLong("d2i_X509", 3);
    private static final IntFunction I2D_X509 = OpenSsl.ofInt("i2d_X509", 2);
    private static final IntFunction X509_FREE = OpenSsl.ofVoid("X509_free", 1);
    private static final LongFunction D2I_KEY = OpenSsl.ofLong("d2i_AutoPrivateKey", 3);
    private static final IntFunction KEY_FREE = OpenSsl.ofVoid("EVP_PKEY_free", 1);
    private static final LongFunction SK_NEW = OpenSsl.ofLong("OPENSSL_sk_new_null", 0);
    private static final IntFunction SK_PUSH = OpenSsl.ofInt("OPENSSL_sk_push", 2);
    private static final IntFunction SK_NUM = OpenSsl.ofInt("OPENSSL_sk_num", 1);
    private static final LongFunction SK_VALUE = OpenSsl.ofLong("OPENSSL_sk_value", 2);
    private static final IntFunction SK_FREE = OpenSsl.ofVoid("OPENSSL_sk_free", 1);
    private static final LongFunction ERROR_STRING =
            OpenSsl.ofLong("X509_verify_cert_error_string", 1);

    private X509() {}

    /// The certificate of these bytes, in DER.
    ///
    /// @throws SslException when they are none
    public static long certificate(byte[] der) {
        return parse(D2I_X509, der, "not a certificate");
    }

    public static void free(long certificate) {
        X509_FREE.call(certificate);
    }

    /// The private key of these bytes: PKCS #8 in DER.
    ///
    /// @throws SslException when they are none
    public static long privateKey(byte[] der) {
        return parse(D2I_KEY, der, "not a private key");
    }

    public static void freeKey(long key) {
        KEY_FREE.call(key);
    }

    private static long parse(LongFunction function, byte[] der, String complaint) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocateFrom(JAVA_BYTE, der);
            MemorySegment cursor = arena.allocateFrom(ADDRESS, bytes);
            try {
                return SslErrors.notNull(function.call(0, cursor.address(), der.length), complaint);
            } finally {
                bytes.fill((byte) 0); // it may be a key
            }
        }
    }

    /// The certificate in DER.
    public static byte[] encoded(long certificate) {
        int length = SslErrors.positive(I2D_X509.call(certificate, 0), "i2d_X509");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(length);
            MemorySegment cursor = arena.allocateFrom(ADDRESS, bytes);
            SslErrors.positive(I2D_X509.call(certificate, cursor.address()), "i2d_X509");
            return bytes.toArray(JAVA_BYTE);
        }
    }

    // ---- stacks ----

    /// The certificates of a `STACK_OF(X509)`, in DER; none of a null pointer.
    public static List<byte[]> encodedStack(long stack) {
        List<byte[]> all = new ArrayList<>();
        int count = stack == 0 ? 0 : SK_NUM.call(stack);
        for (int i = 0; i < count; i++) {
            all.add(encoded(SK_VALUE.call(stack, i)));
        }
        return all;
    }

    static long newStack() {
        return SslErrors.notNull(SK_NEW.call(), "OPENSSL_sk_new_null");
    }

    static void push(long stack, long element) {
        SslErrors.positive(SK_PUSH.call(stack, element), "OPENSSL_sk_push");
    }

    static void freeStack(long stack) {
        SK_FREE.call(stack);
    }

    /// Returns the meaning of a number of `SSL_get_verify_result`, in words.
    public static String verifyError(int code) {
        return CString.read(ERROR_STRING.call(code));
    }
}
