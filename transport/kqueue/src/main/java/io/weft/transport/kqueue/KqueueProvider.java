package io.weft.transport.kqueue;

import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Kevent;
import io.weft.ffi.Kqueue;
import io.weft.ffi.NativeAccess;
import io.weft.transport.posix.ReadinessEngine;
import org.jspecify.annotations.Nullable;

/// Offers the kqueue engine on macOS and FreeBSD, and on Linux over the library that
/// `io.weft.kqueue.library` names.
public final class KqueueProvider implements EngineProvider {
    private static final long PROBE_NANOS = 1_000_000_000;

    @Override
    public String name() {
        return "kqueue";
    }

    /// Returns less than NIO has: the engine has been run over tables of macOS and FreeBSD, but not
    /// on them, so it serves whoever names it.
    @Override
    public int priority() {
        return 5;
    }

    /// Finds the system's kqueue.
    ///
    /// @param os `os.name` of the JVM
    /// @param processor `os.arch`
    /// @param library a shared library that has kqueue, for Linux
    static KqueueQueue queue(String os, String processor, @Nullable String library)
            throws EngineUnavailableException {
        boolean mac = os.startsWith("Mac");
        String named = os.equals("Linux") ? library : null;
        if (!mac && !os.equals("FreeBSD") && named == null) {
            throw new EngineUnavailableException(
                    "os: "
                            + os
                            + " (expected: macOS, FreeBSD, or Linux with io.weft.kqueue.library)");
        }
        if (!processor.matches("x86_64|amd64|aarch64|arm64") && named == null) {
            throw new EngineUnavailableException(
                    "processor: " + processor + " (expected: x86-64 or aarch64)");
        }
        String refusal = NativeAccess.refusal();
        if (refusal != null) {
            throw new EngineUnavailableException(refusal);
        }
        try {
            return named != null
                    ? new KqueueQueue(Kqueue.ofLibrary(named), Kevent.LIBKQUEUE)
                    : new KqueueQueue(Kqueue.ofSystem(), mac ? Kevent.MACOS : Kevent.FREEBSD);
        } catch (UnsupportedOperationException e) {
            throw new EngineUnavailableException(String.valueOf(e.getMessage()));
        }
    }

    private static KqueueQueue queue() throws EngineUnavailableException {
        return queue(
                System.getProperty("os.name"),
                System.getProperty("os.arch"),
                System.getProperty("io.weft.kqueue.library"));
    }

    @Override
    public String probe() throws EngineUnavailableException {
        Engine engine = create();
        try {
            engine.wakeup();
            engine.poll(PROBE_NANOS);
            return System.getProperty("os.name") + " " + System.getProperty("os.version");
        } catch (IllegalStateException e) {
            throw new EngineUnavailableException(String.valueOf(e.getMessage()));
        } finally {
            engine.close();
        }
    }

    @Override
    public Engine create() throws EngineUnavailableException {
        return new ReadinessEngine(queue());
    }
}
