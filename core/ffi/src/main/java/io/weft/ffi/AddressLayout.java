package io.weft.ffi;

/// Layout in which systems differ of socket addresses: those of BSD begin with their length in a
/// byte, and the family in another.
///
/// Families in Java are numbers of Linux on every system, such as [Sockets#AF_INET6].
///
/// @param hasLength whether an address begins with its length (`sa_len`)
/// @param inet6 the number of `AF_INET6` here
/// @param unixSize size of `struct sockaddr_un`
/// @param group offset of the group in `struct group_source_req`; the source is behind it
record AddressLayout(boolean hasLength, int inet6, int unixSize, int group) {
    static final AddressLayout LINUX = new AddressLayout(false, Sockets.AF_INET6, 110, 8);

    /// `bsd/sys/socket.h`, `bsd/sys/un.h`, `bsd/netinet/in.h` (packed to 4 bytes) of xnu.
    static final AddressLayout MACOS = new AddressLayout(true, 30, 106, 4);

    /// `sys/sys/socket.h`, `sys/sys/un.h`, `sys/netinet/in.h` of FreeBSD.
    static final AddressLayout FREEBSD = new AddressLayout(true, 28, 106, 8);

    /// Writes the family, and the length where that belongs there.
    void head(long at, int family, int length) {
        if (hasLength) {
            Memory.putByte(at, (byte) length);
            Memory.putByte(at + 1, (byte) number(family));
        } else {
            Memory.putShort(at, (short) family);
        }
    }

    /// Returns the family of the address at `at`.
    int family(long at) {
        if (!hasLength) {
            return Short.toUnsignedInt(Memory.getShort(at));
        }
        int number = Byte.toUnsignedInt(Memory.getByte(at + 1));
        return number == inet6 ? Sockets.AF_INET6 : number;
    }

    /// Returns this system's number of a family.
    int number(int family) {
        return family == Sockets.AF_INET6 ? inet6 : family;
    }

    /// Bytes of the longest path; one more is for the zero that ends it.
    int maxPath() {
        return unixSize - SockAddrUn.SUN_PATH - 1;
    }
}
