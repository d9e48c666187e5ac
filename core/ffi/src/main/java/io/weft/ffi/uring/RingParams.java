package io.weft.ffi.uring;

/// Offsets in `struct io_uring_params`, whose parts `sq_off` and `cq_off` tell where things are in
/// the mapped rings.
public final class RingParams {
    public static final int SIZE = 120;
    public static final int SQ_ENTRIES = 0;
    public static final int CQ_ENTRIES = 4;
    public static final int FLAGS = 8;
    public static final int SQ_THREAD_CPU = 12;
    public static final int SQ_THREAD_IDLE = 16;
    public static final int FEATURES = 20;
    public static final int WQ_FD = 24;

    // struct io_sqring_offsets
    public static final int SQ_OFF_HEAD = 40;
    public static final int SQ_OFF_TAIL = 44;
    public static final int SQ_OFF_RING_MASK = 48;
    public static final int SQ_OFF_RING_ENTRIES = 52;
    public static final int SQ_OFF_FLAGS = 56;
    public static final int SQ_OFF_DROPPED = 60;
    public static final int SQ_OFF_ARRAY = 64;
    public static final int SQ_OFF_USER_ADDR = 72;

    // struct io_cqring_offsets
    public static final int CQ_OFF_HEAD = 80;
    public static final int CQ_OFF_TAIL = 84;
    public static final int CQ_OFF_RING_MASK = 88;
    public static final int CQ_OFF_RING_ENTRIES = 92;
    public static final int CQ_OFF_OVERFLOW = 96;
    public static final int CQ_OFF_CQES = 100;
    public static final int CQ_OFF_FLAGS = 104;
    public static final int CQ_OFF_USER_ADDR = 112;

    private RingParams() {}
}
