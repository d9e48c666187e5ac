package io.weft.bench.tls;

/// Of the server, as clients see it: they look for sessions by host and port, so another port finds
/// none.
final class Ports {
    private static final int RESUMED = 443;
    private static final int FIRST = 1024;

    private int next = FIRST;

    int next(boolean resumes) {
        if (resumes) {
            return RESUMED;
        }
        next = next == 0xFFFF ? FIRST : next + 1;
        return next;
    }
}
