package io.weft.channel;

import io.weft.buffer.CompositeBuffer;
import io.weft.channel.jfr.ConnectionRecord;
import io.weft.engine.ChannelHandle;
import io.weft.engine.DatagramHandle;
import io.weft.engine.FileRegion;
import io.weft.engine.StreamHandle;
import io.weft.engine.UnsentMessageException;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import org.jspecify.annotations.Nullable;

/// The sending side of a channel: takes what has come through the pipeline, hands it to the engine
/// as fast as that takes it, and keeps the watermarks. On the channel's loop, but for
/// [#isWritable].
final class Outbound {
    /// A peer that takes everything at once would else keep the loop in a handler that sends as
    /// long as the channel is writable. The rest is sent in the next turn, and what is written
    /// meanwhile counts toward the watermarks.
    private static final int SENDS_A_TURN = 64;

    // Bits of what handlers have to be told, and whether the last they were told is unwritable.
    private static final int CHANGED = 1;
    private static final int TELLING = 2;
    private static final int TOLD_UNWRITABLE = 4;

    private static final AtomicLongFieldUpdater<Outbound> QUEUED =
            AtomicLongFieldUpdater.newUpdater(Outbound.class, "queued");

    final Channel channel;

    /// Lent by the loop while there is something to send.
    private OutboundQueue queue = OutboundQueue.NONE;

    private volatile boolean writable = true;

    /// True if a caller was answered that the channel is not writable, and waits to be told.
    private volatile boolean awaited;

    /// The weight of writes that other threads have queued.
    private volatile long queued;

    /// By bits: something changed that handlers have not been told, because an operation of theirs
    /// is under way; they are being told; the last that they were told.
    private byte news;

    /// The weight that a message to be encoded may have, as a [QueuedWrite] keeps it.
    byte unencoded;

    private boolean sendPending;
    private boolean flushing;
    byte end; // the step of an OutputEnd
    private boolean sentSome;

    /// The turn of the loop in which [#sends] were made, by its lowest bits, for want of room. A
    /// channel that sends again after just 65,536 turns may await one in vain.
    private char turn;

    private byte sends;
    private boolean awaitsTurn;
    long held; // bytes that handlers keep back

    Outbound(Channel channel) {
        this.channel = channel;
    }

    /// After each false handlers are told when the channel is writable, even if it is so again
    /// before anybody was told: one that has sent until it was stopped would wait for ever.
    boolean isWritable() {
        if (!writable) {
            awaited = true; // before another look: either is seen by the loop
            if (!writable) {
                return false;
            }
        }
        return takesMore();
    }

    /// As [#isWritable], for the channel itself, which waits for no event.
    boolean takesMore() {
        return writable && (queued == 0 || queued <= waterMark().high());
    }

    /// Another thread queues a write of that weight, or takes it back.
    void queued(long weight) {
        QUEUED.getAndAdd(this, weight);
    }

    /// The loop takes no more tasks: a queued write will not run. As long as it counted, another
    /// that arrived may have stopped the writers and not started them again. Either the loop sees
    /// the count without it, or it is seen here that they wait. Any thread.
    void refused(long weight) {
        queued(-weight);
        if (!writable) {
            channel.eventLoop().engine().close(this::arrived);
        }
    }

    /// A queued write is about to run. A thread that saw too many did so before it is seen here.
    void arrives(long weight) {
        long before = QUEUED.getAndAdd(this, -weight);
        if (writable && before > waterMark().high()) {
            stopWriters();
        }
    }

    /// A queued write has run.
    void arrived() {
        if (!writable && !flushing) {
            becomeWritableAgain();
        }
    }

    long pendingBytes() {
        return queue.waitingBytes() + held;
    }

    /// Returns the weight that is compared with the watermarks: a million empty messages are not
    /// nothing.
    private long weight() {
        return Math.max(pendingBytes(), queue.leastWeight()) + queued;
    }

    /// Handlers keep `more` bytes back than before, or fewer.
    void held(long more) {
        held += more;
        if (more < 0) {
            OutputEnd.heldLess(this);
        }
        if (more > 0) {
            becomeUnwritable();
        } else if (!flushing) {
            becomeWritableAgain();
            if (!writable) { // whoever held asked for input meanwhile, and has got it
                channel.inbound().stopReading();
            }
        }
    }

    /// Applies new watermarks, which may allow less than what waits, or more.
    void waterMarksMoved() {
        becomeUnwritable();
        arrived();
    }

    /// Tells if at least one byte has been handed to the engine and taken by it.
    boolean hasSent() {
        return sentSome;
    }

    /// A message has come through the pipeline.
    void enqueue(Object written, @Nullable Promise<Void> promise) {
        Object message = Messages.sendable(written, channel.life());
        if (message == null) {
            Messages.refuseKind(channel, written, promise);
            return;
        }
        Throwable refusal = refusal(message);
        if (refusal != null) {
            Messages.refuse(channel, written, promise, refusal);
            return;
        }
        if (message instanceof CompositeBuffer composite) {
            addComponents(composite, promise);
            return;
        }
        if (!(message instanceof FileRegion) && OutboundQueue.content(message).references() == 0) {
            Messages.refuseReleased(channel, message, promise);
            return;
        }
        try {
            queue().add(message, promise);
        } catch (Throwable noRoom) {
            Messages.refuse(channel, message, promise, noRoom);
            return;
        }
        becomeUnwritable();
    }

    /// They are gathered as they are. The promise is the last one's, or that of no bytes.
    private void addComponents(CompositeBuffer composite, @Nullable Promise<Void> promise) {
        if (composite.references() == 0) {
            Messages.refuseReleased(channel, composite, promise);
            return;
        }
        int before = queue.size();
        try {
            queue().addComponents(composite, promise);
        } catch (Throwable noRoom) {
            Messages.refuse(channel, composite, promise, noRoom);
            if (queue.size() > before) { // its beginning is there, its end will never be
                channel.life().closeNow(true);
            }
            return;
        }
        composite.release();
        becomeUnwritable();
    }

    private @Nullable Throwable refusal(Object message) {
        Exception refusal = Messages.refusal(message, channel.life());
        if (refusal != null) {
            return refusal;
        }
        if (!channel.isOpen() || OutputEnd.isBegun(this)) {
            return new ClosedChannelException();
        }
        long taken = Math.max(queue.pendingBytes(), queue.leastWeight());
        return taken >= waterMark().cap()
                ? new OutboundLimitException(taken, waterMark().cap())
                : null;
    }

    private WriteBufferWaterMark waterMark() {
        return channel.options().waterMark();
    }

    void flush() {
        queue.flush();
        resume();
    }

    /// A pending send moved `count` bytes, or datagrams.
    void sent(int count) {
        sendPending = false;
        // Promises may flush again: nothing is sent before all that was sent is out of the queue.
        boolean within = flushing;
        flushing = true;
        try {
            sent(count, channel.life().isDatagram());
        } catch (Throwable e) {
            channel.life().broken(null, e); // a buffer that was released after it was written
        } finally {
            flushing = within;
        }
        resume();
    }

    /// Sends until the engine has enough. Not re-entered: promises and writability events may flush
    /// again, which this loop then sees.
    void resume() {
        if (flushing) {
            return;
        }
        flushing = true;
        try {
            // Becoming writable may read, and reading may write and flush again.
            do {
                sendFlushed();
                becomeWritableAgain();
            } while (canSend() != null);
        } catch (IOException e) {
            channel.life().fail(e);
        } catch (Throwable e) { // a buffer that was released, no memory: a later flush may not come
            channel.life().broken(null, e);
        } finally {
            flushing = false;
        }
        if (!sendPending && !queue.hasFlushed()) {
            giveBackQueue();
            channel.life().allSent();
        }
    }

    private OutboundQueue queue() {
        if (queue == OutboundQueue.NONE) {
            queue = OpenChannels.of(channel.eventLoop()).queues().take();
        }
        return queue;
    }

    /// Not when the channel is closed, which fails promises by way of the queue.
    private void giveBackQueue() {
        if (queue != OutboundQueue.NONE
                && queue.isAtRest()
                && channel.life().sendingHandle() != null) {
            OutboundQueue given = queue;
            queue = OutboundQueue.NONE;
            OpenChannels.of(channel.eventLoop()).queues().giveBack(given);
        }
    }

    private @Nullable ChannelHandle canSend() {
        return !sendPending && queue.hasFlushed() ? channel.life().sendingHandle() : null;
    }

    private void sendFlushed() throws IOException {
        for (ChannelHandle handle; (handle = canSend()) != null; ) {
            if (isTurnOver()) {
                awaitTurn();
            } else if (handle instanceof StreamHandle stream) {
                sendOfStream(stream, queue.firstRegion());
            } else {
                sendDatagrams((DatagramHandle) handle);
            }
        }
    }

    private boolean isTurnOver() {
        char now = (char) channel.eventLoop().engine().turn();
        if (turn != now) {
            turn = now;
            sends = 0;
        }
        boolean over = sends == SENDS_A_TURN;
        sends += (byte) (over ? 0 : 1);
        return over && channel.eventLoop().engine().boundsTurns();
    }

    private void awaitTurn() {
        sendPending = true;
        if (!awaitsTurn) {
            awaitsTurn = true;
            channel.eventLoop().engine().nextTurn(this::nextTurn);
        }
    }

    /// The turn that has been waited for.
    void nextTurn() {
        awaitsTurn = false;
        sendPending = false;
        resume();
    }

    /// A message that cannot be sent is no obstacle for the others.
    private void sendOfStream(StreamHandle stream, @Nullable FileRegion region) throws IOException {
        try {
            sent(region == null ? stream.send(queue) : send(stream, region), false);
        } catch (UnsentMessageException e) {
            queue.failFirst(e);
        }
    }

    private int send(StreamHandle stream, FileRegion region) throws IOException {
        if (region.remaining() == 0) {
            return 0;
        }
        if (stream.sendsFiles() && !region.isCopied()) {
            return stream.sendFile(region);
        }
        region.fill();
        return stream.send(queue);
    }

    private void sendDatagrams(DatagramHandle handle) {
        try {
            sent(handle.send(queue), true);
        } catch (IOException e) {
            queue.failFirst(e);
        }
    }

    private void sent(int count, boolean datagrams) {
        if (count == ChannelHandle.PENDING) {
            sendPending = true;
        } else if (datagrams) {
            queue.sentDatagrams(count);
        } else {
            sentOfStream(count);
        }
    }

    private void sentOfStream(int bytes) {
        sentSome |= bytes > 0;
        ConnectionRecord record = channel.recorded;
        if (record != null) {
            record.sent(bytes);
        }
        queue.sent(bytes);
    }

    private void becomeUnwritable() {
        if (writable && weight() > waterMark().high()) {
            stopWriters();
        }
    }

    private void stopWriters() {
        writable = false;
        channel.inbound().stopReading();
        news |= CHANGED;
        tellChanges();
    }

    private void becomeWritableAgain() {
        if (!writable && (weight() < waterMark().low() || weight() == 0)) {
            writable = true;
            news |= CHANGED;
            tellChanges();
        }
    }

    /// Tells handlers what they have not been told, unless they are in the midst of an operation:
    /// then its end does.
    void tellChanges() {
        if ((news & (CHANGED | TELLING)) != CHANGED || channel.pipeline().isWithinOperation()) {
            return;
        }
        news |= TELLING;
        try {
            do {
                news &= ~CHANGED;
                tellChange();
            } while ((news & CHANGED) != 0);
        } finally {
            news &= ~TELLING;
        }
    }

    private void tellChange() {
        boolean toldWritable = (news & TOLD_UNWRITABLE) == 0;
        boolean isNews = toldWritable != writable || (writable && awaited);
        if (writable) {
            news &= ~TOLD_UNWRITABLE;
            awaited = false;
        } else {
            news |= TOLD_UNWRITABLE;
        }
        if (!channel.isActive()) {
            return;
        }
        if (!isNews) {
            channel.inbound().receiveByItself(); // it may have stopped meanwhile
        } else if (writable) {
            channel.inbound().becameWritable();
        } else {
            channel.pipeline().fireWritabilityChanged();
        }
    }

    /// Gives up what has not been flushed: the channel closes.
    void failUnflushed() {
        queue.failUnflushed();
    }

    /// Gives up everything: the channel is closed.
    void failAll() {
        queue.failAll();
    }
}
