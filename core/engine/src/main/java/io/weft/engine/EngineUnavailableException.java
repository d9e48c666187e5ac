package io.weft.engine;

/// An engine cannot run on this machine or in this process; the message says why.
public final class EngineUnavailableException extends Exception {
    private static final long serialVersionUID = 1L;

    public EngineUnavailableException(String reason) {
        super(reason);
    }
}
