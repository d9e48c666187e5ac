package io.weft.engine;

import io.weft.engine.log.GuardedLog;

/// The log of this module.
final class Log {
    static final GuardedLog LOG = new GuardedLog("io.weft.engine");

    private Log() {}
}
