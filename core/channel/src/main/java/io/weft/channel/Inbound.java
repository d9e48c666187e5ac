package io.weft.channel;

import io.weft.channel.jfr.ConnectionRecord;
import io.weft.engine.ChannelHandle;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;

/// The receiving side of a channel: decides whether the engine receives, and hands what it tells to
/// the pipeline. On the channel's loop, but for [#autoRead()].
final class Inbound {
    /// Gets what no handler took.
    interface Rest {
        /// A message, to be released.
        void message(Object message);

        /// An exception, which closes the channel.
        void exception(Throwable cause);
    }

    private final Channel channel;
    private final Lifecycle life;

    private volatile boolean autoRead;
    private boolean readsWhileUnwritable;

    /// The channel has become writable again, and nothing has been read since. One batch is, before
    /// it stops to read once more: else a channel that is filled whenever it can be written to
    /// would never hear its peer.
    private boolean owesBatch;

    /// A read was asked for, and no batch has begun since.
    private boolean asked;

    private boolean inBatch;

    /// Handlers that suspend reading ([ChannelHandlerContext#suspendReading]).
    private int suspensions;

    private boolean ended;

    /// The peer has promised to send nothing more, and has kept it so far.
    private boolean last;

    private boolean toldUnread;

    Inbound(Channel channel, Lifecycle life, ChannelOptions options) {
        this.channel = channel;
        this.life = life;
        this.autoRead = options.get(ChannelOption.AUTO_READ);
        this.readsWhileUnwritable = options.get(ChannelOption.READ_WHILE_UNWRITABLE);
    }

    // ---- demand ----

    boolean autoRead() {
        return autoRead;
    }

    void autoRead(boolean on) {
        boolean was = autoRead;
        autoRead = on;
        if (on && !was) {
            askHandlers();
        }
        if (on) {
            receiveByItself();
        } else {
            asked = false;
            pause();
        }
    }

    /// Has handlers that keep input back go on, as a read does, but asks the engine for nothing.
    private void askHandlers() {
        boolean before = asked;
        channel.pipeline().read();
        asked = before;
        stopReading();
    }

    void readsWhileUnwritable(boolean on) {
        readsWhileUnwritable = on;
        if (!channel.outbound().takesMore()) {
            stopReading();
        }
        receiveByItself();
    }

    /// Tells if input is received without a read that asks for it.
    boolean mayReceive() {
        return autoRead
                && suspensions == 0
                && (readsWhileUnwritable || owesBatch || channel.outbound().takesMore());
    }

    boolean isSuspended() {
        return suspensions > 0;
    }

    void suspend() {
        suspensions++;
        stopReading();
    }

    void resume() {
        suspensions--;
        receiveByItself();
    }

    /// Does one read that no handler kept.
    void receive() {
        ChannelHandle handle = life.activeHandle();
        if (handle != null) {
            asked = true;
            handle.receive();
        }
    }

    /// Receives unless [#stopReading] would stop it.
    void receiveByItself() {
        if (asked || mayReceive()) {
            ChannelHandle handle = life.activeHandle();
            if (handle != null) {
                handle.receive();
            }
        }
    }

    /// Stops to receive, unless the channel reads by itself or a read is outstanding.
    void stopReading() {
        if (!asked && !mayReceive()) {
            pause();
        }
    }

    /// Stops the engine, unless it discards input for an orderly close.
    private void pause() {
        ChannelHandle handle = life.activeHandle();
        if (handle != null) {
            handle.pause();
        }
    }

    /// The outbound queue is below its low watermark again.
    void becameWritable() {
        owesBatch = true;
        channel.pipeline().fireWritabilityChanged();
        receiveByItself();
    }

    // ---- what the engine tells ----

    /// @param length of the message, in bytes
    void received(Object message, int length) {
        ConnectionRecord record = channel.recorded;
        if (record != null) {
            record.received(length);
        }
        last = false;
        if (!inBatch) {
            inBatch = true;
            asked = false;
            owesBatch = false;
        }
        if (life.isActive()) {
            channel.pipeline().fireRead(message);
            return;
        }
        Messages.release(message);
        life.discarded(length);
    }

    /// A message has passed all handlers: one is missing, or in the wrong place. Told once a
    /// channel.
    void tellUnread(Object message) {
        if (!toldUnread) {
            toldUnread = true;
            Log.unread(message, channel);
        }
    }

    void receiveComplete() {
        inBatch = false;
        stopReading();
        if (life.isActive()) {
            channel.pipeline().fireReadComplete();
        }
    }

    void inputClosed() {
        ended = true;
        OrderlyClose closing = life.closing();
        if (closing != null) {
            closing.inputEnded();
        } else if (life.isActive()) {
            channel.pipeline().fireInputClosed();
            if (channel.closesAtInputEnd()) {
                channel.pipeline().close();
            }
        }
    }

    /// Tells if the peer has ended its output.
    boolean isEnded() {
        return ended;
    }

    void expectNone() {
        last = true;
    }

    boolean expectsNone() {
        return last;
    }
}
