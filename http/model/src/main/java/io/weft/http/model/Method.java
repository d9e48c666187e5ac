package io.weft.http.model;

import io.weft.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/// A request method (RFC 9110, 9): a token, case-sensitive. Immutable. The registered methods here
/// are one object each, so `==` works for them.
public final class Method {
    private static final int MAX_LENGTH = 64;
    private static final int SLOTS = 16;

    public static final Method GET = new Method("GET");
    public static final Method HEAD = new Method("HEAD");
    public static final Method POST = new Method("POST");
    public static final Method PUT = new Method("PUT");
    public static final Method DELETE = new Method("DELETE");
    public static final Method CONNECT = new Method("CONNECT");
    public static final Method OPTIONS = new Method("OPTIONS");
    public static final Method TRACE = new Method("TRACE");
    public static final Method PATCH = new Method("PATCH");
    public static final Method QUERY = new Method("QUERY");

    /// Registered methods, each at the [#slot] of its name, of which no two are the same.
    private static final @Nullable Method[] KNOWN = known();

    private final String name;

    private Method(String name) {
        this.name = name;
    }

    /// @throws IllegalArgumentException unless `name` is a token of at most 64 characters
    public static Method of(String name) {
        Method known = known(name);
        if (known != null) {
            return known;
        }
        if (name.length() > MAX_LENGTH || !Chars.isToken(name)) {
            throw new IllegalArgumentException(
                    "method: "
                            + Chars.quote(name)
                            + " (expected: a token of 1 to "
                            + MAX_LENGTH
                            + " characters)");
        }
        return new Method(name);
    }

    /// The method that bytes [from, to) of `in` spell; allocates only for methods that are not
    /// registered here.
    ///
    /// @throws IllegalArgumentException unless they are a token of at most 64 bytes
    public static Method parse(Buffer in, int from, int to) {
        int length = to - from;
        if (length >= 3 && length <= 7) {
            Method known = known(in, from, length);
            if (known != null) {
                return known;
            }
        }
        return of(Wire.text(in, from, Math.min(to, from + MAX_LENGTH + 1)));
    }

    /// Tells if bytes [from, to) of `in` spell this method.
    public boolean isAt(Buffer in, int from, int to) {
        return Wire.equals(in, from, to - from, name);
    }

    private static @Nullable Method known(Buffer in, int from, int length) {
        int start = in.getByte(from) << 16 | in.getByte(from + 1) << 8 | in.getByte(from + 2);
        Method candidate =
                switch (start) {
                    case 'G' << 16 | 'E' << 8 | 'T' -> GET;
                    case 'H' << 16 | 'E' << 8 | 'A' -> HEAD;
                    case 'P' << 16 | 'O' << 8 | 'S' -> POST;
                    case 'P' << 16 | 'U' << 8 | 'T' -> PUT;
                    case 'D' << 16 | 'E' << 8 | 'L' -> DELETE;
                    case 'C' << 16 | 'O' << 8 | 'N' -> CONNECT;
                    case 'O' << 16 | 'P' << 8 | 'T' -> OPTIONS;
                    case 'T' << 16 | 'R' << 8 | 'A' -> TRACE;
                    case 'P' << 16 | 'A' << 8 | 'T' -> PATCH;
                    case 'Q' << 16 | 'U' << 8 | 'E' -> QUERY;
                    default -> null;
                };
        return candidate != null && Wire.equals(in, from, length, candidate.name)
                ? candidate
                : null;
    }

    private static @Nullable Method[] known() {
        @Nullable Method[] known = new @Nullable Method[SLOTS];
        for (Method method :
                new Method[] {
                    GET, HEAD, POST, PUT, DELETE, CONNECT, OPTIONS, TRACE, PATCH, QUERY
                }) {
            int slot = slot(method.name);
            if (known[slot] != null) {
                throw new AssertionError(
                        method + " collides with " + known[slot] + " (expected: no other)");
            }
            known[slot] = method;
        }
        return known;
    }

    /// @param name at least 2 characters
    private static int slot(String name) {
        return (name.charAt(0) * 3 + name.charAt(1) * 7) & (SLOTS - 1);
    }

    private static @Nullable Method known(String name) {
        if (name.length() < 2) {
            return null;
        }
        Method candidate = KNOWN[slot(name)];
        return candidate != null && candidate.name.equals(name) ? candidate : null;
    }

    public String name() {
        return name;
    }

    /// Tells if this is one of the methods here, whose number peers cannot raise: a name for
    /// metrics.
    public boolean isRegistered() {
        return known(name) != null;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Method method && method.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    @Override
    public String toString() {
        return name;
    }
}
