package io.weft.transport.uring;

import java.util.function.IntConsumer;

/// One operation on a file, with a slot of its own.
final class FileOperation implements Target {
    private final UringEngine engine;
    private final IntConsumer done;
    private final int slot;

    /// @param done gets the result: a value or -errno
    FileOperation(UringEngine engine, IntConsumer done) {
        this.engine = engine;
        this.done = done;
        slot = engine.slots.add(this);
    }

    void submit(int opcode, int file, long off, long addr, int len, int opFlags) {
        engine.ring.submit(
                opcode, file, off, addr, len, opFlags, engine.userData(slot, Operation.FILE));
    }

    @Override
    public void completed(int operation, int result, int flags) {
        engine.slots.remove(slot);
        done.accept(result);
    }

    /// It is over, whatever was made of its result.
    @Override
    public void faulted() {}
}
