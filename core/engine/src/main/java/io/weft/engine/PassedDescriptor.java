package io.weft.engine;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

/// A descriptor on its way to another process, or from one (`SCM_RIGHTS`,
/// [unix(7)](https://man7.org/linux/man-pages/man7/unix.7.html)). What was received is its owner's
/// to close, once, or to hand to `Bootstrap.adopt`.
public final class PassedDescriptor implements AutoCloseable {
    private final int number;
    private final IntConsumer closer;
    private final AtomicBoolean gone = new AtomicBoolean();

    /// For engines.
    ///
    /// @param closer closes a descriptor
    public PassedDescriptor(int number, IntConsumer closer) {
        this.number = number;
        this.closer = closer;
    }

    /// A descriptor to be sent that stays its owner's, who keeps it open until then.
    public static PassedDescriptor borrowed(int number) {
        return new PassedDescriptor(number, _ -> {});
    }

    /// The number that the descriptor has in this process.
    public int number() {
        return number;
    }

    /// Tells if it was neither closed nor taken.
    public boolean isOpen() {
        return !gone.get();
    }

    /// Makes it the caller's to close, and returns its number.
    ///
    /// @throws IllegalStateException when it was closed or taken before
    public int take() {
        if (!gone.compareAndSet(false, true)) {
            throw new IllegalStateException("descriptor " + number + ": gone (expected: open)");
        }
        return number;
    }

    /// Closes the descriptor; the second time does nothing.
    @Override
    public void close() {
        if (gone.compareAndSet(false, true)) {
            closer.accept(number);
        }
    }

    @Override
    public String toString() {
        return "descriptor " + number;
    }
}
