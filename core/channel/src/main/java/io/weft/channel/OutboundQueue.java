package io.weft.channel;

import static io.weft.channel.Log.LOG;

import io.weft.buffer.Buffer;
import io.weft.buffer.CompositeBuffer;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.EndpointMessage;
import io.weft.engine.FileRegion;
import io.weft.engine.Gather;
import io.weft.engine.PassedDescriptor;
import io.weft.loop.Promise;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Buffers or datagrams that wait to be sent, in order, with the promises of those that have one:
/// first the flushed ones, then those written since.
///
/// A ring of two parallel arrays. What a large burst made of them is dropped when it has been sent.
/// A loop lends queues to its channels while they have something to send: see
/// [OpenChannels.SpareQueues].
final class OutboundQueue implements Gather, DatagramBatch {
    /// More messages than this go to the kernel in several calls; IOV_MAX is 1,024, but the vectors
    /// have to live somewhere.
    private static final int MAX_GATHER = 64;

    /// Least cost of a message, however few its bytes: its object, its block, its places here.
    private static final int LEAST_WEIGHT = 64;

    /// Messages of which only the bytes count, so that small watermarks mean what they say.
    private static final int WEIGHTLESS = 1024;

    private static final int INITIAL = 2;

    /// Places that are kept for the next burst.
    private static final int KEPT = 16;

    private static final @Nullable Object[] NO_MESSAGES = {};
    private static final @Nullable Promise<?>[] NO_PROMISES = {};

    /// The queue of all channels that have nothing to send. It is never changed.
    static final OutboundQueue NONE = new OutboundQueue();

    private @Nullable Object[] messages = NO_MESSAGES;
    private @Nullable Promise<?>[] promises = NO_PROMISES;
    private int head;
    private int size;
    private int flushed;
    private long pendingBytes;
    private long fileBytes;

    /// Messages that carry descriptors, or are regions of files. One number, as it keeps an idle
    /// connection's queue at 56 bytes.
    private int special;

    /// Set while their promises are told.
    private @Nullable GivenUp givenUp;

    /// Tells if it has no messages, and tells no promises at the moment.
    boolean isAtRest() {
        return size == 0 && givenUp == null;
    }

    int size() {
        return size;
    }

    /// In memory.
    long pendingBytes() {
        return pendingBytes;
    }

    /// In memory and in files.
    long waitingBytes() {
        return pendingBytes + fileBytes;
    }

    /// Returns the least cost of the messages, however few bytes they have; the first [#WEIGHTLESS]
    /// are free.
    long leastWeight() {
        return (long) Math.max(size - WEIGHTLESS, 0) * LEAST_WEIGHT;
    }

    boolean hasFlushed() {
        return flushed > 0;
    }

    /// The bytes of a message: itself, or a datagram's payload.
    static Buffer content(Object message) {
        return switch (message) {
            case Buffer buffer -> buffer;
            case Datagram datagram -> datagram.content();
            case FileRegion region -> region.chunk();
            case EndpointMessage endpoint -> endpoint.content();
            default -> ((DescriptorMessage) message).content();
        };
    }

    /// @param message a `Buffer`, `DescriptorMessage`, `EndpointMessage` or `FileRegion`; in a
    ///     queue of
    ///     datagrams a `Datagram`
    void add(Object message, @Nullable Promise<Void> promise) {
        if (size == messages.length) {
            grow();
        }
        int at = (head + size) & (messages.length - 1);
        messages[at] = message;
        promises[at] = promise;
        size++;
        if (message instanceof FileRegion region) {
            special++;
            fileBytes += region.remaining();
            return;
        }
        pendingBytes += content(message).readableBytes();
        if (message instanceof DescriptorMessage) {
            special++;
        }
    }

    /// Adds what is left of a composite, each component as it is. The promise is the last one's, or
    /// that of no bytes. If there is no room for one, those before it stay.
    void addComponents(CompositeBuffer composite, @Nullable Promise<Void> promise) {
        do {
            Buffer next = composite.isReadable() ? composite.removeFirst() : composite.copy();
            try {
                add(next, composite.isReadable() ? null : promise);
            } catch (Throwable noRoom) {
                next.release();
                throw noRoom;
            }
        } while (composite.isReadable());
    }

    private void grow() {
        int capacity = messages.length == 0 ? INITIAL : messages.length * 2;
        @Nullable Object[] newMessages = new @Nullable Object[capacity];
        @Nullable Promise<?>[] newPromises = new @Nullable Promise<?>[capacity];
        for (int i = 0; i < size; i++) {
            int at = (head + i) & (messages.length - 1);
            newMessages[i] = messages[at];
            newPromises[i] = promises[at];
        }
        messages = newMessages;
        promises = newPromises;
        head = 0;
    }

    /// Everything written so far may be sent.
    void flush() {
        if (flushed != size) { // or threads of many loops would write to the one that is none
            flushed = size;
        }
    }

    @Override
    public int count() {
        int count = Math.min(flushed, MAX_GATHER);
        return special == 0 ? count : countBuffers(count);
    }

    /// Descriptors travel with the first byte of a send, and files alone.
    private int countBuffers(int most) {
        for (int i = 0; i < most; i++) {
            if (message(i) instanceof DescriptorMessage || message(i) instanceof FileRegion) {
                return Math.max(i, 1);
            }
        }
        return most;
    }

    @Override
    public @Nullable List<PassedDescriptor> descriptors() {
        return special > 0 && message(0) instanceof DescriptorMessage first
                ? first.descriptors()
                : null;
    }

    @Override
    public Buffer buffer(int index) {
        return content(message(index));
    }

    @Override
    public @Nullable EndpointMessage endpointMessage(int index) {
        return message(index) instanceof EndpointMessage message ? message : null;
    }

    @Override
    public Datagram datagram(int index) {
        return (Datagram) message(index);
    }

    private Object message(int index) {
        Object message = messages[(head + index) & (messages.length - 1)];
        if (message == null) {
            throw new IndexOutOfBoundsException(
                    "index: " + index + " (expected: below count " + count() + ")");
        }
        return message;
    }

    /// The region to be sent next; null when it is something else's turn, as nearly always.
    @Nullable FileRegion firstRegion() {
        return special > 0 && flushed > 0 && message(0) instanceof FileRegion region
                ? region
                : null;
    }

    private void sentOf(FileRegion region, int bytes) {
        region.sent(bytes);
        fileBytes -= bytes;
        if (region.remaining() == 0) {
            Promise<?> promise = removeFirst();
            flushed--;
            special--;
            region.close();
            if (promise != null) {
                succeed(promise);
            }
            shrink();
        }
    }

    /// `bytes` bytes from the front were sent: releases messages that are done, and keeps their
    /// promises.
    void sent(int bytes) {
        FileRegion region = firstRegion();
        if (region != null) {
            sentOf(region, bytes);
            return;
        }
        if (bytes > 0 && special > 0) {
            descriptorsSent();
        }
        while (flushed > 0 && firstRegion() == null) {
            Buffer buffer = buffer(0);
            int readable = buffer.readableBytes();
            if (readable > bytes) {
                pendingBytes -= bytes;
                buffer.skipReadable(bytes);
                return;
            }
            pendingBytes -= readable; // one by one: a listener may close, which gives up the others
            bytes -= readable;
            Promise<?> promise = removeFirst();
            flushed--;
            release(buffer);
            if (promise != null) {
                succeed(promise);
            }
        }
        shrink();
    }

    private void descriptorsSent() {
        if (message(0) instanceof DescriptorMessage first) {
            messages[head] = first.content();
            special--;
            first.descriptors().forEach(PassedDescriptor::close);
        }
    }

    private void shrink() {
        if (size == 0 && messages.length > KEPT) {
            messages = NO_MESSAGES;
            promises = NO_PROMISES;
            head = 0;
        }
    }

    /// The first `count` datagrams were sent.
    void sentDatagrams(int count) {
        for (int i = 0; i < count && size > 0; i++) { // a listener may have given up all
            Promise<?> promise = removeContent();
            if (promise != null) {
                succeed(promise);
            }
        }
        shrink();
    }

    /// The first datagram or message cannot be sent.
    void failFirst(Throwable cause) {
        Object message = messages[head];
        flushed--;
        giveUp(message, removeFirst(), cause);
        shrink();
    }

    private @Nullable Promise<?> removeContent() {
        Buffer content = buffer(0);
        pendingBytes -= content.readableBytes();
        Promise<?> promise = removeFirst();
        flushed--;
        release(content);
        return promise;
    }

    /// One that a handler released although it had given it away keeps no channel from closing.
    private static void release(Buffer buffer) {
        try {
            buffer.release();
        } catch (IllegalStateException e) {
            LOG.failure("a buffer was released after it was written", e);
        }
    }

    private @Nullable Promise<?> removeFirst() {
        Promise<?> promise = promises[head];
        messages[head] = null;
        promises[head] = null;
        head = (head + 1) & (messages.length - 1);
        size--;
        return promise;
    }

    @SuppressWarnings("unchecked") // only Promise<Void> comes in by add
    private static void succeed(Promise<?> promise) {
        ((Promise<Void>) promise).trySuccess(null);
    }

    /// Gives up what has not been flushed: the channel closes.
    ///
    /// Here and below the exception is made only if there are messages to fail. If thousands of
    /// idle channels close at once, a stack trace for each would be most of the work.
    void failUnflushed() {
        if (size == flushed) {
            return;
        }
        // Out of the queue before anybody hears of it: a listener may flush, or give up everything.
        GivenUp unflushed = new GivenUp(messages, promises, head + flushed, head + size);
        givenUp = unflushed;
        size = flushed;
        unflushed.tell();
        givenUp = null;
    }

    /// Gives up everything: the channel is closed.
    void failAll() {
        if (this == NONE) {
            return;
        }
        if (size > 0) {
            ClosedChannelException cause = new ClosedChannelException();
            do {
                Object message = messages[head];
                giveUp(message, removeFirst(), cause);
            } while (size > 0);
        }
        flushed = 0;
        messages = NO_MESSAGES;
        promises = NO_PROMISES;
        GivenUp untold = givenUp;
        if (untold != null) {
            untold.tell(); // a listener of one of them has closed: the others come before that
        }
    }

    /// Messages that are out of the queue, and whose promises are being told.
    private final class GivenUp {
        private final @Nullable Object[] messages;
        private final @Nullable Promise<?>[] promises;
        private int next;
        private final int end;

        /// @param next index of the first one, modulo the length of the arrays
        GivenUp(@Nullable Object[] messages, @Nullable Promise<?>[] promises, int next, int end) {
            this.messages = messages;
            this.promises = promises;
            this.next = next;
            this.end = end;
        }

        /// Tells those that have not been told.
        void tell() {
            ClosedChannelException cause = new ClosedChannelException();
            while (next != end) {
                int at = next++ & (messages.length - 1);
                Object message = messages[at];
                Promise<?> promise = promises[at];
                messages[at] = null;
                promises[at] = null;
                giveUp(message, promise, cause);
            }
        }
    }

    private void giveUp(@Nullable Object message, @Nullable Promise<?> promise, Throwable cause) {
        if (message instanceof FileRegion region) {
            fileBytes -= region.remaining();
            special--;
            Messages.release(region);
        } else if (message != null) {
            Buffer content = content(message);
            pendingBytes -= content.readableBytes();
            release(content);
            if (message instanceof DescriptorMessage descriptors) {
                special--;
                descriptors.descriptors().forEach(PassedDescriptor::close);
            }
        }
        if (promise != null) {
            promise.tryFailure(cause);
        }
    }
}
