package io.weft.loop.guard;

import java.lang.System.Logger.Level;
import java.time.ZoneId;

/// Logs exceptions that callbacks threw. Messages are constants: neither concatenation nor
/// formatting is linked when something has just gone wrong.
public final class Faults {
    private static final System.Logger LOG = System.getLogger("io.weft.loop");

    private Faults() {}

    /// Finds the logger now, so that the first fault need not, when descriptors or memory may have
    /// run out. Loggers print the time, and the JDK reads time zones from a file: if it cannot
    /// once, it never will.
    public static void prepare() {
        boolean _ = LOG.isLoggable(Level.WARNING);
        ZoneId _ = ZoneId.systemDefault();
    }

    /// Never throws: a logger that fails must not end a loop.
    public static void report(String what, Throwable fault) {
        try {
            LOG.log(Level.WARNING, what, fault);
        } catch (Throwable _) {
            // Nobody is left to tell.
        }
    }

    /// Never throws.
    public static void warn(String what) {
        try {
            LOG.log(Level.WARNING, what);
        } catch (Throwable _) {
            // Nobody is left to tell.
        }
    }
}
