package io.weft.transport.serial;

/// The state of a port's modem lines (EIA-232). The first two are this side's to set, by
/// [SerialOption#DTR] and [SerialOption#RTS]; the others the peer's.
///
/// @param dtr data terminal ready, set by us
/// @param rts request to send, set by us
/// @param dsr data set ready
/// @param cts clear to send
/// @param dcd data carrier detect
/// @param ri ring indicator
public record ModemLines(
        boolean dtr, boolean rts, boolean dsr, boolean cts, boolean dcd, boolean ri) {}
