package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.Sqe;

/// A buffer that the kernel sends without copying it (`IORING_OP_SEND_ZC`), and reads until the
/// peer has it.
///
/// Two completions: first how much was sent, upon which the stream may send more, or close; then,
/// perhaps much later, a notification that the kernel no longer reads the buffer. So this has a
/// slot and a generation of its own beside the stream's, and owns the buffer as the stream's queue
/// does until its notification. If none comes, it keeps the memory indefinitely rather than send a
/// stranger's bytes.
final class LentBuffer implements Target {
    private final UringEngine engine;
    private final UringOutput stream;
    private final Buffer bytes;
    private final int slot;

    private LentBuffer(UringEngine engine, UringOutput stream, Buffer bytes) {
        this.engine = engine;
        this.stream = stream;
        this.bytes = bytes;
        this.slot = engine.slots.add(this);
    }

    /// Sends what `bytes` has to read; [UringOutput#sentUncopied] follows.
    static void send(UringEngine engine, UringOutput stream, int fd, Buffer bytes) {
        LentBuffer lent = new LentBuffer(engine, stream, bytes);
        try {
            long sqe =
                    engine.ring.submit(
                            IoUring.IORING_OP_SEND_ZC,
                            fd,
                            0,
                            bytes.address() + bytes.readOffset(),
                            bytes.readableBytes(),
                            Sockets.MSG_NOSIGNAL,
                            engine.userData(lent.slot, Operation.SEND));
            Sqe.putIoprio(sqe, IoUring.IORING_SEND_ZC_REPORT_USAGE);
        } catch (RuntimeException e) {
            engine.slots.remove(lent.slot);
            throw e;
        }
        bytes.retain();
    }

    @Override
    public void faulted() {
        stream.close(true);
    }

    @Override
    public void completed(int operation, int result, int flags) {
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            engine.slots.remove(slot);
            bytes.release();
        }
        if ((flags & IoUring.IORING_CQE_F_NOTIF) == 0) {
            stream.sentUncopied(result);
        } else if ((result & IoUring.IORING_NOTIF_USAGE_ZC_COPIED) != 0) {
            stream.copy(); // as over loopback: that was a copy and a notification on top of it
        }
    }
}
