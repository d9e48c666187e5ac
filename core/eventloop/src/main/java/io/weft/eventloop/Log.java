package io.weft.eventloop;

import io.weft.engine.log.GuardedLog;

/// The log of this module.
final class Log {
    static final GuardedLog LOG = new GuardedLog("io.weft.eventloop");

    private Log() {}
}
