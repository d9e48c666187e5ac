package io.weft.ffi.uring;

/// Offsets in `struct io_uring_rsrc_update`, an element of `IORING_REGISTER_RING_FDS` and
/// `IORING_REGISTER_FILES_UPDATE`.
public final class RsrcUpdate {
    public static final int SIZE = 16;
    public static final int OFFSET = 0;
    public static final int RESV = 4;
    public static final int DATA = 8;

    private RsrcUpdate() {}
}
