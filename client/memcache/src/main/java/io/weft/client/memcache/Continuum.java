package io.weft.client.memcache;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.List;

/// The points of servers on a ring of 32 bits, as those of libketama: 160 a server, four of each
/// MD5 of its name and a number. A key belongs to the server of the first point at or behind its
/// hash.
final class Continuum {
    private static final int DIGESTS = 40;
    private static final int POINTS_OF_A_DIGEST = 4;
    private static final long UNSIGNED = 0xFFFF_FFFFL;
    private static final int STANDARD_PORT = 11211;

    /// Points, sorted: the hash in the upper half, the server in the lower.
    private final long[] points;

    /// @param names of the servers: see [#name]
    Continuum(List<String> names) {
        points = new long[names.size() * DIGESTS * POINTS_OF_A_DIGEST];
        int count = 0;
        for (int server = 0; server < names.size(); server++) {
            for (int i = 0; i < DIGESTS; i++) {
                ByteBuffer digest =
                        digest((names.get(server) + "-" + i).getBytes(StandardCharsets.UTF_8));
                for (int j = 0; j < POINTS_OF_A_DIGEST; j++) {
                    points[count++] = (digest.getInt() & UNSIGNED) << 31 | server;
                }
            }
        }
        Arrays.sort(points);
    }

    /// The name that libmemcached gives to a server: without a port where that is the usual one.
    static String name(String host, int port) {
        return port == STANDARD_PORT ? host : host + ":" + port;
    }

    /// Returns the index of the server of a key.
    int server(byte[] key) {
        long hash = (digest(key).getInt() & UNSIGNED) << 31;
        int at = Arrays.binarySearch(points, hash);
        int index = at >= 0 ? at : -at - 1;
        return (int) (points[index == points.length ? 0 : index] & Integer.MAX_VALUE);
    }

    private static ByteBuffer digest(byte[] bytes) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("MD5").digest(bytes))
                    .order(ByteOrder.LITTLE_ENDIAN);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("MD5: not there (expected: in every JDK)", e);
        }
    }
}
