package io.weft.testkit;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Hellos made by hand, good and bad.
public final class ClientHellos {
    private ClientHellos() {}

    public static byte[] hello(@Nullable String name, byte[]... extensions) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        if (name != null) {
            all.writeBytes(extension(0, serverName(name)));
        }
        for (byte[] extension : extensions) {
            all.writeBytes(extension);
        }
        return message(
                cat(
                        bytes(3, 3),
                        new byte[32],
                        bytes(0),
                        bytes(0, 4, 0x13, 1, 0xc0, 0x2b),
                        bytes(1, 0),
                        vector(2, all.toByteArray())));
    }

    public static byte[] serverName(String name) {
        byte[] host = name.getBytes(StandardCharsets.ISO_8859_1);
        return vector(2, cat(bytes(0), vector(2, host)));
    }

    public static byte[] alpn(String... names) {
        byte[] list = {};
        for (String name : names) {
            list = cat(list, vector(1, name.getBytes(StandardCharsets.US_ASCII)));
        }
        return extension(16, vector(2, list));
    }

    public static byte[] extension(int type, byte[] body) {
        return cat(bytes(type >> 8, type), vector(2, body));
    }

    public static byte[] message(byte[] body) {
        return cat(bytes(1, body.length >> 16, body.length >> 8, body.length), body);
    }

    /// In records of at most `size` bytes.
    public static byte[] records(byte[] message, int size) {
        byte[] all = {};
        for (int at = 0; at < message.length; at += size) {
            int n = Math.min(size, message.length - at);
            all = cat(all, bytes(22, 3, 1, n >> 8, n), Arrays.copyOfRange(message, at, at + n));
        }
        return all;
    }

    public static byte[] records(byte[] message) {
        return records(message, 1 << 14);
    }

    public static byte[] vector(int lengthBytes, byte[] body) {
        return cat(
                lengthBytes == 1 ? bytes(body.length) : bytes(body.length >> 8, body.length), body);
    }

    public static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    public static byte[] cat(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }
}
