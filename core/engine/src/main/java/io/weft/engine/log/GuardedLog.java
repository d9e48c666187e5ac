package io.weft.engine.log;

import org.jspecify.annotations.Nullable;

/// The log of a module whose work must not end with a logger that fails, as one may when
/// descriptors or memory have run out.
public final class GuardedLog {
    private final System.Logger logger;

    /// @param name of the module, as loggers are named
    public GuardedLog(String name) {
        logger = System.getLogger(name);
    }

    /// Finds the logger now: when descriptors have run out it is too late.
    public void prepare() {
        boolean _ = logger.isLoggable(System.Logger.Level.INFO);
    }

    public void info(String message) {
        log(System.Logger.Level.INFO, message, null);
    }

    public void warn(String message) {
        log(System.Logger.Level.WARNING, message, null);
    }

    public void debug(String message) {
        log(System.Logger.Level.DEBUG, message, null);
    }

    public void failure(String message, Throwable cause) {
        log(System.Logger.Level.WARNING, message, cause);
    }

    public void debug(String message, Throwable cause) {
        log(System.Logger.Level.DEBUG, message, cause);
    }

    @SuppressWarnings("EmptyCatch") // there is nowhere left to report to
    private void log(System.Logger.Level level, String message, @Nullable Throwable cause) {
        try {
            logger.log(level, message, cause);
        } catch (Throwable loggerFailed) {
        }
    }
}
