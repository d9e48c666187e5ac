package io.weft.ffi.uring;

import io.weft.ffi.call.CallState;
import io.weft.ffi.call.Downcall;
import io.weft.ffi.call.SystemCall;

/// `io_uring(7)` of Linux: its three calls and the constants of `<linux/io_uring.h>`. The
/// structures have classes of their own: [RingParams], [Sqe], [Cqe], [BufRing], [BufReg],
/// [GetEventsArg], [io.weft.ffi.KernelTimespec], [RsrcUpdate], [RecvmsgOut], [Probe],
/// [Restriction].
///
/// Errors, threads and addresses: as [Libc][io.weft.ffi.Libc] says; elsewhere every call returns
/// `-ENOSYS`. A kernel or a container's filter may refuse [#setup] with `-ENOSYS` or `-EPERM`.
public final class IoUring {
    // ---- io_uring_setup: flags ----

    public static final int IORING_SETUP_IOPOLL = 1;
    public static final int IORING_SETUP_SQPOLL = 1 << 1;
    public static final int IORING_SETUP_SQ_AFF = 1 << 2;
    public static final int IORING_SETUP_CQSIZE = 1 << 3;
    public static final int IORING_SETUP_CLAMP = 1 << 4;
    public static final int IORING_SETUP_ATTACH_WQ = 1 << 5;
    public static final int IORING_SETUP_R_DISABLED = 1 << 6;
    public static final int IORING_SETUP_SUBMIT_ALL = 1 << 7;
    public static final int IORING_SETUP_COOP_TASKRUN = 1 << 8;
    public static final int IORING_SETUP_TASKRUN_FLAG = 1 << 9;
    public static final int IORING_SETUP_SQE128 = 1 << 10;
    public static final int IORING_SETUP_CQE32 = 1 << 11;
    public static final int IORING_SETUP_SINGLE_ISSUER = 1 << 12;
    public static final int IORING_SETUP_DEFER_TASKRUN = 1 << 13;
    public static final int IORING_SETUP_NO_MMAP = 1 << 14;
    public static final int IORING_SETUP_REGISTERED_FD_ONLY = 1 << 15;
    public static final int IORING_SETUP_NO_SQARRAY = 1 << 16;

    // ---- io_uring_params: features ----

    public static final int IORING_FEAT_SINGLE_MMAP = 1;
    public static final int IORING_FEAT_NODROP = 1 << 1;
    public static final int IORING_FEAT_SUBMIT_STABLE = 1 << 2;
    public static final int IORING_FEAT_RW_CUR_POS = 1 << 3;
    public static final int IORING_FEAT_CUR_PERSONALITY = 1 << 4;
    public static final int IORING_FEAT_FAST_POLL = 1 << 5;
    public static final int IORING_FEAT_POLL_32BITS = 1 << 6;
    public static final int IORING_FEAT_SQPOLL_NONFIXED = 1 << 7;
    public static final int IORING_FEAT_EXT_ARG = 1 << 8;
    public static final int IORING_FEAT_NATIVE_WORKERS = 1 << 9;
    public static final int IORING_FEAT_RSRC_TAGS = 1 << 10;
    public static final int IORING_FEAT_CQE_SKIP = 1 << 11;
    public static final int IORING_FEAT_LINKED_FILE = 1 << 12;
    public static final int IORING_FEAT_REG_REG_RING = 1 << 13;
    public static final int IORING_FEAT_RECVSEND_BUNDLE = 1 << 14;
    public static final int IORING_FEAT_MIN_TIMEOUT = 1 << 15;
    public static final int IORING_FEAT_RW_ATTR = 1 << 16;
    public static final int IORING_FEAT_NO_IOWAIT = 1 << 17;

    // ---- io_uring_enter: flags ----

    public static final int IORING_ENTER_GETEVENTS = 1;
    public static final int IORING_ENTER_SQ_WAKEUP = 1 << 1;
    public static final int IORING_ENTER_SQ_WAIT = 1 << 2;
    public static final int IORING_ENTER_EXT_ARG = 1 << 3;
    public static final int IORING_ENTER_REGISTERED_RING = 1 << 4;
    public static final int IORING_ENTER_ABS_TIMER = 1 << 5;
    public static final int IORING_ENTER_EXT_ARG_REG = 1 << 6;
    public static final int IORING_ENTER_NO_IOWAIT = 1 << 7;

    // ---- io_uring_register: opcodes ----

    public static final int IORING_REGISTER_BUFFERS = 0;
    public static final int IORING_UNREGISTER_BUFFERS = 1;
    public static final int IORING_REGISTER_FILES = 2;
    public static final int IORING_UNREGISTER_FILES = 3;
    public static final int IORING_REGISTER_EVENTFD = 4;
    public static final int IORING_UNREGISTER_EVENTFD = 5;
    public static final int IORING_REGISTER_FILES_UPDATE = 6;
    public static final int IORING_REGISTER_EVENTFD_ASYNC = 7;
    public static final int IORING_REGISTER_PROBE = 8;
    public static final int IORING_REGISTER_PERSONALITY = 9;
    public static final int IORING_UNREGISTER_PERSONALITY = 10;
    public static final int IORING_REGISTER_RESTRICTIONS = 11;
    public static final int IORING_REGISTER_ENABLE_RINGS = 12;
    public static final int IORING_REGISTER_FILES2 = 13;
    public static final int IORING_REGISTER_FILES_UPDATE2 = 14;
    public static final int IORING_REGISTER_BUFFERS2 = 15;
    public static final int IORING_REGISTER_BUFFERS_UPDATE = 16;
    public static final int IORING_REGISTER_IOWQ_AFF = 17;
    public static final int IORING_UNREGISTER_IOWQ_AFF = 18;
    public static final int IORING_REGISTER_IOWQ_MAX_WORKERS = 19;
    public static final int IORING_REGISTER_RING_FDS = 20;
    public static final int IORING_UNREGISTER_RING_FDS = 21;
    public static final int IORING_REGISTER_PBUF_RING = 22;
    public static final int IORING_UNREGISTER_PBUF_RING = 23;
    public static final int IORING_REGISTER_SYNC_CANCEL = 24;
    public static final int IORING_REGISTER_FILE_ALLOC_RANGE = 25;
    public static final int IORING_REGISTER_PBUF_STATUS = 26;
    public static final int IORING_REGISTER_NAPI = 27;
    public static final int IORING_UNREGISTER_NAPI = 28;
    public static final int IORING_REGISTER_CLOCK = 29;
    public static final int IORING_REGISTER_CLONE_BUFFERS = 30;
    public static final int IORING_REGISTER_SEND_MSG_RING = 31;

    /// Added to an opcode whose descriptor is an index of `IORING_REGISTER_RING_FDS`.
    public static final int IORING_REGISTER_USE_REGISTERED_RING = 1 << 31;

    public static final int IORING_REGISTER_FILES_SKIP = -2;
    public static final int IORING_RSRC_REGISTER_SPARSE = 1;
    public static final int IOU_PBUF_RING_MMAP = 1;
    public static final int IOU_PBUF_RING_INC = 2;

    // ---- mmap: offsets ----

    public static final long IORING_OFF_SQ_RING = 0;
    public static final long IORING_OFF_CQ_RING = 0x8000000L;
    public static final long IORING_OFF_SQES = 0x10000000L;
    public static final long IORING_OFF_PBUF_RING = 0x80000000L;
    public static final int IORING_OFF_PBUF_SHIFT = 16;

    // ---- flags in the rings ----

    public static final int IORING_SQ_NEED_WAKEUP = 1;
    public static final int IORING_SQ_CQ_OVERFLOW = 1 << 1;
    public static final int IORING_SQ_TASKRUN = 1 << 2;
    public static final int IORING_CQ_EVENTFD_DISABLED = 1;

    // ---- submission: opcodes ----

    public static final int IORING_OP_NOP = 0;
    public static final int IORING_OP_READV = 1;
    public static final int IORING_OP_WRITEV = 2;
    public static final int IORING_OP_FSYNC = 3;
    public static final int IORING_OP_READ_FIXED = 4;
    public static final int IORING_OP_WRITE_FIXED = 5;
    public static final int IORING_OP_POLL_ADD = 6;
    public static final int IORING_OP_POLL_REMOVE = 7;
    public static final int IORING_OP_SYNC_FILE_RANGE = 8;
    public static final int IORING_OP_SENDMSG = 9;
    public static final int IORING_OP_RECVMSG = 10;
    public static final int IORING_OP_TIMEOUT = 11;
    public static final int IORING_OP_TIMEOUT_REMOVE = 12;
    public static final int IORING_OP_ACCEPT = 13;
    public static final int IORING_OP_ASYNC_CANCEL = 14;
    public static final int IORING_OP_LINK_TIMEOUT = 15;
    public static final int IORING_OP_CONNECT = 16;
    public static final int IORING_OP_FALLOCATE = 17;
    public static final int IORING_OP_OPENAT = 18;
    public static final int IORING_OP_CLOSE = 19;
    public static final int IORING_OP_FILES_UPDATE = 20;
    public static final int IORING_OP_STATX = 21;
    public static final int IORING_OP_READ = 22;
    public static final int IORING_OP_WRITE = 23;
    public static final int IORING_OP_FADVISE = 24;
    public static final int IORING_OP_MADVISE = 25;
    public static final int IORING_OP_SEND = 26;
    public static final int IORING_OP_RECV = 27;
    public static final int IORING_OP_OPENAT2 = 28;
    public static final int IORING_OP_EPOLL_CTL = 29;
    public static final int IORING_OP_SPLICE = 30;
    public static final int IORING_OP_PROVIDE_BUFFERS = 31;
    public static final int IORING_OP_REMOVE_BUFFERS = 32;
    public static final int IORING_OP_TEE = 33;
    public static final int IORING_OP_SHUTDOWN = 34;
    public static final int IORING_OP_RENAMEAT = 35;
    public static final int IORING_OP_UNLINKAT = 36;
    public static final int IORING_OP_MKDIRAT = 37;
    public static final int IORING_OP_SYMLINKAT = 38;
    public static final int IORING_OP_LINKAT = 39;
    public static final int IORING_OP_MSG_RING = 40;
    public static final int IORING_OP_FSETXATTR = 41;
    public static final int IORING_OP_SETXATTR = 42;
    public static final int IORING_OP_FGETXATTR = 43;
    public static final int IORING_OP_GETXATTR = 44;
    public static final int IORING_OP_SOCKET = 45;
    public static final int IORING_OP_URING_CMD = 46;
    public static final int IORING_OP_SEND_ZC = 47;
    public static final int IORING_OP_SENDMSG_ZC = 48;
    public static final int IORING_OP_READ_MULTISHOT = 49;
    public static final int IORING_OP_WAITID = 50;
    public static final int IORING_OP_FUTEX_WAIT = 51;
    public static final int IORING_OP_FUTEX_WAKE = 52;
    public static final int IORING_OP_FUTEX_WAITV = 53;
    public static final int IORING_OP_FIXED_FD_INSTALL = 54;
    public static final int IORING_OP_FTRUNCATE = 55;
    public static final int IORING_OP_BIND = 56;
    public static final int IORING_OP_LISTEN = 57;
    public static final int IORING_OP_RECV_ZC = 58;
    public static final int IORING_OP_EPOLL_WAIT = 59;
    public static final int IORING_OP_READV_FIXED = 60;
    public static final int IORING_OP_WRITEV_FIXED = 61;

    // ---- submission: flags of every request ----

    public static final int IOSQE_FIXED_FILE = 1;
    public static final int IOSQE_IO_DRAIN = 1 << 1;
    public static final int IOSQE_IO_LINK = 1 << 2;
    public static final int IOSQE_IO_HARDLINK = 1 << 3;
    public static final int IOSQE_ASYNC = 1 << 4;
    public static final int IOSQE_BUFFER_SELECT = 1 << 5;
    public static final int IOSQE_CQE_SKIP_SUCCESS = 1 << 6;

    // ---- submission: flags of one request, in ioprio for send, receive and accept ----

    public static final int IORING_RECVSEND_POLL_FIRST = 1;
    public static final int IORING_RECV_MULTISHOT = 1 << 1;
    public static final int IORING_RECVSEND_FIXED_BUF = 1 << 2;
    public static final int IORING_SEND_ZC_REPORT_USAGE = 1 << 3;
    public static final int IORING_RECVSEND_BUNDLE = 1 << 4;

    public static final int IORING_ACCEPT_MULTISHOT = 1;
    public static final int IORING_ACCEPT_DONTWAIT = 1 << 1;
    public static final int IORING_ACCEPT_POLL_FIRST = 1 << 2;

    public static final int IORING_POLL_ADD_MULTI = 1;
    public static final int IORING_POLL_UPDATE_EVENTS = 1 << 1;
    public static final int IORING_POLL_UPDATE_USER_DATA = 1 << 2;
    public static final int IORING_POLL_ADD_LEVEL = 1 << 3;

    public static final int IORING_FSYNC_DATASYNC = 1;

    public static final int IORING_ASYNC_CANCEL_ALL = 1;
    public static final int IORING_ASYNC_CANCEL_FD = 1 << 1;
    public static final int IORING_ASYNC_CANCEL_ANY = 1 << 2;
    public static final int IORING_ASYNC_CANCEL_FD_FIXED = 1 << 3;
    public static final int IORING_ASYNC_CANCEL_USERDATA = 1 << 4;
    public static final int IORING_ASYNC_CANCEL_OP = 1 << 5;

    public static final int IORING_TIMEOUT_ABS = 1;
    public static final int IORING_TIMEOUT_UPDATE = 1 << 1;
    public static final int IORING_TIMEOUT_BOOTTIME = 1 << 2;
    public static final int IORING_TIMEOUT_REALTIME = 1 << 3;
    public static final int IORING_LINK_TIMEOUT_UPDATE = 1 << 4;
    public static final int IORING_TIMEOUT_ETIME_SUCCESS = 1 << 5;
    public static final int IORING_TIMEOUT_MULTISHOT = 1 << 6;

    public static final int IORING_MSG_DATA = 0;
    public static final int IORING_MSG_SEND_FD = 1;
    public static final int IORING_MSG_RING_CQE_SKIP = 1;
    public static final int IORING_MSG_RING_FLAGS_PASS = 1 << 1;

    /// In `file_index`: the kernel chooses a free slot of the registered files.
    public static final int IORING_FILE_INDEX_ALLOC = -1;

    // ---- completion: flags ----

    public static final int IORING_CQE_F_BUFFER = 1;
    public static final int IORING_CQE_F_MORE = 1 << 1;
    public static final int IORING_CQE_F_SOCK_NONEMPTY = 1 << 2;
    public static final int IORING_CQE_F_NOTIF = 1 << 3;
    public static final int IORING_CQE_F_BUF_MORE = 1 << 4;
    public static final int IORING_CQE_BUFFER_SHIFT = 16;
    public static final int IORING_NOTIF_USAGE_ZC_COPIED = 1 << 31;

    // ---- probe and restrictions ----

    public static final int IO_URING_OP_SUPPORTED = 1;
    public static final int IORING_RESTRICTION_REGISTER_OP = 0;
    public static final int IORING_RESTRICTION_SQE_OP = 1;
    public static final int IORING_RESTRICTION_SQE_FLAGS_ALLOWED = 2;
    public static final int IORING_RESTRICTION_SQE_FLAGS_REQUIRED = 3;

    private IoUring() {}

    /// Makes a ring of `entries` submissions with the [RingParams] at `params`, which the kernel
    /// fills in, and returns its descriptor, close-on-exec.
    public static int setup(int entries, long params) {
        return (int) SystemCall.call(SystemCall.IO_URING_SETUP, entries, params, 0, 0, 0, 0);
    }

    /// Submits up to `toSubmit` requests, then with `IORING_ENTER_GETEVENTS` waits for
    /// `minComplete` completions. Returns how many requests were taken. `argument` is a signal mask
    /// or, with `IORING_ENTER_EXT_ARG`, a [GetEventsArg].
    public static int enter(
            int fd, int toSubmit, int minComplete, int flags, long argument, long argumentSize) {
        CallState state = CallState.current();
        try {
            return (int)
                    state.orErrno(
                            (long)
                                    SystemCall.SYSCALL.invokeExact(
                                            state.capture,
                                            SystemCall.IO_URING_ENTER,
                                            (long) fd,
                                            (long) toSubmit,
                                            (long) minComplete,
                                            (long) flags,
                                            argument,
                                            argumentSize));
        } catch (Throwable e) {
            throw Downcall.unexpected(e);
        }
    }

    /// Registers with the ring what `opcode` says: `count` elements at `argument`.
    public static int register(int fd, int opcode, long argument, int count) {
        return (int)
                SystemCall.call(
                        SystemCall.IO_URING_REGISTER,
                        fd,
                        Integer.toUnsignedLong(opcode),
                        argument,
                        Integer.toUnsignedLong(count),
                        0,
                        0);
    }
}
