package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.uring.Cqe;
import io.weft.ffi.uring.IoUring;
import io.weft.ffi.uring.Sqe;
import io.weft.transport.posix.Reception;
import io.weft.transport.posix.StreamDescriptor;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The receiving half of an [UringStream]: at most one receive under way, into buffers of the ring,
/// or one poll. The halves are one object, since there is one for each connection.
///
/// **Pausing** costs no call: the receive stays armed, and what it brings meanwhile is held. Only
/// when something does come is the receive cancelled; see [HeldInput].
///
/// **A send to a connection that the peer has reset** takes the error, and is told behind the input
/// that had arrived: an answer in there may be why the peer takes no more. Until then the send is
/// pending. A stream that does not receive, or that stops to, hears of the failure at once.
///
/// **A reset** is told behind the input that had arrived, however long the stream pauses: what is
/// held, or waits in the socket.
abstract sealed class UringInput implements StreamHandle, Target permits UringOutput {
    private static final int RECEIVE_SIZE = 16 << 10;

    /// Of a stream that [#receivesMuch].
    static final int LARGE_RECEIVE_SIZE = 64 << 10;

    /// Calls of a stream that receives by calls until others get their turn: half a MiB at most, as
    /// with the engines by readiness.
    static final int MAX_RECEIVES = 8;

    /// Completions of one receive after which more was waiting, until it is begun anew: at once, as
    /// the kernel puts off the rest after so many, or with the one that takes the last.
    ///
    /// A receive that goes on may stand still with bytes in its socket. The kernel counts wake-ups
    /// of the receive until it has read all there is, over what it puts off too. From 128 on it
    /// marks them instead, and the mark of one that comes as it ends is forgotten
    /// (`io_poll_check_events` of Linux 6.18). A new receive looks at the socket itself.
    private static final int LONG_CHAIN = 32;

    private static final int CHAIN = 4;

    final UringEngine engine;
    final int fd;
    final StreamEvents events;
    final int slot;
    boolean closing;

    /// True if descriptors are received with the bytes, which a receive into the ring's buffers has
    /// no place for. Such a stream receives by calls.
    private final boolean descriptors;

    private final boolean unix;

    private boolean receiving;

    /// The [Operation] by which the kernel receives or tells of input; 0 when there is none.
    private byte armed;

    private boolean cancelling;
    private boolean starved;

    /// Completions of the receive under way after which more was waiting, up to [#LONG_CHAIN].
    private byte chained;

    /// Buffers of the ring that came to this stream and are still out.
    private int lent;

    /// Came in while paused.
    private @Nullable HeldInput held;

    private boolean endHeld;

    /// Of the receive that ended the input which is held; 0 for the end of input.
    private int heldError;

    /// True if each receive takes one buffer: the peer sends faster than handlers take it, or the
    /// ring has too few buffers. So it is always with Unix domain sockets, for which a receive that
    /// goes on may not tell of the end of input. Else a receive takes as many as the kernel has
    /// input for, and a few such peers keep all others waiting for a buffer. Until the peer's input
    /// is shorter than one.
    private boolean oneByOne;

    /// True if the stream receives by calls, since the peer's input fills one buffer of the ring
    /// after the other: a poll tells that there is some, and calls bring it in pieces four times as
    /// large, all of them in one batch. Until a batch is smaller than a buffer of the ring.
    private boolean receivesMuch;

    /// The engine calls [#handUpHeld] in its next round.
    private boolean handsUpLater;

    /// The kernel said that nothing more will come; asked again, it would say so again.
    private boolean ended;

    /// Of a send, to be told behind the input; null for none.
    private @Nullable IOException unsent;

    UringInput(UringEngine engine, int fd, Reception reception, StreamEvents events) {
        this.engine = engine;
        this.fd = fd;
        this.descriptors = reception == Reception.DESCRIPTORS;
        this.unix = reception != Reception.BYTES;
        this.oneByOne = unix;
        this.events = events;
        this.slot = engine.slots.add(this);
    }

    /// Watches a connection whose input has ended for errors.
    abstract void awaitError();

    /// The receive failed.
    ///
    /// @param error of errno
    abstract void receiveFailed(int error);

    abstract boolean isSending();

    abstract void finishIfQuiet();

    final long userData(int operation) {
        return engine.userData(slot, operation);
    }

    /// Has the kernel end an operation.
    final void cancel(int operation) {
        engine.ring.cancel(userData(operation));
    }

    final boolean isArmed() {
        return armed != 0;
    }

    final boolean receivesMuch() {
        return receivesMuch;
    }

    @Override
    public void receive() {
        if (receiving || closing) {
            return;
        }
        receiving = true;
        if (held == null && !endHeld) {
            arm();
        } else if (!handsUpLater) {
            handsUpLater = true;
            engine.handUpLater(this);
        }
    }

    /// Hands up what came while the stream was paused. Not within [#receive]: a handler that writes
    /// a message in several pieces would be told of input between two of them.
    void handUpHeld() {
        handsUpLater = false;
        while (receiving && held != null) {
            Buffer next = held.next();
            if (next == null) {
                held = null;
            } else {
                events.received(next);
                events.receiveComplete();
            }
        }
        if (!receiving) {
            if (unsent != null && !closing) {
                events.failed(unsent);
            }
            return; // the next receive goes on
        }
        if (endHeld) {
            endHeld = false;
            tellHeldEnd();
        } else {
            arm();
        }
    }

    private void tellHeldEnd() {
        if (heldError != 0) {
            inputFailed(heldError);
            return;
        }
        inputEnded();
        if (!closing && !isSending()) { // else the send tells
            failIfBroken(StreamDescriptor.takeError(fd));
        }
    }

    /// Tells of an error of the connection that no receive or send has told.
    ///
    /// @param error of errno; 0 if there is none
    final void failIfBroken(int error) {
        if (error != 0) {
            events.failed(SocketErrors.failure(error, "connection"));
        }
    }

    /// Tells if errors have to wait for a reader of what is held.
    final boolean holdsInput() {
        return held != null && !held.isEmpty();
    }

    @Override
    public void pause() {
        receiving = false;
        if (unsent != null && !handsUpLater) {
            handsUpLater = true;
            engine.handUpLater(this);
        }
    }

    /// Returns the error that a receive of 0 bytes stands for, as -errno; 0 for the end of input.
    ///
    /// The kernel tells of a reset once, and then says that the input has ended. If a send took the
    /// error whose completion comes behind this one, a body that ends with its connection would
    /// pass for whole. While a send is under way this side has sent no FIN, so a connection that is
    /// over was reset.
    private int endOrReset() {
        return isSending() && engine.kernel.isOver(fd) ? -Errno.ECONNRESET : 0;
    }

    private void inputEnded() {
        if (unsent == null) {
            events.inputClosed();
        } else {
            events.failed(unsent);
        }
    }

    private void inputFailed(int error) {
        if (unsent == null) {
            receiveFailed(error);
        } else {
            events.failed(unsent);
        }
    }

    /// Tells of a send that has failed, behind what input there is.
    ///
    /// @param error of errno
    final void sendFailed(int error) {
        IOException failure = SocketErrors.failure(error, "send");
        if (receiving && (!ended || endHeld) && SocketErrors.isBroken(error)) {
            unsent = failure;
        } else {
            events.failed(failure);
        }
    }

    private void arm() {
        if (armed != 0 || starved || closing || ended) {
            return;
        }
        chained = 0;
        if (descriptors || receivesMuch) {
            long wanted = userData(Operation.POLL_IN);
            engine.ring.submit(IoUring.IORING_OP_POLL_ADD, fd, 0, 0, 0, Epoll.EPOLLIN, wanted);
            armed = Operation.POLL_IN;
            return;
        }
        long wanted = userData(Operation.RECEIVE);
        long sqe = engine.ring.submit(IoUring.IORING_OP_RECV, fd, 0, 0, 0, 0, wanted);
        armed = Operation.RECEIVE;
        if (!oneByOne) {
            Sqe.putIoprio(sqe, IoUring.IORING_RECV_MULTISHOT);
        }
        Sqe.putFlags(sqe, IoUring.IOSQE_BUFFER_SELECT);
        Sqe.putBufGroup(sqe, ReceiveBuffers.GROUP);
    }

    /// There are receive buffers again.
    void feed() {
        starved = false;
        if (receiving) {
            arm();
        }
    }

    void received(int count, int flags) {
        int result = count == 0 && !closing ? endOrReset() : count;
        boolean moreIsWaiting = (flags & IoUring.IORING_CQE_F_SOCK_NONEMPTY) != 0;
        if ((flags & IoUring.IORING_CQE_F_MORE) == 0) {
            armed = 0;
            cancelling = false;
        } else {
            renewInTime(moreIsWaiting);
        }
        if (result == ReceiveBuffers.SIZE && moreIsWaiting && (oneByOne || chained >= CHAIN)) {
            receivesMuch = true; // from the next receive on
        }
        if ((flags & IoUring.IORING_CQE_F_BUFFER) != 0) {
            Buffer bytes = takeBuffer(Cqe.bufferId(flags), Math.max(result, 0));
            if (result < ReceiveBuffers.SIZE) {
                oneByOne = unix; // that was all there is
            }
            if (closing || result <= 0) {
                bytes.release();
            } else if (receiving && held == null) {
                handUp(bytes);
            } else {
                hold(bytes); // behind what waits already
            }
        }
        if (closing) {
            finishIfQuiet();
        } else if (result == 0) {
            ended = true;
            if (receiving && held == null) {
                inputEnded();
            } else {
                endHeld = true;
            }
            awaitError();
        } else if (armed == 0) {
            if (result == -Errno.ENOBUFS) {
                oneByOne = true;
                if (!starved) {
                    starved = true;
                    engine.starvation.addWithoutBuffer(this);
                }
            } else if (result > 0 || result == -Errno.ECANCELED || result == -Errno.EINTR) {
                if (receiving) {
                    arm();
                }
            } else if (holdsInput()) { // the kernel tells it once: asked again, it would say end
                ended = true;
                endHeld = true;
                heldError = -result;
            } else {
                inputFailed(-result);
            }
        }
    }

    private void renewInTime(boolean moreIsWaiting) {
        if (moreIsWaiting && chained < LONG_CHAIN) {
            chained++;
        }
        if (chained >= (moreIsWaiting ? LONG_CHAIN : CHAIN)) {
            cancelReceive();
        }
    }

    private Buffer takeBuffer(int id, int length) {
        lent++;
        return engine.buffers.take(id, length, this);
    }

    /// A buffer of the ring that came to this stream has come back.
    void gaveBack() {
        if (--lent == 0 && starved) {
            engine.starvation.holdsNothing(this);
        }
    }

    private void handUp(Buffer bytes) {
        if (!engine.buffers.isScarceFor(lent)) {
            events.received(bytes);
            events.receiveComplete();
            return;
        }
        Buffer copy = SpareMemory.copy(bytes);
        if (copy != null) {
            bytes.release();
            events.received(copy);
            events.receiveComplete();
        } else {
            events.received(bytes);
            events.receiveComplete();
            awaitMemory();
        }
    }

    /// Receives no more for now, if what came is kept.
    private void awaitMemory() {
        if (lent == 0 || starved || closing) {
            return;
        }
        starved = true;
        engine.starvation.addWithoutMemory(this);
        cancelReceive();
    }

    private void cancelReceive() {
        if (armed != 0 && !cancelling) {
            cancelling = true;
            cancel(armed);
        }
    }

    /// There is something to be received by calls, or the poll that waits for it has failed.
    ///
    /// @param ready events, or -errno
    void readable(int ready) {
        armed = 0;
        cancelling = false;
        if (closing) {
            finishIfQuiet();
        } else if (receiving && held == null && !endHeld && !starved) {
            receiveByCalls();
        } else if (ready > 0 && (ready & Epoll.EPOLLERR) != 0 && !holdsInput()) {
            failIfBroken(StreamDescriptor.takeErrorWithoutInput(fd));
        } // else what receives again asks again
    }

    private void receiveByCalls() {
        int size = receivesMuch ? LARGE_RECEIVE_SIZE : RECEIVE_SIZE;
        int batch = 0;
        int result = size;
        for (int i = 0; i < MAX_RECEIVES && result == size && receiving; i++) {
            result = ReceiveCall.receive(engine.kernel, fd, descriptors, size, events);
            if (closing) {
                return;
            }
            batch += Math.max(result, 0);
        }
        if (result == 0) {
            result = endOrReset();
        }
        // Not before: a handler may have called pause and receive, which asked for another poll.
        receivesMuch = batch >= RECEIVE_SIZE && result != -Errno.ENOMEM;
        ended = result == 0; // before handlers are told of the batch: they may receive again
        if (batch > 0) {
            events.receiveComplete();
        }
        if (closing) {
            return;
        }
        if (ended) {
            if (receiving) {
                inputEnded();
            } else {
                endHeld = true;
            }
            awaitError();
        } else if (result == -Errno.ENOMEM && !descriptors) {
            oneByOne = true; // the ring has a buffer, or has the stream wait for one
        } else if (result < 0 && result != -Errno.EAGAIN && result != -Errno.EINTR) {
            inputFailed(-result);
        }
        if (receiving) {
            arm();
        }
    }

    private void hold(Buffer bytes) {
        oneByOne = true;
        try {
            if (held == null) {
                held = new HeldInput();
            }
            held.add(bytes);
        } catch (MemoryLimitException | OutOfMemoryError e) {
            events.failed(new IOException("receive: no memory", e));
            return;
        }
        cancelReceive();
    }

    /// Gives up what came while the stream was paused.
    ///
    /// @return true if there was some
    boolean discardHeld() {
        boolean some = holdsInput();
        dropHeld();
        return some;
    }

    void dropHeld() {
        if (held != null) {
            held.release();
            held = null;
        }
    }

    /// Has the kernel end the receive under way.
    void endReceive() {
        if (armed != 0) {
            cancel(armed);
        }
    }
}
