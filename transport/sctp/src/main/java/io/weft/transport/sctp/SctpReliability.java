package io.weft.transport.sctp;

import io.weft.ffi.Sctp;
import java.time.Duration;

/// The effort that is made for a message (RFC 3758, RFC 7496). A message given up is reported by
/// [SctpNotification.SendFailed].
///
/// @param policy a number of RFC 6458, 5.3.7
/// @param value milliseconds, a count or a priority, as the policy says
public record SctpReliability(int policy, int value) {
    /// Sent until it is acknowledged or the association ends.
    public static final SctpReliability FULL = new SctpReliability(Sctp.SCTP_PR_SCTP_NONE, 0);

    /// @throws IllegalArgumentException when the policy is unknown
    public SctpReliability {
        if ((policy & ~0x30) != 0) {
            throw new IllegalArgumentException(
                    "policy: " + policy + " (expected: 0, 0x10, 0x20 or 0x30)");
        }
    }

    /// Given up if it was not acknowledged for that time.
    ///
    /// @throws IllegalArgumentException when it is shorter than a millisecond or longer than a day
    public static SctpReliability lifetime(Duration time) {
        if (time.compareTo(Duration.ofMillis(1)) < 0 || time.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("time: " + time + " (expected: 1 ms to a day)");
        }
        return new SctpReliability(Sctp.SCTP_PR_SCTP_TTL, (int) time.toMillis());
    }

    /// Given up when it has been sent again so often.
    ///
    /// @throws IllegalArgumentException when negative
    public static SctpReliability retransmissions(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("count: " + count + " (expected: >= 0)");
        }
        return new SctpReliability(Sctp.SCTP_PR_SCTP_RTX, count);
    }

    /// Given up for a message of a lower number if the send buffer is full.
    public static SctpReliability priority(int number) {
        return new SctpReliability(Sctp.SCTP_PR_SCTP_PRIO, number);
    }
}
