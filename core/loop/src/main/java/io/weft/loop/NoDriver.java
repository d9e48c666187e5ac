package io.weft.loop;

enum NoDriver implements LoopDriver {
    INSTANCE;

    @Override
    public void poll(long timeoutNanos) {}

    @Override
    public void wakeup() {}

    @Override
    public void close() {}
}
