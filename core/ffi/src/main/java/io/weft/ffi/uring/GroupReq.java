package io.weft.ffi.uring;

/// Offsets in `struct group_source_req`, the argument of the `MCAST_` options. Its beginning, up to
/// the source, is `struct group_req`, the argument of those without a source.
public final class GroupReq {
    public static final int SIZE = 264;
    public static final int GSR_INTERFACE = 0;
    public static final int GSR_GROUP = 8;
    public static final int GSR_SOURCE = 136;

    private GroupReq() {}
}
