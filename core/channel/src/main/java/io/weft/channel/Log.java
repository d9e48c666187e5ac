package io.weft.channel;

/// The log of this room. A logger that fails, as one may when descriptors or memory have run out,
/// must not take a loop with it.
final class Log {
    private static final System.Logger LOGGER = System.getLogger("io.weft.channel");

    private Log() {}

    /// Finds the logger now: when descriptors have run out it is too late.
    static void prepare() {
        boolean _ = LOGGER.isLoggable(System.Logger.Level.INFO);
    }

    static void info(String message) {
        log(System.Logger.Level.INFO, message, null);
    }

    static void warn(String message) {
        log(System.Logger.Level.WARNING, message, null);
    }

    static void debug(String message) {
        log(System.Logger.Level.DEBUG, message, null);
    }

    static void failure(String message, Throwable cause) {
        log(System.Logger.Level.WARNING, message, cause);
    }

    static void debug(String message, Throwable cause) {
        log(System.Logger.Level.DEBUG, message, cause);
    }

    @SuppressWarnings("EmptyCatch") // there is nowhere left to report to
    private static void log(
            System.Logger.Level level,
            String message,
            @org.jspecify.annotations.Nullable Throwable cause) {
        try {
            LOGGER.log(level, message, cause);
        } catch (Throwable loggerFailed) {
        }
    }
}
