package io.weft.channel;

import io.weft.engine.log.GuardedLog;

/// The log of this module.
final class Log {
    static final GuardedLog LOG = new GuardedLog("io.weft.channel");

    private Log() {}
}
