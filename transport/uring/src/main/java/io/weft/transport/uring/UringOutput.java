package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.engine.FileRegion;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.ffi.Errno;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import io.weft.transport.posix.OpenFile;
import io.weft.transport.posix.Reception;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The sending half of an [UringStream]: at most one send under way, of buffers or of a file.
abstract sealed class UringOutput extends UringInput permits UringStream {
    private boolean sending;

    /// True if sends are copied, whatever their length: this kind of connection cannot do without,
    /// or it gains nothing.
    private boolean copies;

    /// The send under way is that of a [LentBuffer].
    private boolean lending;

    /// The memory of the send under way: a message header, or 0 when it is a single buffer.
    private long header;

    /// Made with the first region of a file.
    private @Nullable FileSend files;

    /// Another descriptor, perhaps of another process, may be of the same connection, and must not
    /// find that it no longer waits.
    private boolean shared;

    UringOutput(UringEngine engine, int fd, Reception reception, StreamEvents events) {
        super(engine, fd, reception, events);
    }

    @Override
    boolean isSending() {
        return sending;
    }

    @Override
    public int send(Gather buffers) {
        if (sending) {
            // Asked again after a failed receive. The kernel would send these bytes twice, and the
            // second time perhaps from memory that is another's.
            return PENDING;
        }
        // Not MSG_WAITALL: a client that reads slowly has to be told from one that does not read.
        int flags = Sockets.MSG_NOSIGNAL;
        if (buffers.count() == 1 && buffers.descriptors() == null) {
            Buffer only = buffers.buffer(0);
            if (!copies && only.readableBytes() >= engine.uncopiedFrom) {
                LentBuffer.send(engine, this, fd, only);
                lending = true;
            } else {
                engine.ring.submit(
                        IoUring.IORING_OP_SEND,
                        fd,
                        0,
                        only.address() + only.readOffset(),
                        only.readableBytes(),
                        flags,
                        userData(Operation.SEND));
            }
        } else {
            header = engine.vectors.take(buffers);
            engine.ring.submit(
                    IoUring.IORING_OP_SENDMSG, fd, 0, header, 1, flags, userData(Operation.SEND));
        }
        // Not before: had something thrown, the close would wait for this send for ever.
        sending = true;
        return PENDING;
    }

    void sent(int result) {
        sending = false;
        if (header != 0) {
            engine.vectors.give(header);
            header = 0;
        }
        if (closing) {
            finishIfQuiet();
        } else if (result >= 0) {
            events.sent(result);
        } else if (result == -Errno.EINTR || result == -Errno.EAGAIN) {
            events.sent(0);
        } else {
            sendFailed(-result);
        }
    }

    /// As [#sent], of a [LentBuffer].
    void sentUncopied(int result) {
        lending = false;
        switch (-result) {
            // No such sockets (Unix domain), no such call (before kernel 6.2), or no more memory
            // may be pinned.
            case Errno.EOPNOTSUPP, Errno.EINVAL, Errno.ENOMEM, Errno.ENOBUFS -> {
                copy();
                sent(0);
            }
            default -> sent(result);
        }
    }

    /// From now on sends are copied.
    void copy() {
        copies = true;
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public int sendFile(FileRegion region) {
        if (sending) {
            return PENDING; // as in send
        }
        int file = OpenFile.of(region);
        if (file < 0) {
            region.copy();
            return 0;
        }
        if (files == null) {
            files = new FileSend(engine, fd);
        }
        int sent = shared ? 0 : files.sendCached(region, file);
        if (sent > 0) {
            return sent;
        }
        if (sent < 0) {
            files.poll(userData(Operation.POLL_OUT));
        } else {
            files.submit(
                    region, file, userData(Operation.READ_FILE), userData(Operation.SEND_FILE));
        }
        sending = true;
        return PENDING;
    }

    /// Allows for another descriptor of the same connection.
    void share() {
        shared = true;
    }

    void writable(int result) {
        sent(Objects.requireNonNull(files).polled(result));
    }

    void fileRead(int result) {
        FileSend f = Objects.requireNonNull(files);
        if (result > 0 && !closing) {
            f.read(result, userData(Operation.SEND_FILE));
            return;
        }
        sending = false;
        f.drop();
        if (closing) {
            finishIfQuiet();
        } else if (result == 0) {
            events.failed(f.ended());
        } else {
            sent(result);
        }
    }

    void fileSent(int result) {
        FileSend f = Objects.requireNonNull(files);
        if (result >= 0) {
            f.sent(result);
        }
        sent(result);
    }

    /// Everything of the descriptor: slow on a ring with many connections, and all there is for
    /// what has other user data.
    private void cancelOfDescriptor() {
        engine.ring.submit(
                IoUring.IORING_OP_ASYNC_CANCEL,
                fd,
                0,
                0,
                0,
                IoUring.IORING_ASYNC_CANCEL_FD | IoUring.IORING_ASYNC_CANCEL_ALL,
                Operation.IGNORED);
    }

    /// Has the kernel end the send under way.
    void endSend() {
        if (lending) {
            cancelOfDescriptor();
        } else if (sending) {
            cancel(Operation.SEND);
            if (files != null) {
                cancel(files.isPolling() ? Operation.POLL_OUT : Operation.SEND_FILE);
            }
        }
    }

    /// Gives up the file under way, when nothing is any more.
    void dropFile() {
        if (files != null) {
            files.drop();
        }
    }
}
