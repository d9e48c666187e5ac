package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.codec.websocket.CloseStatus;
import io.weft.http.websocket.BlockingWebSocket.Binary;
import io.weft.http.websocket.BlockingWebSocket.Message;
import io.weft.http.websocket.BlockingWebSocket.Text;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// The hand-over of messages from a connection's loop to the threads of blocking code.
///
/// All fields are under the lock. Above a limit the connection is paused, by the loop; the thread
/// that takes enough resumes it.
class MessageInbox implements WebSocketListener {
    private static final long MAX_BYTES = 64 << 10;
    private static final int MAX_MESSAGES = 1024;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Condition writable = lock.newCondition();
    private final ArrayDeque<Message> messages = new ArrayDeque<>(2);
    private long bytes;
    private boolean paused;

    /// True when no message is taken from now on.
    private boolean drained;

    private @Nullable WebSocket socket;
    private @Nullable CloseStatus status;

    // ---- the loop ----

    @Override
    public void onOpen(WebSocket opened) {
        lock.lock();
        try {
            socket = opened;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onText(WebSocket from, String text) {
        add(from, new Text(text), text.length());
    }

    @Override
    public void onBinary(WebSocket from, Buffer data) {
        try (data) {
            byte[] copy = new byte[data.readableBytes()];
            data.readBytes(copy);
            add(from, new Binary(copy), copy.length);
        }
    }

    private void add(WebSocket from, Message message, long size) {
        lock.lock();
        try {
            if (drained) {
                return;
            }
            messages.add(message);
            bytes += size;
            if (!paused && (bytes > MAX_BYTES || messages.size() >= MAX_MESSAGES)) {
                paused = true;
                from.pause();
            }
            news.signal();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onWritable(WebSocket from) {
        lock.lock();
        try {
            writable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void onClose(WebSocket from, CloseStatus with) {
        lock.lock();
        try {
            status = with;
            news.signalAll();
            writable.signalAll();
        } finally {
            lock.unlock();
        }
    }

    // ---- any thread ----

    @Nullable CloseStatus status() {
        lock.lock();
        try {
            return status;
        } finally {
            lock.unlock();
        }
    }

    /// Waits for a message.
    ///
    /// @return null at the end
    @Nullable Message take() throws InterruptedException {
        WebSocket resumed = null;
        Message next;
        lock.lockInterruptibly();
        try {
            while (messages.isEmpty() && status == null) {
                news.await();
            }
            next = messages.poll();
            if (next == null) {
                news.signal(); // for others that wait
                return null;
            }
            bytes -=
                    next instanceof Text(String text)
                            ? text.length()
                            : ((Binary) next).data().length;
            if (paused && bytes <= MAX_BYTES / 2 && messages.size() <= MAX_MESSAGES / 2) {
                paused = false;
                resumed = socket;
            }
        } finally {
            lock.unlock();
        }
        if (resumed != null) {
            resumed.resume();
        }
        return next;
    }

    /// Gives up what comes from now on, so that a close is heard whatever waits before it.
    void drain() {
        WebSocket resumed;
        lock.lock();
        try {
            drained = true;
            resumed = paused ? socket : null;
            paused = false;
        } finally {
            lock.unlock();
        }
        if (resumed != null) {
            resumed.resume();
        }
    }

    /// Waits until more may be sent, or the connection is over.
    ///
    /// @return false when the time is over first
    boolean awaitWritable(WebSocket of, long timeout, TimeUnit unit) throws InterruptedException {
        long left = unit.toNanos(timeout);
        lock.lockInterruptibly();
        try {
            while (!of.isWritable() && of.isOpen() && status == null) {
                if (left <= 0) {
                    return false;
                }
                left = writable.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }
}
