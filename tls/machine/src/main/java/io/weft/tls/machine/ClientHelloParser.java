package io.weft.tls.machine;

import static io.weft.tls.machine.ClientHelloDecoder.malformed;

import io.weft.buffer.Buffer;
import io.weft.tls.x509.HostNames;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the body of a ClientHello. Every length has to be exact: a hello that two parsers could
/// read in two ways would be one thing to the code that chooses the context, and another to its
/// engine.
final class ClientHelloParser {
    private static final int SERVER_NAME = 0;
    private static final int ALPN = 16;
    private static final int SUPPORTED_VERSIONS = 43;

    private final Buffer in;
    private final int end;
    private int at;

    private final List<Integer> suites = new ArrayList<>();
    private final List<Integer> versions = new ArrayList<>();
    private final List<String> protocols = new ArrayList<>();
    private @Nullable String serverName;

    ClientHelloParser(Buffer in, int start, int end) {
        this.in = in;
        this.at = start;
        this.end = end;
    }

    ClientHello parse(Buffer record) {
        int version = number(2, end);
        skip(32, end); // random
        int session = number(1, end);
        if (session > 32) {
            throw malformed("session: " + session + " bytes (expected: <= 32)");
        }
        skip(session, end);
        int suitesEnd = enter(2, end);
        if (suitesEnd == at) {
            throw malformed("cipher suites: none (expected: one)");
        }
        while (at < suitesEnd) {
            suites.add(number(2, suitesEnd));
        }
        int methods = number(1, end);
        if (methods == 0) {
            throw malformed("compression methods: none (expected: one)");
        }
        skip(methods, end);
        if (at < end) {
            extensions();
        }
        return new ClientHello(version, suites, versions, serverName, protocols, record);
    }

    private void extensions() {
        int all = enter(2, end);
        if (all != end) {
            throw malformed("extensions: followed by something (expected: the end)");
        }
        Set<Integer> seen = new HashSet<>();
        while (at < all) {
            int type = number(2, all);
            int extensionEnd = enter(2, all);
            if (!seen.add(type)) {
                throw malformed("extension: " + type + " twice (expected: once)");
            }
            switch (type) {
                case SERVER_NAME -> serverName(extensionEnd);
                case ALPN -> applicationProtocols(extensionEnd);
                case SUPPORTED_VERSIONS -> supportedVersions(extensionEnd);
                default -> at = extensionEnd;
            }
            if (at != extensionEnd) {
                throw malformed("extension: " + type + " longer than it says (expected: exact)");
            }
        }
    }

    /// RFC 6066 section 3: a list, which has one name.
    private void serverName(int extensionEnd) {
        int listEnd = enter(2, extensionEnd);
        int type = number(1, listEnd);
        int nameEnd = enter(2, listEnd);
        if (type != 0 || nameEnd != listEnd) {
            throw malformed("server_name: not one host_name (expected: one)");
        }
        String name = text(nameEnd);
        String host = HostNames.wireName(name);
        if (host == null) {
            throw malformed("server_name: " + name.length() + " bytes (expected: a name of DNS)");
        }
        serverName = host;
    }

    /// RFC 7301 section 3.1.
    private void applicationProtocols(int extensionEnd) {
        int listEnd = enter(2, extensionEnd);
        if (listEnd == at) {
            throw malformed("application protocols: none (expected: one)");
        }
        while (at < listEnd) {
            int nameEnd = enter(1, listEnd);
            if (nameEnd == at) {
                throw malformed("application protocol: empty (expected: a name)");
            }
            protocols.add(text(nameEnd));
        }
    }

    private void supportedVersions(int extensionEnd) {
        int listEnd = enter(1, extensionEnd);
        while (at < listEnd) {
            versions.add(number(2, listEnd));
        }
    }

    private String text(int to) {
        String text = in.getString(at, to - at, StandardCharsets.ISO_8859_1);
        at = to;
        return text;
    }

    /// Goes behind a length of so many bytes; returns where that ends.
    private int enter(int bytes, int limit) {
        int length = number(bytes, limit);
        if (length > limit - at) {
            throw malformed("length: " + length + " (expected: <= " + (limit - at) + ")");
        }
        return at + length;
    }

    private int number(int bytes, int limit) {
        if (limit - at < bytes) {
            throw malformed("ClientHello: cut short at byte " + at + " (expected: more)");
        }
        int value = bytes == 1 ? in.getUnsignedByte(at) : in.getUnsignedShort(at);
        at += bytes;
        return value;
    }

    private void skip(int bytes, int limit) {
        if (limit - at < bytes) {
            throw malformed("ClientHello: cut short at byte " + at + " (expected: more)");
        }
        at += bytes;
    }
}
