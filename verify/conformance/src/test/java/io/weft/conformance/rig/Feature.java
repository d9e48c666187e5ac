package io.weft.conformance.rig;

import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/// Properties of streams that not every transport's have.
public enum Feature {
    /// One direction ends, and the other goes on.
    HALF_CLOSURE,
    /// A connection breaks, and says so.
    RESET,
    /// Input waits for a channel that does not read, and the reset behind it with it.
    UNREAD_INPUT;

    /// Skips the test on a transport whose streams lack this.
    public void assume(String transport) {
        Assumptions.assumeFalse(
                lacking(transport).contains(this), this + ": streams of " + transport + " lack it");
    }

    private static Set<Feature> lacking(String transport) {
        if (transport.startsWith("serial-")) {
            return EnumSet.allOf(Feature.class);
        }
        if (transport.equals("embedded")) {
            return EnumSet.of(UNREAD_INPUT); // tests say themselves when it breaks
        }
        // RFC 9260, 9.2: who has got a SHUTDOWN takes no more from its user.
        return transport.startsWith("sctp-")
                ? EnumSet.of(HALF_CLOSURE)
                : EnumSet.noneOf(Feature.class);
    }
}
