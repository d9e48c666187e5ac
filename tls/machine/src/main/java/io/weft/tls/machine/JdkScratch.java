package io.weft.tls.machine;

import java.nio.ByteBuffer;

/// Heap memory for one record in and a few out, a set a thread. The JDK's ciphers work on arrays:
/// given off-heap buffers they copy them piece by piece through arrays that they allocate each
/// time. Nothing stays in it between calls.
final class JdkScratch {
    /// The size that `SSLEngine.wrap` may ask for once it has seen a record beyond the usual size.
    static final int PACKET = 33_093 + 64;

    private static final ThreadLocal<JdkScratch> OF_THREAD =
            ThreadLocal.withInitial(JdkScratch::new);

    /// One record as it came, which is decrypted in place.
    final ByteBuffer in =
            ByteBuffer.allocate(Records.HEADER + Records.MAX_PLAINTEXT + Records.MAX_EXPANSION);

    /// Records on their way out.
    final ByteBuffer out = ByteBuffer.allocate(2 * PACKET);

    private JdkScratch() {}

    static JdkScratch get() {
        return OF_THREAD.get();
    }
}
