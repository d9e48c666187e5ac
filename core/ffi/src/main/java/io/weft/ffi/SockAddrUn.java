package io.weft.ffi;

/// Addresses of Unix domain sockets as `struct sockaddr_un`,
/// [unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html). A name is bytes: a path, or the
/// name in the abstract namespace behind its leading zero byte.
public final class SockAddrUn {
    public static final int SIZE = 110;
    public static final int SUN_FAMILY = 0;
    public static final int SUN_PATH = 2;

    /// Bytes of the longest path; one more is for the zero that ends it.
    public static final int MAX_PATH = SIZE - SUN_PATH - 1;

    private static final AddressLayout HERE = Abi.HERE.addresses();

    private SockAddrUn() {}

    /// Writes the address of `path` at `at`, where there are [#SIZE] bytes, and returns its length.
    /// An empty path is the address of an unnamed socket.
    ///
    /// @throws IllegalArgumentException when the path is longer than [#MAX_PATH], or 103 bytes on
    ///     macOS and FreeBSD, or has a zero byte
    public static int writePath(byte[] path, long at) {
        return writePath(HERE, path, at);
    }

    static int writePath(AddressLayout layout, byte[] path, long at) {
        for (byte b : path) {
            if (b == 0) {
                throw new IllegalArgumentException("path: has a zero byte (expected: none)");
            }
        }
        int length = path.length == 0 ? SUN_PATH : SUN_PATH + path.length + 1;
        put(layout, path, 0, length, at);
        return length;
    }

    /// Writes the address of `name` in the abstract namespace at `at`, where there are [#SIZE]
    /// bytes, and returns its length.
    ///
    /// @throws IllegalArgumentException when the name is longer than [#MAX_PATH], or the system is
    ///     not Linux
    public static int writeAbstract(byte[] name, long at) {
        return writeAbstract(HERE, name, at);
    }

    static int writeAbstract(AddressLayout layout, byte[] name, long at) {
        if (layout.hasLength()) {
            throw new IllegalArgumentException(
                    "address: in the abstract namespace (expected: a path, as only Linux has it)");
        }
        put(layout, name, 1, SUN_PATH + 1 + name.length, at);
        return SUN_PATH + 1 + name.length;
    }

    private static void put(AddressLayout layout, byte[] name, int offset, int length, long at) {
        if (name.length > layout.maxPath()) {
            throw new IllegalArgumentException(
                    "length of the name: "
                            + name.length
                            + " (expected: at most "
                            + layout.maxPath()
                            + ")");
        }
        Memory.fill(at, SIZE, (byte) 0);
        layout.head(at, Sockets.AF_UNIX, length);
        Memory.copy(name, 0, at + SUN_PATH + offset, name.length);
    }

    /// Tells if the address of `length` bytes at `at` is in the abstract namespace.
    public static boolean isAbstract(long at, int length) {
        return isAbstract(HERE, at, length);
    }

    /// On BSD an unnamed socket may have an address of zeros.
    private static boolean isAbstract(AddressLayout layout, long at, int length) {
        return !layout.hasLength() && length > SUN_PATH && Memory.getByte(at + SUN_PATH) == 0;
    }

    /// The name in the address of `length` bytes at `at`, without what marks or ends it; empty for
    /// an unnamed socket.
    public static byte[] name(long at, int length) {
        return name(HERE, at, length);
    }

    static byte[] name(AddressLayout layout, long at, int length) {
        boolean hidden = isAbstract(layout, at, length);
        int from = hidden ? SUN_PATH + 1 : SUN_PATH;
        int end = Math.min(length, SIZE);
        if (!hidden) {
            // The kernel may or may not count the zero that ends a path.
            for (end = from; end < Math.min(length, SIZE) && Memory.getByte(at + end) != 0; ) {
                end++;
            }
        }
        byte[] name = new byte[Math.max(end - from, 0)];
        Memory.copy(at + from, name, 0, name.length);
        return name;
    }
}
