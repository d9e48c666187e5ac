package io.weft.engine;

/// The log of this module. A logger that fails, as one may when descriptors or memory have run out,
/// must not take a loop with it.
final class EngineLog {
    private static final System.Logger LOGGER = System.getLogger("io.weft.engine");

    private EngineLog() {}

    @SuppressWarnings("EmptyCatch") // there is nowhere left to report to
    static void debug(String message, Throwable cause) {
        try {
            LOGGER.log(System.Logger.Level.DEBUG, message, cause);
        } catch (Throwable loggerFailed) {
        }
    }
}
